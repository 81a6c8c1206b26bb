/**
 * How long the young processes of a program have run, all together: an account that grows while a sample shows one of them, and
 * that shrinks by a sixtieth of the time. A program that is restarted again and again to stay young still reaches the limit.
 */
import { SETTLED_SEC } from '../checks/check.ts';

/** Long is what has run for so long. */
const LONG_MS = 60_000;
/** That shrinks to this within five minutes without a process: it does not come back any more. */
const SHORT_MS = 55_000;
/** A second in each minute is no running. */
const SHRINKS = 1 / 60;
/** Between two samples a process has run no longer than it may be young. */
const MOST_BETWEEN_MS = SETTLED_SEC * 1000;
/** Accounts that are kept: those that ran longest. */
const MOST = 1024;

interface Account {
  ranMs: number;
  atMs: number;
  long: boolean;
}

export class RunningTime {
  #accounts = new Map<string, Account>();
  /** What the last sample showed, and when. */
  #running: Iterable<string> = [];
  #sampleMs = 0;

  /** Takes a sample: keys of which young processes run, at this monotonic time. */
  take(running: Iterable<string>, nowMs: number): void {
    const ms = Math.min(nowMs - this.#sampleMs, MOST_BETWEEN_MS);
    for (const key of this.#running) this.#add(key, ms, nowMs);
    this.#running = running;
    this.#sampleMs = nowMs;
    if (this.#accounts.size > 2 * MOST) this.#keepLongest(nowMs);
  }

  /** Whether it has run long, and ran within the last five minutes. */
  isLong(key: string, nowMs: number): boolean {
    const account = this.#accounts.get(key);
    return account?.long === true && ranBy(account, nowMs) > SHORT_MS;
  }

  forget(): void {
    this.#accounts.clear();
    this.#running = [];
  }

  #add(key: string, ms: number, nowMs: number): void {
    const before = this.#accounts.get(key);
    const ranMs = Math.min(LONG_MS, (before === undefined ? 0 : ranBy(before, nowMs)) + ms);
    const long = ranMs >= LONG_MS || this.isLong(key, nowMs);
    this.#accounts.set(key, { ranMs, atMs: nowMs, long });
  }

  #keepLongest(nowMs: number): void {
    const sorted = [...this.#accounts].sort(([, a], [, b]) => ranBy(b, nowMs) - ranBy(a, nowMs));
    this.#accounts = new Map(sorted.slice(0, MOST).filter(([, account]) => ranBy(account, nowMs) > 0));
  }
}

const ranBy = ({ ranMs, atMs }: Account, nowMs: number): number =>
  Math.max(0, ranMs - (nowMs - atMs) * SHRINKS);
