/** Verdicts of tiers 2 and 3, valid until their subject is gone or read again: rechecks take them as they are. */
import type { Fail } from './check.ts';
import { together, type Verdicts } from './verdicts.ts';

/** Equal for the same fail over time: subject, kind and severity. Its evidence may change. */
export const failKey = (fail: Fail): string =>
  [fail.check.id, JSON.stringify(fail.subject), fail.evidenceClass, fail.severity].join('\0');

export class CachedVerdicts {
  readonly #cached = new Map<string, Verdicts>();
  #together: Verdicts = together([]);
  #changed = false;

  /** Verdicts about one subject, or of one check; they replace those of the same key. */
  set(key: string, verdicts: Verdicts): void {
    this.#cached.set(key, verdicts);
    this.#changed = true;
  }

  drop(key: string): void {
    if (this.#cached.delete(key)) this.#changed = true;
  }

  /** All of them; the same object while nothing changed. */
  verdicts(): Verdicts {
    if (this.#changed) this.#together = together([...this.#cached.values()]);
    this.#changed = false;
    return this.#together;
  }
}
