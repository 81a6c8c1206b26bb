/** What one query may cost, counted in steps and not by the clock, so that the same query always ends in the same way. */
import { QueryError } from './types.ts';

export interface Limits {
  /** Steps: about one for each cell that is read, compared or copied, and one for 16 characters of a text. */
  readonly steps: number;
  /** Groups, and rows that are kept to be sorted. */
  readonly groups: number;
  /** Bytes held at once, estimated. */
  readonly bytes: number;
  /** Characters of an answer. */
  readonly answer: number;
}

export const LIMITS: Limits = { steps: 1_000_000, groups: 10_000, bytes: 16 << 20, answer: 1 << 20 };

/** Characters of a text that are one step. */
const TEXT_STEP = 16;
/** An entry of a map or set with its key. */
const ENTRY_BYTES = 64;

export class Budget {
  readonly limits: Limits;
  #steps: number;
  #bytes: number;

  constructor(limits: Limits) {
    this.limits = limits;
    this.#steps = limits.steps;
    this.#bytes = limits.bytes;
  }

  /** @throws QueryError when there are none left. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0)
      throw new QueryError('This query exceeds the work limit: ask for fewer rows or use fewer conditions.');
  }

  read(text: string): void {
    this.spend(1 + text.length / TEXT_STEP);
  }

  /** @throws QueryError when too much is held. */
  hold(characters: number): void {
    this.#bytes -= 2 * characters + ENTRY_BYTES;
    if (this.#bytes < 0)
      throw new QueryError('This query exceeds the memory limit: group by something with fewer values.');
  }

  /** @throws QueryError when there are too many. */
  group(count: number): void {
    if (count > this.limits.groups)
      throw new QueryError(
        `There are more than ${this.limits.groups} groups: group by something with fewer values, or add a condition.`,
      );
  }
}
