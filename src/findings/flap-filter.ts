/** Filters what comes and goes: fails whose process is unknown, and findings of programs that show another process at each recheck. */
import type { Fail } from '../checks/check.ts';
import type { Keys } from './cook.ts';
import { keysOf } from './finding-id.ts';

/** A fail that stays unattributed for longer counts. */
const MOST_UNATTRIBUTED_MS = 2_000;

/**
 * Fails whose process is not known. One that is about to end holds its sockets a little longer than its program, and one that
 * was just started holds them before it is in the table: neither is a finding, nor makes one more severe.
 */
export class AttributionFilter {
  /** Since when a fail is unattributed, by its member key; milliseconds of the monotonic clock. */
  #since: ReadonlyMap<string, number> = new Map();

  /** Some fails did not count in the last sample because they are new: they may by time alone. */
  get waits(): boolean {
    return this.#since.size > 0;
  }

  /** Member keys of the fails of this sample that do not count yet. */
  among(fails: readonly Fail[], nowMs: number): ReadonlySet<string> {
    const unattributed = fails.filter((fail) => fail.unattributed);
    if (unattributed.length === 0 && this.#since.size === 0) return new Set();
    this.#since = new Map(
      unattributed.map((fail) => {
        const key = keysOf(fail).member;
        // A clock that was set back does not extend the wait.
        return [key, Math.min(nowMs, this.#since.get(key) ?? nowMs)];
      }),
    );
    return new Set(
      [...this.#since].filter(([, since]) => nowMs - since < MOST_UNATTRIBUTED_MS).map(([key]) => key),
    );
  }
}

/** What was not seen for this long is not expected back. */
const RETURN_MS = 60_000;
/** Keys that are kept; the oldest go first. */
const MOST_KEYS = 4096;

/** A finding key that was seen and is not open. */
interface Seen {
  /** When last, in monotonic milliseconds. */
  readonly atMs: number;
  /** Member keys of the processes that failed in one recheck only; none of a finding that closed. */
  readonly members: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Findings of programs that come and go faster than rechecks follow each other: each process of them is seen once. Equal fails in
 * two rechecks within a minute are still one finding. If they are of different processes, it stays open until none was seen for a
 * minute.
 */
export class FlapFilter {
  /** Failed in one recheck only, or closed since, by finding key. */
  readonly #seen = new Map<string, Seen>();
  /** Open, and back with other processes after they were seen before. Time last seen; null if restored from an earlier run. */
  readonly #open: Map<string, number | null>;

  /** Finding keys of what an earlier run has left open, and that comes and goes. */
  constructor(open: Iterable<string> = []) {
    this.#open = new Map([...open].map((key) => [key, null]));
  }

  /** Finding keys of fails that an earlier recheck has shown: another one confirms them. */
  seenBefore(nowMs: number): Pick<ReadonlySet<string>, 'has'> {
    for (const [key, { atMs }] of this.#seen) if (isOver(atMs, nowMs)) this.#seen.delete(key);
    return this.#seen;
  }

  /** Whether the open finding of this key was seen within the last minute, and comes and goes. */
  lingers(key: string, nowMs: number): boolean {
    const atMs = this.#open.get(key);
    return atMs === null || (atMs !== undefined && !isOver(atMs, nowMs));
  }

  /** Whether a finding of this key that opens was seen before, with other processes. */
  returns(key: string, members: Pick<ReadonlySet<string>, 'has'>): boolean {
    const seen = this.#seen.get(key);
    return seen !== undefined && ![...seen.members].some((member) => members.has(member));
  }

  /** After each recheck. */
  take({ opened, shown, closed, once }: Keys, nowMs: number): void {
    for (const [key, members] of opened) {
      if (this.returns(key, members)) this.#open.set(key, nowMs);
      this.#seen.delete(key);
    }
    for (const [key, atMs] of this.#open) if (shown.has(key) || atMs === null) this.#open.set(key, nowMs);
    for (const key of closed) {
      this.#open.delete(key);
      this.#see(key, { atMs: nowMs, members: NONE });
    }
    for (const [key, members] of once) this.#see(key, { atMs: nowMs, members });
    for (const key of this.#seen.keys()) {
      if (this.#seen.size <= MOST_KEYS) break;
      this.#seen.delete(key);
    }
  }

  /** Law or generation changed: earlier fails no longer confirm others. `learned`: what is open may have been learned. */
  forget(learned: boolean): void {
    if (learned) this.#open.clear();
    this.#seen.clear();
  }

  #see(key: string, seen: Seen): void {
    // Set again it is the newest.
    this.#seen.delete(key);
    this.#seen.set(key, seen);
  }
}

const isOver = (atMs: number, nowMs: number): boolean => nowMs - atMs >= RETURN_MS;
