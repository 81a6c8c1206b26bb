/**
 * Ids of findings as the remote listener shows them. The id of a finding is a digest of what it is about, so whoever may read it
 * can test guesses of a path. A keyed one tells nothing: HMAC-SHA-256 (RFC 2104) with 32 random bytes that stay in the state folder.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { codeText } from '../../base/error-code.ts';
import { replaceSecret } from '../../base/private-file.ts';
import { faultText, readTrusted } from '../../base/trusted-file.ts';

export const FILE = 'remote.ids';
const KEY_BYTES = 32;
/** Hexadecimal digits of an id, as many as that of a finding has. */
const ID_LENGTH = 16;

export class FindingIds {
  readonly #path: string;
  readonly #log: Logger;
  #key: Buffer | null = null;
  #unstored = '';
  #unread = '';

  constructor(folder: string, log: Logger) {
    this.#path = join(folder, FILE);
    this.#log = log;
  }

  /** Why the ids are not, or will not be, those of other starts, and what to do; "" when they are. */
  get trouble(): string {
    if (this.#unread !== '')
      return `${FILE} ${this.#unread}, so the ids of findings on the remote listener are others until it can be read`;
    return this.#unstored === ''
      ? ''
      : `${FILE} cannot be written (${this.#unstored}), so the ids of findings on the remote listener change with the next start: make the state folder writable`;
  }

  /** The shown id: the same for the same finding while the key is kept. The first call reads the key, or makes it. */
  shown(id: string): string {
    this.#key ??= this.#stored() ?? (this.#unread === '' ? this.#made() : randomBytes(KEY_BYTES));
    return createHmac('sha256', this.#key).update(id).digest('hex').slice(0, ID_LENGTH);
  }

  /** Reads a key that could not be read, or stores one that could not be stored. */
  refresh(): void {
    if (this.#unread !== '') this.#key = this.#stored() ?? (this.#unread === '' ? this.#made() : this.#key);
    else if (this.#unstored !== '' && this.#key !== null) this.#store(this.#key);
  }

  #stored(): Buffer | null {
    const read = readTrusted(this.#path, KEY_BYTES, { secret: true });
    // The file may be in order: what fails now, such as a lack of descriptors, may pass.
    this.#unread = !read.ok && read.fault.kind === 'unreadable' ? faultText(read.fault) : '';
    if (this.#unread !== '') return null;
    if (read.ok && read.bytes.length === KEY_BYTES) return read.bytes;
    if (read.ok || read.fault.kind !== 'absent')
      this.#log.warn(
        `${FILE} ${read.ok ? `is damaged; a key has ${KEY_BYTES} bytes` : faultText(read.fault)}: another key is made, and the remote listener shows other ids of findings`,
      );
    return null;
  }

  #made(): Buffer {
    const key = randomBytes(KEY_BYTES);
    this.#store(key);
    return key;
  }

  #store(key: Buffer): void {
    try {
      replaceSecret(this.#path, key);
      this.#unstored = '';
    } catch (error) {
      const code = codeText(error);
      if (this.#unstored !== code) this.#log.warn({ code }, `${FILE} cannot be written`);
      this.#unstored = code;
    }
  }
}
