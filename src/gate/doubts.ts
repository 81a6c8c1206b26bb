/**
 * Fails of which nobody can tell who is behind them. A process that is about to end holds its sockets a moment longer than its
 * program, and one that was just born holds them before it is in the table: neither is a finding, nor makes one graver.
 */
import type { Fail } from '../checks/check.ts';
import { keysOf } from '../checks/finding-id.ts';

/** What stays untold longer than this is no coming and going. */
const MOST_DOUBT_MS = 2_000;

export class Doubts {
  /** Since when a fail is in doubt, by its member key; milliseconds of the monotonic clock. */
  #since: ReadonlyMap<string, number> = new Map();

  /** Member keys of the fails of this sample that are left in doubt for now. */
  among(fails: readonly Fail[], nowMs: number): ReadonlySet<string> {
    const doubtful = fails.filter(({ doubtful }) => doubtful);
    if (doubtful.length === 0 && this.#since.size === 0) return new Set();
    this.#since = new Map(
      doubtful.map((fail) => {
        const key = keysOf(fail).member;
        // A clock that was set back does not keep anything in doubt for longer.
        return [key, Math.min(nowMs, this.#since.get(key) ?? nowMs)];
      }),
    );
    return new Set([...this.#since].filter(([, since]) => nowMs - since < MOST_DOUBT_MS).map(([key]) => key));
  }
}
