/**
 * How long the loop rests between turns that events ask for. In a storm of events they may take a fifth of the time; what a
 * calm machine brings is looked at without a rest, so that a process and the listener it opens right away are both told at once.
 */

/** A turn is paid for by a rest of so many times its length. */
const REST = 4;
/** So much of turns is not paid for at once. */
const CREDIT_MS = 40;

export class Rest {
  #owedMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** A turn has ended. Monotonic ms at which the next one may start, a period later at most. */
  after(startedMs: number, endedMs: number, periodMs: number): number {
    const restedMs = startedMs - this.#atMs;
    this.#owedMs = Math.max(0, this.#owedMs - restedMs / REST) + (endedMs - startedMs);
    this.#atMs = endedMs;
    return endedMs + Math.min(periodMs, Math.max(0, this.#owedMs - CREDIT_MS) * REST);
  }
}
