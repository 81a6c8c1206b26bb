/** Wrong tokens and codes: limited by caller, and logged together. A right one is answered whatever others send. */
import type { Logger } from 'pino';
import { Problem } from './errors.ts';
import { CHALLENGE } from './headers.ts';
import { type RateLimit, RateLimiter } from './rate.ts';

/** Of one caller. */
export const WRONG_TOKENS: RateLimit = { burst: 10, perSecond: 0.2 };
/** Time between two lines of the log. */
const LOG_MS = 60_000;

/** Those of one listener or operation, over reloads. */
export class WrongTokens {
  readonly #where: string;
  readonly #rate = new RateLimiter(WRONG_TOKENS);
  #count = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;

  /** `where`: what they were sent to, for the log. */
  constructor(where: string) {
    this.#where = where;
  }

  /** `caller`: as limits count it; `from`: as the log names it. @throws Problem, always. */
  refuse(
    log: Logger,
    { caller, from = caller }: { readonly caller: string; readonly from?: string },
    detail: string,
    headers: Readonly<Record<string, string>> = {},
  ): never {
    const waitSec = this.#rate.take(caller);
    this.#note(log, from);
    if (waitSec > 0)
      throw new Problem('too-many', `Too many wrong tokens. Ask again in ${waitSec} s.`, {
        headers: { 'Retry-After': String(waitSec), ...headers },
      });
    throw new Problem('token-required', detail, { headers: { ...CHALLENGE, ...headers } });
  }

  #note(log: Logger, from: string): void {
    this.#count += 1;
    const now = performance.now();
    if (now - this.#loggedMs < LOG_MS) return;
    log.warn({ from, count: this.#count }, `wrong tokens ${this.#where}`);
    this.#loggedMs = now;
    this.#count = 0;
  }
}
