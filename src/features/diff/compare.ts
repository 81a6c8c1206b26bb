/** Facts of one look against those of the look before. Pure. */
import type { Fact, Facts, Kind } from './facts.ts';

/** Null before: it was not there; null after: it is gone. */
export interface FactChange {
  readonly kind: Kind;
  readonly key: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly packaged: boolean;
  /** When it was last seen as before, and when it was seen as it is, ms since the epoch. */
  readonly fromMs: number;
  readonly atMs: number;
}

/** What is compared: facts that are known, and those of now. */
interface Compared {
  readonly known: Facts;
  readonly seen: Facts;
  /** Whether a known fact that was not seen may still be there: its place could not be read. Default: none. */
  readonly mayBeThere?: (fact: Fact) => boolean;
}

/** A detail that is "" is not known: it neither changes what is known, nor is it changed from. */
export function changesBetween(
  kind: Kind,
  { known, seen, mayBeThere = () => false }: Compared,
  times: Pick<FactChange, 'fromMs' | 'atMs'>,
): readonly FactChange[] {
  const changes: FactChange[] = [];
  for (const [key, { name, detail, packaged }] of seen) {
    const before = known.get(key)?.detail ?? null;
    if (before === detail || (before !== null && (detail === '' || before === ''))) continue;
    changes.push({ ...{ kind, key, name, before, after: detail, packaged }, ...times });
  }
  for (const fact of known.values()) {
    const { key, name, detail, packaged } = fact;
    if (seen.has(key) || mayBeThere(fact)) continue;
    changes.push({ ...{ kind, key, name, before: detail, after: null, packaged }, ...times });
  }
  return changes;
}

/** What is known after a look: facts without a change keep a detail that was not seen this time. */
export function knownAfter(known: Facts, seen: Facts, changes: readonly FactChange[]): Facts {
  const gone = new Set(changes.flatMap(({ key, after }) => (after === null ? [key] : [])));
  const next = new Map([...known].filter(([key]) => !gone.has(key)));
  for (const [key, fact] of seen)
    next.set(key, fact.detail === '' ? { ...fact, detail: known.get(key)?.detail ?? '' } : fact);
  return next;
}

/** What comes and goes: only what two looks in a row show counts as there, gone or changed. */
export class TwiceSeen {
  /** By key, what one look has shown (null: gone), and when that was last not so. */
  #waiting = new Map<string, { readonly detail: string | null; readonly fromMs: number }>();

  /** Facts as they count now. `passed`: how many were seen once, and did not last. */
  settle(
    known: Facts,
    seen: Facts,
    fromMs: number,
  ): { readonly seen: Facts; readonly passed: number; readonly fromMs: number } {
    const next = new Map<string, { readonly detail: string | null; readonly fromMs: number }>();
    const settled = new Map<string, Fact>();
    let [passed, earliest] = [0, fromMs];
    for (const key of new Set([...known.keys(), ...seen.keys()])) {
      const [before, now] = [known.get(key), seen.get(key)];
      const detail = now === undefined ? null : now.detail;
      const waits = this.#waiting.get(key);
      const isUnknown =
        before !== undefined && now !== undefined && (before.detail === '' || now.detail === '');
      const isSame = before?.detail === now?.detail || isUnknown;
      if (!isSame && waits?.detail === detail) earliest = Math.min(earliest, waits.fromMs);
      else if (!isSame) next.set(key, { detail, fromMs });
      const counts = next.has(key) ? before : now;
      if (counts !== undefined) settled.set(key, counts);
    }
    for (const [key, { detail }] of this.#waiting)
      if (detail !== null && !known.has(key) && !seen.has(key)) passed++;
    this.#waiting = next;
    return { seen: settled, passed, fromMs: earliest };
  }
}
