/**
 * Findings that opened and closed and are not stored yet, and lines of their history. Bounded: when the store takes nothing for
 * long, low findings are dropped first, then medium ones; of the lines the oldest go. What was dropped is counted.
 */
import type { Finding, Severity } from '../checks/judgement.ts';
import type { FindingChanges } from '../store/store.ts';

/** Findings that wait, opened and closed ones counted each. */
export const MOST_WAITING = 5_000;
/** Lines of findings' histories that wait. */
export const MOST_LINES = 500;

interface Waiting {
  change: FindingChanges;
  readonly generation: number;
}

interface Line {
  readonly finding: string;
  readonly at: string;
  readonly event: string;
}

export interface Unwritten {
  readonly check: string;
  readonly severity: Severity;
  readonly count: number;
}

const ORDER: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

export class WaitingChanges {
  #changes: Waiting[] = [];
  #lines: Line[] = [];
  #size = 0;
  #dropped = new Map<string, Unwritten>();
  #droppedLines = 0;

  get changes(): readonly FindingChanges[] {
    return this.#changes.map(({ change }) => change);
  }

  get first(): FindingChanges | undefined {
    return this.#changes[0]?.change;
  }

  /** Lines in the order they came; each belongs behind the changes. */
  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** What was dropped since `counted`: findings, and lines. */
  get dropped(): readonly Unwritten[] {
    return [...this.#dropped.values()];
  }

  get droppedLines(): number {
    return this.#droppedLines;
  }

  add(change: FindingChanges, generation: number): void {
    this.#changes.push({ change, generation });
    this.#size += change.opened.length + change.closed.length;
    for (const severity of ORDER) if (this.#size > MOST_WAITING) this.#drop(severity);
  }

  addLine(line: Line): void {
    this.#lines.push(line);
    const beyond = Math.max(0, this.#lines.length - MOST_LINES);
    this.#droppedLines += this.#lines.splice(0, beyond).length;
  }

  /** The first change, or the first line, was written. */
  shift(): void {
    const gone = this.#changes.shift()?.change;
    if (gone !== undefined) this.#size -= gone.opened.length + gone.closed.length;
  }

  shiftLine(): void {
    this.#lines.shift();
  }

  /** All changes were written; whether a later observation than this one brought any of them. */
  clear(generation: number): boolean {
    const later = this.#changes.some((waiting) => waiting.generation > generation);
    this.#changes = [];
    this.#size = 0;
    return later;
  }

  counted(): void {
    this.#dropped = new Map();
    this.#droppedLines = 0;
  }

  /**
   * Drops findings of a severity, newest first, until the bound holds: what came first stays, as in the history. First those whose
   * opening waits too; a closing without it would leave a stored finding open.
   */
  #drop(severity: Severity): void {
    const opening = new Set(this.#changes.flatMap(({ change }) => change.opened.map(({ id }) => id)));
    this.#dropNewest(severity, (id) => opening.has(id));
    this.#dropNewest(severity, () => true);
    this.#changes = this.#changes.filter(({ change }) => change.opened.length + change.closed.length > 0);
  }

  #dropNewest(severity: Severity, may: (id: string) => boolean): void {
    /** Findings whose closing was dropped: the opening before it goes too, and they are counted once. */
    const gone = new Set<string>();
    const kept = (findings: readonly Finding[], closing: boolean): readonly Finding[] =>
      findings
        .toReversed()
        .filter(({ id, check, severity: own }) => {
          const paired = !closing && gone.delete(id);
          if (!paired && (own !== severity || !may(id) || this.#size <= MOST_WAITING)) return true;
          this.#size -= 1;
          if (closing) gone.add(id);
          if (paired) return false;
          const key = `${check}\0${severity}`;
          const count = (this.#dropped.get(key)?.count ?? 0) + 1;
          this.#dropped.set(key, { check, severity, count });
          return false;
        })
        .toReversed();
    for (const waiting of this.#changes.toReversed()) {
      if (this.#size <= MOST_WAITING && gone.size === 0) break;
      const { opened, closed, at } = waiting.change;
      const left = kept(closed, true);
      waiting.change = { opened: kept(opened, false), closed: left, at };
    }
  }
}
