/** What comes and goes: fails in doubt, and findings of programs that each look shows for a moment only. */
import type { Fail } from '../checks/check.ts';
import type { Keys } from './cook.ts';
import { keysOf } from './finding-id.ts';

/** What stays untold longer than this is no coming and going. */
const MOST_DOUBT_MS = 2_000;

/**
 * Fails of which nobody can tell who is behind them. A process that is about to end holds its sockets a moment longer than its
 * program, and one that was just born holds them before it is in the table: neither is a finding, nor makes one graver.
 */
export class DoubtFilter {
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

/** What was not seen for so long does not come back any more, milliseconds. */
const RETURN_MS = 60_000;
/** Keys that are kept; the oldest go first. */
const MOST_KEYS = 4096;

/**
 * Findings of programs that come and go faster than one look follows another: each process of them is seen once. Equal fails that
 * two looks within a minute show are still one finding, and it stays open until none was seen for a minute.
 */
export class FlapFilter {
  /** Seen and not open: failed in one look only, or closed since. When last, in monotonic milliseconds, by finding key. */
  readonly #seen = new Map<string, number>();
  /** Open, and back after they were seen before; when last. */
  readonly #open = new Map<string, number>();

  /** Finding keys of fails that an earlier look has shown: another one confirms them. */
  seenBefore(nowMs: number): Pick<ReadonlySet<string>, 'has'> {
    for (const [key, atMs] of this.#seen) if (isOver(atMs, nowMs)) this.#seen.delete(key);
    return this.#seen;
  }

  /** Whether the open finding of this key was seen within the last minute, and comes and goes. */
  lingers(key: string, nowMs: number): boolean {
    const atMs = this.#open.get(key);
    return atMs !== undefined && !isOver(atMs, nowMs);
  }

  /** After each look. */
  looked({ opened, shown, closed, once }: Keys, nowMs: number): void {
    for (const key of opened) if (this.#seen.delete(key)) this.#open.set(key, nowMs);
    for (const key of this.#open.keys()) if (shown.has(key)) this.#open.set(key, nowMs);
    for (const key of closed) this.#open.delete(key);
    for (const keys of [closed, once])
      for (const key of keys) {
        // Set again it is the newest.
        this.#seen.delete(key);
        this.#seen.set(key, nowMs);
      }
    for (const key of this.#seen.keys()) {
      if (this.#seen.size <= MOST_KEYS) break;
      this.#seen.delete(key);
    }
  }

  /** Something else is known now: what was not seen since says nothing any more. */
  forget(): void {
    this.#open.clear();
    this.#seen.clear();
  }
}

const isOver = (atMs: number, nowMs: number): boolean => nowMs - atMs >= RETURN_MS;
