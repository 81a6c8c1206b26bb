/** Keys of messages that were counted: each counts once. */
import type { Database } from '../../../store/database.ts';
import { KEY_BYTES, type Messages } from './types.ts';

const NUMBERED =
  'WITH RECURSIVE numbered (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbered WHERE n + 1 < ?2)';
const KEY = `substr(?1, n * ${KEY_BYTES} + 1, ${KEY_BYTES})`;
const INSERT = `${NUMBERED} INSERT OR IGNORE INTO messages SELECT ${KEY} FROM numbered ORDER BY 1`;
const FIND = `${NUMBERED} SELECT group_concat(n) FROM numbered WHERE EXISTS (SELECT 1 FROM messages WHERE key = ${KEY})`;

interface Fresh {
  /** Rows of messages that name people and are counted now. */
  readonly rows: readonly number[];
  /** How many would count if there were room. */
  readonly leftOut: number;
}

const keyAt = (keys: Uint8Array, row: number): Uint8Array =>
  keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES);

/** Rows of messages that name people: the others do not count. */
function naming({ times, ends }: Messages): number[] {
  const rows: number[] = [];
  let before = 0;
  for (let row = 0; row < times.length; row += 1) {
    const end = ends[3 * row + 2] as number;
    if (end > before) rows.push(row);
    before = end;
  }
  return rows;
}

/** Remembers the messages that were not counted before, at most so many. Within a transaction. @throws RangeError for keys of another length */
export function countFresh(database: Database, messages: Messages, room: number): Fresh {
  const { keys, times } = messages;
  if (keys.length !== times.length * KEY_BYTES) throw new RangeError(`a message key has ${KEY_BYTES} bytes`);
  const rows = naming(messages);
  // Usually all are new: trying costs less than searching for them.
  if (rows.length <= room && allNew(database, keysOf(keys, rows), rows.length)) return { rows, leftOut: 0 };
  const fresh = notFound(database, keys, rows);
  const counted = fresh.slice(0, room);
  if (counted.length > 0) database.run(INSERT, keysOf(keys, counted), counted.length);
  return { rows: counted, leftOut: fresh.length - counted.length };
}

const keysOf = (keys: Uint8Array, rows: readonly number[]): Uint8Array =>
  rows.length * KEY_BYTES === keys.length ? keys : Buffer.concat(rows.map((row) => keyAt(keys, row)));

/** Inserts keys if all are new and different. */
function allNew(database: Database, keys: Uint8Array, count: number): boolean {
  if (count === 0) return true;
  database.script('SAVEPOINT keys');
  database.run(INSERT, keys, count);
  const done = database.number('SELECT changes()') === count;
  database.script(done ? 'RELEASE keys' : 'ROLLBACK TO keys; RELEASE keys');
  return done;
}

function notFound(database: Database, keys: Uint8Array, rows: readonly number[]): number[] {
  const before = new Set<number>();
  const found = database.first(FIND, keysOf(keys, rows), rows.length)?.[0];
  if (typeof found === 'string') for (const at of found.split(',')) before.add(Number(at));
  const here = new Set<string>();
  return rows.filter((row, at) => {
    const key = Buffer.from(keyAt(keys, row)).toString('latin1');
    if (before.has(at) || here.has(key)) return false;
    here.add(key);
    return true;
  });
}
