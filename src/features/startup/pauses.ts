/** Pauses between readings. In the long run reading takes at most one twentieth of the time, unless single readings take more than 3 s. Pure. */

/** The pause after a reading, as a multiple of what it took. */
const REST = 20;
/** The longest pause, ms. */
const MOST_REST_MS = 60_000;

export class Pauses {
  readonly #freeMs: number;
  #owedMs = 0;
  #sinceMs = 0;

  /** `freeMs`: time of reading that needs no pause yet. */
  constructor(freeMs: number) {
    this.#freeMs = freeMs;
  }

  /** A reading of `tookMs` has ended at `nowMs`. */
  took(tookMs: number, nowMs: number): void {
    this.#owedMs = Math.min(this.#owed(nowMs) + tookMs, this.#freeMs + MOST_REST_MS / REST);
    this.#sinceMs = nowMs;
  }

  /** When the next one may begin: `nowMs` or later. */
  untilMs(nowMs: number): number {
    return nowMs + Math.max(0, this.#owed(nowMs) - this.#freeMs) * REST;
  }

  #owed(nowMs: number): number {
    return Math.max(0, this.#owedMs - (nowMs - this.#sinceMs) / REST);
  }
}
