/**
 * How long the loop rests between turns, whatever asks for the next one: an event or the period, however short that is. In a storm
 * turns may take a fifth of the time; what a calm machine brings is looked at without a rest, so that a process and the listener it
 * opens right away are both told at once.
 */

/** A turn is paid for by a rest of so many times its length. */
export const REST = 4;
/** So much of turns is not paid for at once. */
const CREDIT_MS = 40;
/** No single rest is longer; what is owed beyond it is paid for by the rests that follow. */
export const MOST_REST_MS = 5_000;

export class Rest {
  #owedMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** A turn has ended. Monotonic ms at which the next one may start. */
  after(startedMs: number, endedMs: number): number {
    const restedMs = startedMs - this.#atMs;
    this.#owedMs = Math.max(0, this.#owedMs - restedMs / REST) + (endedMs - startedMs);
    this.#atMs = endedMs;
    return endedMs + Math.min(MOST_REST_MS, Math.max(0, this.#owedMs - CREDIT_MS) * REST);
  }
}
