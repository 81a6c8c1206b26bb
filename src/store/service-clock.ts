/**
 * How long the service has run on this state folder, all runs together, in whole seconds. It counts by CLOCK_MONOTONIC
 * (clock_gettime(2)), so a wall clock that is set forward or back ages nothing. A kill loses what was counted since the last write.
 */
import type { Database } from './database.ts';

const KEY = 'service_sec';

export class ServiceClock {
  readonly #db: Database;
  readonly #clockMs: () => number;
  readonly #startMs: number;
  readonly #before: number;

  /** `clockMs`: milliseconds of a monotonic clock. */
  constructor(database: Database, clockMs: () => number) {
    this.#db = database;
    this.#clockMs = clockMs;
    this.#startMs = clockMs();
    const [row] = database.all<{ readonly value: string }>('SELECT value FROM meta WHERE key = ?', KEY);
    const before = Number(row?.value ?? 0);
    this.#before = Number.isSafeInteger(before) && before > 0 ? before : 0;
  }

  get seconds(): number {
    return this.#before + Math.max(0, Math.floor((this.#clockMs() - this.#startMs) / 1000));
  }

  /** Called within a transaction. */
  save(): void {
    this.#db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', KEY, String(this.seconds));
  }
}
