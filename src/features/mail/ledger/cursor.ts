/** Cursors of the people ledger: where a page ended, sealed, so that only those that were given out are taken. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { LONGEST_CURSOR, type PeopleQuery } from '../../../records/ledger.ts';

/** The order's value of the last person, and their id. */
interface Position {
  readonly value: number | string;
  readonly id: number;
}

const SEAL_BYTES = 12;

type Asked = Pick<PeopleQuery, 'q' | 'sort' | 'open'>;

const sealOf = (key: string, { q, sort, open }: Asked, body: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['cursor', q, sort, open]))
    .update('\0')
    .update(body)
    .digest()
    .subarray(0, SEAL_BYTES);

export function cursorOf(key: string, asked: Asked, { value, id }: Position): string {
  const body = Buffer.from(JSON.stringify([value, id]), 'utf8');
  return Buffer.concat([sealOf(key, asked, body), body]).toString('base64url');
}

/** Null for what was not given out for this very query by this ledger. */
export function positionOf(key: string, asked: Asked, cursor: string): Position | null {
  if (cursor.length > LONGEST_CURSOR || !/^[\w-]+$/.test(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(SEAL_BYTES);
  if (bytes.length <= SEAL_BYTES || !timingSafeEqual(bytes.subarray(0, SEAL_BYTES), sealOf(key, asked, body)))
    return null;
  // Bits that fill up the last character are not sealed.
  if (bytes.toString('base64url') !== cursor) return null;
  const [value, id] = JSON.parse(body.toString('utf8')) as [number | string, number];
  return { value, id };
}
