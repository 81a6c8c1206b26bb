/** Wrong tokens and codes: limited by caller, and logged together. A right one is answered whatever others send. */
import type { Logger } from 'pino';
import { Problem } from './errors.ts';
import { CHALLENGE } from './headers.ts';
import { type RateLimit, RateLimiter } from './rate.ts';

/** Of one caller. */
export const WRONG_TOKENS: RateLimit = { burst: 10, perSecond: 0.2 };
/** Time between two lines of the log. */
const LOG_MS = 60_000;
/** Callers that a line names. */
const MOST_NAMED = 16;

/** Those of one listener or operation, over reloads. */
export class WrongTokens {
  readonly #where: string;
  readonly #rate = new RateLimiter(WRONG_TOKENS);
  readonly #from = new Set<string>();
  #count = 0;
  #waits: NodeJS.Timeout | null = null;

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

  /** The first one is logged at once, the others of the same minute at its end. */
  #note(log: Logger, from: string): void {
    this.#count += 1;
    if (this.#from.size < MOST_NAMED) this.#from.add(from);
    if (this.#waits === null) this.#write(log);
  }

  #write(log: Logger): void {
    this.#waits = null;
    if (this.#count === 0) return;
    log.warn({ from: [...this.#from], count: this.#count }, `wrong tokens ${this.#where}`);
    this.#count = 0;
    this.#from.clear();
    this.#waits = setTimeout(() => this.#write(log), LOG_MS).unref();
  }
}
