/** The key of the baseline's digests: `baseline.key` of the state folder, so that the database alone proves nothing. */
import { randomBytes } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { replaceSecret } from '../base/private-file.ts';
import { openTrusted } from '../base/trusted-file.ts';

const keyName = 'baseline.key';
const keyBytes = 32;

/** The 32 bytes; null when there is no such file, or it is not a trusted secret of that length. */
export function readKey(folder: string): Uint8Array | null {
  const opened = openTrusted(join(folder, keyName), { secret: true });
  if (!opened.ok) return null;
  const { file, info } = opened;
  try {
    const key = Buffer.alloc(keyBytes);
    return info.size === keyBytes && readSync(file, key, 0, keyBytes, 0) === keyBytes ? key : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
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
