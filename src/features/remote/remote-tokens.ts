/**
 * The read-only tokens of other machines. A token is `desk_` and 32 random bytes in base64url; only its SHA-256 is kept, in
 * `remote.tokens` of the state folder (0600). A revoked token is invalid at once, whether or not the file can be written.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { codeText } from '../../base/error-code.ts';
import { replaceSecret } from '../../base/private-file.ts';
import { faultText, readTrusted } from '../../base/trusted-file.ts';
import type { TokenEntry } from './api.ts';

export const FILE = 'remote.tokens';
/** Tokens at once, expired ones included. */
export const MOST_TOKENS = 64;
const MOST_BYTES = 64 * 1024;
const PREFIX = 'desk_';
const FORM = /^desk_[A-Za-z0-9_-]{43}$/;
/** How exactly the last use is known, and how often at most it is written for that alone. */
const USED_MS = 60_000;
const FLUSH_MS = 3_600_000;
/** How often the ends of tokens that are in use are checked. */
const CHECK_MS = 500;
/** How long an expired token is still listed. */
const LISTED_MS = 30 * 86_400_000;

const time = z.int().min(0).max(8.64e15);
const storedSchema = z.strictObject({
  version: z.literal(1),
  tokens: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[0-9a-f]{8}$/),
        name: z.string().min(1).max(64),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        made_ms: time,
        expires_ms: time,
        used_ms: time.nullable(),
      }),
    )
    .max(MOST_TOKENS),
});

