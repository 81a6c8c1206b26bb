/**
 * The pause between rechecks that events start. On a calm machine there is none, so that a process and the listener it opens are both
 * reported at once. While events keep coming, rechecks follow each other at an interval in which a process that lives a tenth of a
 * second is still seen; when they take too long for that, they use a fifth of the time.
 */

/** The pause while events keep coming. */
const USUAL_MS = 75;
/** Rechecks without a pause take at most a hundredth of the time. */
const FREE = 100;
/** In any case rechecks are followed by this many times their duration. */
const LEAST = 4;
/** This much recheck time causes no pause. */
const CREDIT_MS = 10;
/** The longest pause; the remainder is added to the next ones. */
export const MOST_REST_MS = 5_000;

/** No event waits longer than this for the next recheck, where the last one took so long and earlier ones no longer. */
export const pauseAfterMs = (tookMs: number): number =>
  Math.min(MOST_REST_MS, Math.max(USUAL_MS, tookMs * LEAST));

export class Rest {
  /** Recheck time that causes no pause yet; negative = a pause is due. */
  #creditMs = CREDIT_MS;
  /** Pause that is due in any case. */
  #dueMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** A recheck has ended. Monotonic ms at which the next one may start. */
  after(startedMs: number, endedMs: number): number {
    const restedMs = startedMs - this.#atMs;
    const tookMs = endedMs - startedMs;
    this.#atMs = endedMs;
    const creditMs = Math.min(CREDIT_MS, this.#creditMs + restedMs / FREE) - tookMs;
    this.#creditMs = Math.max(creditMs, -USUAL_MS / FREE);
    this.#dueMs = Math.max(0, this.#dueMs - restedMs) + tookMs * LEAST;
    const pauseMs = Math.max(this.#creditMs < 0 ? USUAL_MS : 0, this.#dueMs - CREDIT_MS * LEAST);
    return endedMs + Math.min(MOST_REST_MS, pauseMs);
  }
}
