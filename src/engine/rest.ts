/**
 * The pause between rechecks that events start. On a calm machine there is none, so that a process and the listener it opens are both
 * reported at once. While events keep coming, rechecks use a thirtieth of the time as long as a process that lives a tenth of a second
 * is still seen; when rechecks take too long for that, a fifth.
 */

/** A pause takes this many times the recheck, but for it no longer than `MOST_USUAL_MS`. */
const USUAL = 30;
const MOST_USUAL_MS = 75;
/** In any case rechecks are followed by this many times their duration. */
const LEAST = 4;
/** This much recheck time causes no pause. */
const CREDIT_MS = 10;
/** The longest pause; the remainder is added to the next ones. */
export const MOST_REST_MS = 5_000;

/** No event waits longer than this for the next recheck, where the last one took so long and earlier ones no longer. */
export const pauseAfterMs = (tookMs: number): number =>
  Math.min(MOST_REST_MS, Math.max(MOST_USUAL_MS, tookMs * LEAST));

export class Rest {
  /** Recheck time that causes no usual pause yet; negative = a pause is due for it. */
  #creditMs = CREDIT_MS;
  /** Pause that is due in any case. */
  #dueMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** A recheck has ended. Monotonic ms at which the next one may start. */
  after(startedMs: number, endedMs: number): number {
    const restedMs = startedMs - this.#atMs;
    const tookMs = endedMs - startedMs;
    this.#atMs = endedMs;
    const creditMs = Math.min(CREDIT_MS, this.#creditMs + restedMs / USUAL) - tookMs;
    this.#creditMs = Math.max(creditMs, -MOST_USUAL_MS / USUAL);
    this.#dueMs = Math.max(0, this.#dueMs - restedMs) + tookMs * LEAST;
    const pauseMs = Math.max(0, -this.#creditMs * USUAL, this.#dueMs - CREDIT_MS * LEAST);
    return endedMs + Math.min(MOST_REST_MS, pauseMs);
  }
}
