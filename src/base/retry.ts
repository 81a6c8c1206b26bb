/** Pauses between tries. Imports nothing: the browser uses it too. */

/** After `failed` tries beyond the first: the pause doubles with each, up to the longest. */
export const backoffMs = (failed: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failed, 30));

/** Up to `share` more or less, so that many do not try at the same time. `chance`: 0 to 1. */
export const spreadMs = (ms: number, share: number, chance = Math.random()): number =>
  ms * (1 + share * (2 * chance - 1));

/** Counts the tries of one thing. */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #failed = 0;

  constructor(firstMs = 1000, longestMs = 5 * 60_000) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** Milliseconds to wait before the next try, a tenth more or less, and never more than the longest. */
  next(): number {
    return Math.min(
      this.#longestMs,
      spreadMs(backoffMs(this.#failed++, this.#firstMs, this.#longestMs), 0.1),
    );
  }

  /** It worked. */
  reset(): void {
    this.#failed = 0;
  }
}
