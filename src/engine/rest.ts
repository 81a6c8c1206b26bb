/**
 * The pause between rechecks. During many events rechecks take at most a fifth of the time; on a calm machine they start without a
 * pause, so that a process and the listener it opens are both reported at once.
 */

/** After a recheck the loop pauses for this many times its duration. */
export const REST = 4;
/** This much recheck time causes no pause. */
const CREDIT_MS = 40;
/** The longest pause; the remainder is added to the next ones. */
export const MOST_REST_MS = 5_000;

export class Rest {
  #owedMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** A recheck has ended. Monotonic ms at which the next one may start. */
  after(startedMs: number, endedMs: number): number {
    const restedMs = startedMs - this.#atMs;
    this.#owedMs = Math.max(0, this.#owedMs - restedMs / REST) + (endedMs - startedMs);
    this.#atMs = endedMs;
    return endedMs + Math.min(MOST_REST_MS, Math.max(0, this.#owedMs - CREDIT_MS) * REST);
  }
}
