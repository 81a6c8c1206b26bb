/** Bearer tokens, and the single-use codes that pages exchange for one (security rule 4). All in memory. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Grant } from '../desk/context.ts';

export const CODE_LIFE_MS = 60_000;
const MAX_CODES = 16;
const MAX_SESSIONS = 64;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const fresh = (): string => randomBytes(32).toString('base64url');

export class Tokens {
  readonly #grants: { readonly digest: Buffer; readonly grant: Grant }[] = [];
  readonly #sessions: Buffer[] = [];
  readonly #codes: { readonly digest: Buffer; readonly until: number }[] = [];
  readonly #now: () => number;

  /** `now` is a monotonic clock in milliseconds. An empty token grants nothing. */
  constructor(text: { readonly control: string; readonly mail: string }, now = () => performance.now()) {
    this.#now = now;
    if (text.control !== '') this.#grants.push({ digest: digest(text.control), grant: 'control' });
    if (text.mail !== '') this.#grants.push({ digest: digest(text.mail), grant: 'people' });
  }

  /** What an `Authorization` header grants, null for none. Every token is compared, each in constant time. */
  granted(authorization: string | undefined): Grant | null {
    if (authorization === undefined) return null;
    const token = /^bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1];
    if (token === undefined) return null;
    const asked = digest(token);
    let found: Grant | null = null;
    for (const { digest: known, grant } of this.#grants) if (timingSafeEqual(asked, known)) found = grant;
    for (const known of this.#sessions) if (timingSafeEqual(asked, known)) found = 'control';
    return found;
  }

  /** A single-use code, good for 60 s. The oldest code gives way when there are too many. */
  issueCode(): string {
    const code = fresh();
    if (this.#codes.length >= MAX_CODES) this.#codes.shift();
    this.#codes.push({ digest: digest(code), until: this.#now() + CODE_LIFE_MS });
    return code;
  }

  /** Exchanges a code, or the control token, for a session token; null when it is unknown, used or too old. */
  redeem(code: string): string | null {
    if (!this.#takes(code) && this.granted(`Bearer ${code}`) !== 'control') return null;
    const token = fresh();
    if (this.#sessions.length >= MAX_SESSIONS) this.#sessions.shift();
    this.#sessions.push(digest(token));
    return token;
  }

  #takes(code: string): boolean {
    const asked = digest(code);
    const at = this.#codes.findIndex((known) => timingSafeEqual(asked, known.digest));
    const [found] = at < 0 ? [] : this.#codes.splice(at, 1);
    return found !== undefined && this.#now() <= found.until;
  }
}
