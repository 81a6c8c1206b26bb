/**
 * Findings that opened and closed and are not stored yet, and lines of their history, in the order they came. All of them are kept
 * while the store takes writes. While it fails they are bounded: of findings low ones go first, then medium ones, the newest of
 * these first; of lines the oldest go. What went is counted.
 */

import type { Finding } from '../../findings/finding.ts';
import { SEVERITIES, type Severity } from '../../policy/severity.ts';
import type { FindingAbout, FindingChanges, FindingLine } from './finding-history.ts';

/** Findings that wait while the store fails, opened and closed ones counted each. */
export const MOST_WAITING = 5_000;
export const MOST_LINES = 500;
export const AT_ONCE = 200;

interface Waiting {
  readonly change: FindingChanges;
  readonly generation: number;
}

type Kind = Pick<Finding, 'check' | 'severity'>;
type Unwritten = Kind & { readonly count: number };

const sizeOf = ({ opened, closed }: FindingChanges): number => opened.length + closed.length;

function partsOf(findings: readonly Finding[], most: number): (readonly Finding[])[] {
  const parts: (readonly Finding[])[] = [];
  for (let from = 0; from < findings.length; from += most) parts.push(findings.slice(from, from + most));
  return parts;
}

/** The same in the same order, of at most `AT_ONCE` findings each. */
function split(change: FindingChanges): readonly FindingChanges[] {
  const { opened, closed, at } = change;
  if (sizeOf(change) <= AT_ONCE) return [change];
  return [
    ...partsOf(opened, AT_ONCE).map((part) => ({ opened: part, closed: [], at })),
    ...partsOf(closed, AT_ONCE).map((part) => ({ opened: [], closed: part, at })),
  ];
}

export class WaitingChanges {
  #changes: Waiting[] = [];
  #lines: (FindingLine | FindingAbout)[] = [];
  #size = 0;
  #unwritten = new Map<string, Unwritten>();
  #unwrittenLines = 0;
  /** Findings whose opening was dropped and that have not closed since: they are counted when they close. */
  readonly #unopened = new Map<string, Kind>();
  #unclosed = false;

  /** Findings, opened and closed ones counted each. */
  get size(): number {
    return this.#size;
  }

  /** The first changes, as many as one transaction takes. */
  get next(): readonly FindingChanges[] {
    const next: FindingChanges[] = [];
    let size = 0;
    for (const { change } of this.#changes) {
      size += sizeOf(change);
      if (next.length > 0 && size > AT_ONCE) break;
      next.push(change);
    }
    return next;
  }

  /** Lines, and processes that are known, in the order they came; each belongs behind the changes. */
  get lines(): readonly (FindingLine | FindingAbout)[] {
    return this.#lines;
  }

  get unwritten(): readonly Unwritten[] {
    return [...this.#unwritten.values()];
  }

  get unwrittenLines(): number {
    return this.#unwrittenLines;
  }

  /** Openings or closings were dropped: what the store has as open is not what is open. */
  get torn(): boolean {
    return this.#unclosed || this.#unopened.size > 0;
  }

  add(change: FindingChanges, generation: number): void {
    const { opened, at } = change;
    const closed = change.closed.filter((finding) => !this.#endUnopened(finding));
    for (const part of split({ opened, closed, at })) this.#changes.push({ change: part, generation });
    this.#size += opened.length + closed.length;
  }

  addLine(line: FindingLine | FindingAbout): void {
    this.#lines.push(line);
  }

  /** The first changes, or lines, were written; whether a later observation than this one brought any of the changes. */
  shift(count: number, generation = Number.POSITIVE_INFINITY): boolean {
    const gone = this.#changes.splice(0, count);
    for (const { change } of gone) this.#size -= sizeOf(change);
    return gone.some((one) => one.generation > generation);
  }

  shiftLines(count: number): void {
    this.#lines.splice(0, count);
  }

  /** The store takes nothing: drops what is too much. */
  bound(): void {
    for (const severity of SEVERITIES) if (this.#size > MOST_WAITING) this.#drop(severity);
    const beyond = Math.max(0, this.#lines.length - MOST_LINES);
    const gone = this.#lines.splice(0, beyond);
    this.#unwrittenLines += gone.filter((line) => 'event' in line).length;
  }

  counted(): void {
    this.#unwritten = new Map();
    this.#unwrittenLines = 0;
  }

  /** Everything that waited is written: what closes the gap between what the store has as open and what is open. */
  reconciled(stored: readonly Finding[], open: readonly Finding[], at: string): void {
    const [storedIds, openIds] = [stored, open].map((findings) => new Set(findings.map(({ id }) => id)));
    this.#unclosed = false;
    this.#unopened.clear();
    const change = {
      opened: open.filter(({ id }) => !storedIds?.has(id)),
      closed: stored.filter(({ id }) => !openIds?.has(id)),
      at,
    };
    if (sizeOf(change) > 0) this.add(change, 0);
  }

  /** Whether a finding that closes was dropped when it opened: it is counted now. */
  #endUnopened({ id }: Finding): boolean {
    const kind = this.#unopened.get(id);
    if (kind === undefined) return false;
    this.#unopened.delete(id);
    this.#count(kind);
    return true;
  }

  #count({ check, severity }: Kind): void {
    const key = `${check}\0${severity}`;
    const count = (this.#unwritten.get(key)?.count ?? 0) + 1;
    this.#unwritten.set(key, { check, severity, count });
  }

  /**
   * Drops findings of a severity, newest first, until the bound holds: what came first stays, as in the history. First those whose
   * opening waits too; a closing without it leaves a stored finding open until `reconciled`.
   */
  #drop(severity: Severity): void {
    const opening = new Set(this.#changes.flatMap(({ change }) => change.opened.map(({ id }) => id)));
    this.#dropNewest(severity, (id) => opening.has(id));
    this.#dropNewest(severity, () => true);
    this.#changes = this.#changes.filter(({ change }) => sizeOf(change) > 0);
  }

  #dropNewest(severity: Severity, may: (id: string) => boolean): void {
    /** Findings whose closing was dropped: the opening before it goes too, and they are counted once. */
    const gone = new Map<string, Kind>();
    const keeps = (finding: Finding, closing: boolean): boolean => {
      const { id } = finding;
      const paired = !closing && gone.delete(id);
      if (!paired && (finding.severity !== severity || !may(id) || this.#size <= MOST_WAITING)) return true;
      this.#size -= 1;
      if (closing) gone.set(id, finding);
      else if (paired) this.#count(finding);
      else this.#unopened.set(id, { check: finding.check, severity });
      return false;
    };
    const kept = (findings: readonly Finding[], closing: boolean): readonly Finding[] =>
      findings
        .toReversed()
        .filter((finding) => keeps(finding, closing))
        .toReversed();
    for (let at = this.#changes.length - 1; at >= 0; at -= 1) {
      if (this.#size <= MOST_WAITING && gone.size === 0) break;
      const { change, generation } = this.#changes[at] as Waiting;
      const closed = kept(change.closed, true);
      this.#changes[at] = { change: { ...change, closed, opened: kept(change.opened, false) }, generation };
    }
    if (gone.size > 0) this.#unclosed = true;
  }
}
