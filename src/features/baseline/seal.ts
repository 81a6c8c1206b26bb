/** The keyed digest of a generation, and its key: `baseline.key` of the state folder, so that the database alone proves nothing. */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { replaceSecret } from '../../base/private-file.ts';
import { readTrusted } from '../../base/trusted-file.ts';
import type { BaselineRow, Generation } from './rows.ts';

type Sealed = Pick<Generation, 'number' | 'parent' | 'privilege' | 'learnedAt' | 'how'>;

/** Rows in the order that the digest takes them: by kind, then by the bytes of the key. */
const inOrder = <Row extends Pick<BaselineRow, 'kind' | 'key'>>(rows: Iterable<Row>): Row[] =>
  [...rows].sort((a, b) => (a.kind === b.kind ? Buffer.compare(a.key, b.key) : a.kind < b.kind ? -1 : 1));

/** HMAC-SHA256, 64 hex digits. Parts are prefixed with their length (8 bytes, big endian); the parent's digest chains generations. */
export function sealOf(
  key: Uint8Array,
  parentDigest: string,
  generation: Sealed,
  rows: Iterable<BaselineRow>,
): string {
  const mac = createHmac('sha256', key);
  const put = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.byteLength));
    mac.update(length).update(bytes);
  };
  const { number, parent, privilege, learnedAt, how } = generation;
  const head = ['desk baseline 1', parentDigest, `${number}`, `${parent}`, privilege, learnedAt, how];
  for (const part of head) put(part);
  for (const { kind, key: rowKey, text, detail, review } of inOrder(rows))
    for (const part of [kind, rowKey, text, detail, review ? 'review' : '']) put(part);
  return mac.digest('hex');
}

const keyName = 'baseline.key';
const keyBytes = 32;

/** The 32 bytes; null when the file is missing, or is not a trusted secret of that length. */
export function readKey(folder: string): Uint8Array | null {
  const read = readTrusted(join(folder, keyName), keyBytes, { secret: true });
  return read.ok && read.bytes.length === keyBytes ? read.bytes : null;
}

/** The present key, made when there is none. Throws what the system says when it cannot be written. */
export function keepKey(folder: string): Uint8Array {
  const held = readKey(folder);
  if (held !== null) return held;
  const key = randomBytes(keyBytes);
  replaceSecret(join(folder, keyName), key);
  return key;
}
