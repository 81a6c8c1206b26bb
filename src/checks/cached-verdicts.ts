/**
 * Verdicts of tiers 2 and 3. They stand until their subject is gone or looked at again: rechecks take them as they are.
 */
import type { Fail } from './check.ts';
import { together, type Verdicts } from './verdicts.ts';

/** What makes a fail that stands another one: whom it is about, of what kind, how severe. Its evidence may change. */
export const failKey = (fail: Fail): string =>
  [fail.check.id, JSON.stringify(fail.subject), fail.evidenceClass, fail.severity].join('\0');

export class CachedVerdicts {
  readonly #stood = new Map<string, Verdicts>();
  #together: Verdicts = together([]);
  #changed = false;

  /** Verdicts about one subject, or of one check; they replace those of the same key. */
  set(key: string, verdicts: Verdicts): void {
    this.#stood.set(key, verdicts);
    this.#changed = true;
  }

  drop(key: string): void {
    if (this.#stood.delete(key)) this.#changed = true;
  }

  /** All of them; the same object while nothing changed. */
  verdicts(): Verdicts {
    if (this.#changed) this.#together = together([...this.#stood.values()]);
    this.#changed = false;
    return this.#together;
  }
}
