/** The key of the baseline's digests: `baseline.key` of the state folder, so that the database alone proves nothing. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { replaceSecret } from '../base/private-file.ts';
import { readTrusted } from '../base/trusted-file.ts';

const keyName = 'baseline.key';
const keyBytes = 32;

/** The 32 bytes; null when there is no such file, or it is not a trusted secret of that length. */
export function readKey(folder: string): Uint8Array | null {
  const read = readTrusted(join(folder, keyName), keyBytes, { secret: true });
  return read.ok && read.bytes.length === keyBytes ? read.bytes : null;
}

/** The key that stands, made when there is none. Throws what the system says when it cannot be written. */
export function keepKey(folder: string): Uint8Array {
  const held = readKey(folder);
  if (held !== null) return held;
  const key = randomBytes(keyBytes);
  replaceSecret(join(folder, keyName), key);
  return key;
}
