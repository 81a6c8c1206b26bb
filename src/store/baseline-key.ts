/** The key of the baseline's digests: `baseline.key` of the state folder, so that the database alone proves nothing. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { replaceSecret } from './secret-file.ts';

const keyName = 'baseline.key';
const keyBytes = 32;

/** The 32 bytes; null when there is no such file, or one that is not a 0600 file of ours and of that length. */
export function readKey(folder: string): Uint8Array | null {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = openSync(join(folder, keyName), flags);
    try {
      const info = fstatSync(file);
      const trusted = info.isFile() && info.uid === process.geteuid?.() && (info.mode & 0o077) === 0;
      if (!trusted || info.size !== keyBytes) return null;
      const key = Buffer.alloc(keyBytes);
      return readSync(file, key, 0, keyBytes, 0) === keyBytes ? key : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** The key that stands, made when there is none. Throws what the system says when it cannot be written. */
export function keepKey(folder: string): Uint8Array {
  const held = readKey(folder);
  if (held !== null) return held;
  const key = randomBytes(keyBytes);
  replaceSecret(join(folder, keyName), key);
  return key;
}