interface Held {
  readonly id: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly madeMs: number;
  readonly expiresMs: number;
  usedMs: number | null;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export class RemoteTokens {
  readonly #path: string;
  readonly #now: () => number;
  #held: Held[] = [];
  /** Callbacks that close a client's connections, by token id. */
  readonly #ends = new Map<string, Set<() => void>>();
  #checks: NodeJS.Timeout | undefined;
  /** Why the file cannot be read; "" when it can. */
  #damage = '';
  /** There was no file when it was last read. */
  #absent = false;
  /** Revoked, but still in the file: a restart would accept them again. */
  readonly #unwritten = new Map<string, Held>();
  #flushedAt: number;
  #usedSince = false;

  /** `now`: milliseconds since the epoch. */
  constructor(folder: string, log: Logger, now: () => number = Date.now) {
    this.#path = join(folder, FILE);
    this.#now = now;
    this.#flushedAt = now();
    this.#read();
    if (this.#damage !== '') log.warn(this.#damage);
  }

  /** Why tokens are not as they should be, as what happened and what to do; "" when they are. */
  get trouble(): string {
    if (this.#damage !== '') return this.#damage;
    if (this.#unwritten.size === 0) return '';
    const names = [...this.#unwritten.values()].map(({ name }) => name).join(', ');
    return `${FILE} cannot be written, so the revoked tokens (${names}) would be valid again after a restart: make the state folder writable`;
  }

  list(): readonly TokenEntry[] {
    const now = this.#now();
    return this.#held.map(({ digest: _, ...held }) => ({ ...held, expired: held.expiresMs <= now }));
  }

  /** Makes a token, which is known to the caller alone. @throws DeskError when it cannot be stored, or its name is in use. */
  make(name: string, forMs: number): { readonly token: string; readonly entry: TokenEntry } {
    if (this.#absent) this.#read();
    this.#usable();
    const now = this.#now();
    const kept = this.#held.filter(
      (one) => now - one.expiresMs < LISTED_MS && !(one.name === name && one.expiresMs <= now),
    );
    if (kept.some((one) => one.name === name))
      throw new DeskError(
        'refused',
        `A token named "${name}" exists`,
        `Revoke it with "desk token revoke ${name}", or choose another name.`,
      );
    if (kept.length >= MOST_TOKENS)
      throw new DeskError(
        'refused',
        `There are ${MOST_TOKENS} tokens already`,
        'Revoke those that are not used: "desk token list".',
      );
    const token = PREFIX + randomBytes(32).toString('base64url');
    const held: Held = {
      id: freshId(kept),
      name,
      digest: digestOf(token),
      madeMs: now,
      expiresMs: now + forMs,
      usedMs: null,
    };
    const next = [...kept, held];
    const code = this.#write(next);
    if (code !== '')
      throw new DeskError(
        'refused',
        `The file ${this.#path} cannot be written (${code}): no token was made`,
        'Make the state folder writable, and make the token again.',
      );
    this.#held = next;
    const { digest: _, ...entry } = held;
    return { token, entry: { ...entry, expired: false } };
  }

  /** Ends a token by its id or name, with everything that uses it. @throws DeskError when there is none, or it is still in the file. */
  revoke(which: string): TokenEntry {
    this.#usable();
    const matches = ({ id, name }: Held): boolean => id === which || name === which;
    const found = this.#held.find(matches) ?? [...this.#unwritten.values()].find(matches);
    if (found === undefined)
      throw new DeskError('not-found', 'No token has this id or name', 'See "desk token list".');
    // Memory first: what cannot be written must not keep a token alive.
    this.#held = this.#held.filter((one) => one !== found);
    this.#unwritten.set(found.id, found);
    this.#end(found.id);
    const code = this.#write(this.#held);
    if (code !== '')
      throw new DeskError(
        'refused',
        `The token "${found.name}" is invalid from now on, but ${this.#path} cannot be written (${code}): it would be valid again after a restart`,
        'Make the state folder writable; the desk then writes the file by itself within 30 s, or at once when you revoke the token again.',
      );
    const { digest: _, ...entry } = found;
    return { ...entry, expired: found.expiresMs <= this.#now() };
  }

  /** See `RemoteAccess`. Every digest is compared, each in constant time. */
  idOf(text: string): string | null {
    if (!FORM.test(text)) return null;
    const asked = digestOf(text);
    let found: Held | undefined;
    for (const one of this.#held) if (timingSafeEqual(asked, one.digest)) found = one;
    const now = this.#now();
    if (found === undefined || found.expiresMs <= now) return null;
    if (found.usedMs === null || Math.abs(now - found.usedMs) >= USED_MS) {
      found.usedMs = now;
      this.#usedSince = true;
    }
    return found.id;
  }

  hold(id: string, end: () => void): () => void {
    let ends = this.#ends.get(id);
    if (ends === undefined) {
      ends = new Set();
      this.#ends.set(id, ends);
    }
    ends.add(end);
    this.#checks ??= setInterval(() => this.#endExpired(), CHECK_MS).unref();
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#ends.get(id) === ends) this.#ends.delete(id);
      if (this.#ends.size === 0) this.#stopChecks();
    };
  }

  /** Writes what could not be written, and now and then when tokens were last used. */
  refresh(): void {
    if (this.#damage !== '' || this.#absent) this.#read();
    const due = this.#usedSince && this.#now() - this.#flushedAt >= FLUSH_MS;
    if (this.#damage === '' && (this.#unwritten.size > 0 || due)) this.#write(this.#held);
  }

  close(): void {
    if (this.#damage === '' && (this.#usedSince || this.#unwritten.size > 0)) this.#write(this.#held);
    for (const id of [...this.#ends.keys()]) this.#end(id);
  }

  #end(id: string): void {
    const ends = this.#ends.get(id);
    this.#ends.delete(id);
    for (const end of ends ?? []) end();
    if (this.#ends.size === 0) this.#stopChecks();
  }

  #endExpired(): void {
    const now = this.#now();
    for (const id of [...this.#ends.keys()]) {
      const held = this.#held.find((one) => one.id === id);
      if (held === undefined || held.expiresMs <= now) this.#end(id);
    }
  }

  #stopChecks(): void {
    clearInterval(this.#checks);
    this.#checks = undefined;
  }

  #usable(): void {
    if (this.#damage !== '') throw new DeskError('refused', this.#damage, '');
  }

  #read(): void {
    const read = readTrusted(this.#path, MOST_BYTES, { secret: true });
    if (!read.ok) {
      this.#absent = read.fault.kind === 'absent';
      this.#damage = this.#absent
        ? ''
        : `${FILE} ${faultText(read.fault)}; no token of another machine is valid until then`;
      return;
    }
    [this.#absent, this.#damage] = [false, ''];
    try {
      const { tokens } = storedSchema.parse(JSON.parse(read.bytes.toString('utf8')));
      this.#held = tokens.map(({ id, name, sha256, made_ms, expires_ms, used_ms }) => ({
        ...{ id, name, digest: Buffer.from(sha256, 'hex') },
        ...{ madeMs: made_ms, expiresMs: expires_ms, usedMs: used_ms },
      }));
    } catch {
      this.#damage = `${FILE} is damaged, so no token of another machine is valid: delete ${this.#path} and make new tokens`;
    }
  }

  /** "" or the error code. */
  #write(held: readonly Held[]): string {
    const tokens = held.map(({ id, name, digest, madeMs, expiresMs, usedMs }) => ({
      ...{ id, name, sha256: digest.toString('hex') },
      ...{ made_ms: madeMs, expires_ms: expiresMs, used_ms: usedMs },
    }));
    try {
      replaceSecret(this.#path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
    } catch (error) {
      return codeText(error);
    }
    this.#absent = false;
    this.#unwritten.clear();
    this.#usedSince = false;
    this.#flushedAt = this.#now();
    return '';
  }
}

function freshId(held: readonly Held[]): string {
  for (;;) {
    const id = randomBytes(4).toString('hex');
    if (!held.some((one) => one.id === id)) return id;
  }
}
