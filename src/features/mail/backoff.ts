/** Growing pauses between tries, a little uneven so that many do not try at the same moment. */
const FIRST_MS = 1000;
const LONGEST_MS = 5 * 60_000;

export class Backoff {
  readonly #firstMs: number;
  #tries = 0;

  constructor(firstMs = FIRST_MS) {
    this.#firstMs = firstMs;
  }

  /** Milliseconds to wait before the next try. */
  next(): number {
    const ms = Math.min(LONGEST_MS, this.#firstMs * 2 ** this.#tries);
    this.#tries = Math.min(this.#tries + 1, 30);
    return ms * (1 - Math.random() / 5);
  }

  /** It worked. */
  reset(): void {
    this.#tries = 0;
  }
}
