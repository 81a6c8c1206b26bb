/** A token bucket per asker (security rule 8): POST costs one drop, drops come back at a steady rate. */

export interface RateLimit {
  /** Requests at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export const POST_LIMIT: RateLimit = { burst: 30, perSecond: 10 };

/** Askers remembered; beyond it the one that asked longest ago is forgotten. */
const MAX_ASKERS = 4096;

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  readonly #askers = new Map<string, { drops: number; at: number }>();

  constructor(limit: RateLimit, now = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** 0 when the request may pass, else the whole seconds to wait (at least 1). */
  take(asker: string): number {
    const { burst, perSecond } = this.#limit;
    const at = this.#now();
    const known = this.#askers.get(asker);
    const drops =
      known === undefined ? burst : Math.min(burst, known.drops + ((at - known.at) / 1000) * perSecond);
    this.#askers.delete(asker);
    this.#askers.set(asker, { drops: drops >= 1 ? drops - 1 : drops, at });
    if (this.#askers.size > MAX_ASKERS) this.#askers.delete(this.#askers.keys().next().value as string);
    return drops >= 1 ? 0 : Math.max(1, Math.ceil((1 - drops) / perSecond));
  }
}
