/** Facts that are read beside the sweeps because reading them may block: sensors, the host's files, executables. */
import { constants } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { atMost } from '../base/promises.ts';
import { EVERY_MS } from './bounds.ts';
import type { Refusal } from './native/types.ts';

/** The refusal in the place of what did not answer in time. */
export const late = (source: string): Refusal => ({
  errno: constants.errno.ETIMEDOUT,
  code: 'ETIMEDOUT',
  source,
});

/** A value, the same object while it is equal, and when its reading began (monotonic ms). */
interface Read<T> {
  readonly value: T;
  readonly atMs: number;
}

interface ReadingOptions<T, Of> {
  /** One reading, on a thread of its own; a promise that may never settle. */
  readonly read: (of: Of) => Promise<T>;
  /** A value younger than this is not read again. */
  readonly everyMs: number;
  /** How long the first value, or one that must be new, is waited for. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2000;
/** How long a value that only got old is waited for: one that takes longer is taken by a later sweep. */
const SHORTLY_MS = 20;

/** One fact that is read repeatedly, by one reading at a time. While that hangs no caller waits, and a value too old is unknown. */
export class Reading<T, Of = void> {
  readonly #options: ReadingOptions<T, Of>;
  #last: Read<T> | null = null;
  #running: { readonly done: Promise<void>; readonly sinceMs: number } | null = null;

  constructor(options: ReadingOptions<T, Of>) {
    this.#options = options;
  }

  /**
   * The newest value, null where there is none that holds; without a promise where that is known at once. `again` asks for one whose
   * reading begins after this call. Never rejects.
   */
  take(of: Of, again = false): Read<T> | null | Promise<Read<T> | null> {
    const young = again ? null : this.#since(performance.now() - this.#options.everyMs);
    return young ?? this.#take(of, again);
  }

  async #take(of: Of, again: boolean): Promise<Read<T> | null> {
    const { patienceMs = PATIENCE_MS } = this.#options;
    const askedMs = performance.now();
    const waitMs = again || this.#last === null ? patienceMs : SHORTLY_MS;
    // What runs already began before this call.
    if (again) await this.#wait(waitMs);
    this.#running ??= { done: this.#read(of), sinceMs: performance.now() };
    await this.#wait(waitMs);
    return this.#since(again ? askedMs : performance.now() - EVERY_MS.holds);
  }

  #since(ms: number): Read<T> | null {
    return this.#last !== null && this.#last.atMs >= ms ? this.#last : null;
  }

  /** However many wait, a reading is waited for this long after it began, and no longer. */
  async #wait(waitMs: number): Promise<void> {
    if (this.#running === null) return;
    const { done, sinceMs } = this.#running;
    const leftMs = waitMs - (performance.now() - sinceMs);
    if (leftMs > 0) await atMost(done, leftMs);
  }

  async #read(of: Of): Promise<void> {
    const atMs = performance.now();
    // Never settles before `#running` is set.
    await null;
    try {
      const value = await this.#options.read(of);
      const before = this.#last?.value;
      this.#last = { value: before !== undefined && isDeepStrictEqual(value, before) ? before : value, atMs };
    } catch {
      this.#last = null;
    } finally {
      this.#running = null;
    }
  }
}
