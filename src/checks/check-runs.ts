/**
 * Runs the functions of checks: one that throws makes its own subjects blind and nothing else. Counts runs, time and errors of
 * each check. Pure: the clock and the log are arguments.
 */
import type { Blindness, Check } from './check.ts';

export interface CheckTotals {
  runs: number;
  /** Wall-clock time. */
  seconds: number;
  errors: number;
}

/** Judged by one native program for all checks together, so its time belongs to no single check. */
export const SHARED = 'batch';

const MOST_LOGGED = 256;
const MOST_MESSAGE = 200;

interface Log {
  error(details: object, message: string): void;
}

type Id = Pick<Check, 'id'>;

export class CheckRuns {
  readonly #nowMs: () => number;
  readonly #log: Log | undefined;
  readonly #logged = new Set<string>();
  readonly #totals = new Map<string, CheckTotals>();

  /** `nowMs`: a monotonic clock. `log` is called once per check and message; without it errors are thrown. */
  constructor(nowMs: () => number = () => 0, log?: Log) {
    this.#nowMs = nowMs;
    this.#log = log;
  }

  /** By check; `SHARED` has what cannot be attributed to one. */
  get totals(): ReadonlyMap<string, Readonly<CheckTotals>> {
    return this.#totals;
  }

  /** Null, or what to report when the check throws. */
  run(check: Id, work: () => void): Blindness | null {
    const startedMs = this.#nowMs();
    try {
      work();
      return null;
    } catch (error) {
      return this.failed(check, error);
    } finally {
      this.add(check, this.#nowMs() - startedMs);
    }
  }

  async wait(check: Id, work: () => Promise<void>): Promise<Blindness | null> {
    const startedMs = this.#nowMs();
    try {
      await work();
      return null;
    } catch (error) {
      return this.failed(check, error);
    } finally {
      this.add(check, this.#nowMs() - startedMs);
    }
  }

  /** Counts a run that was timed elsewhere. */
  add({ id }: Id, ms: number): void {
    const totals = this.#of(id);
    totals.runs++;
    totals.seconds += ms / 1000;
  }

  /** Counts and logs an error of a check. */
  failed({ id }: Id, error: unknown): Blindness {
    if (this.#log === undefined) throw error;
    this.#of(id).errors++;
    const message = messageOf(error);
    const key = `${id} ${message}`;
    if (!this.#logged.has(key) && this.#logged.size < MOST_LOGGED) {
      this.#logged.add(key);
      this.#log.error({ err: error, check: id }, 'a check failed');
    }
    const cure = 'this is a fault of Hostess Desk, please report it';
    return { reason: `the check failed: ${message}`, cure };
  }

  #of(id: string): CheckTotals {
    const totals = this.#totals.get(id) ?? { runs: 0, seconds: 0, errors: 0 };
    this.#totals.set(id, totals);
    return totals;
  }
}

/** One line without semicolons, as the reason of a blind subject is written. Anything can be thrown, also what has no text. */
function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error);
    return text.replaceAll(';', ',').replace(/\s+/g, ' ').trim().slice(0, MOST_MESSAGE);
  } catch {
    return 'an error without text';
  }
}
