/**
 * The one module that knows libsql, so that another SQLite can take its place. Its traps, kept here: the busy time-out is an
 * option of the constructor, `get()` adds `_metadata` (so rows are read by `all()`), values go in as one list (a lone BLOB or
 * null aborts the process), and the log is checkpointed before close.
 */
import type Libsql from 'libsql';
import { COMPILED } from '../base/compiled.ts';

/** A BLOB is written from a `Uint8Array` and read back as `bytesOf` takes it. */
export type Value = string | number | null | Uint8Array;

/** A BLOB as it was read. */
export type Blob = Uint8Array | ArrayBuffer;

export const bytesOf = (blob: Blob): Uint8Array =>
  blob instanceof ArrayBuffer
    ? new Uint8Array(blob)
    : new Uint8Array(blob.buffer, blob.byteOffset, blob.byteLength);

export type Database = ReturnType<typeof openDatabase>;
type Statement = Libsql.Statement<[Value[]]>;

/** SQLite waits for a lock inside the call, blocking everything else: in a process that answers requests it waits this long, ms. */
const ANSWERING_BUSY_MS = 50;
/** In a process that answers no requests. */
export const BACKGROUND_BUSY_MS = 5000;

/** WAL mode. FULL: an acknowledged gate run outlives a power cut, not only a killed process. */
export const KEPT = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'] as const;
/** Of a database without a file. */
export const IN_MEMORY = ['foreign_keys = ON'] as const;
/** Writes nothing. The file must exist: SQLite would create it. */
export const READ_ONLY = ['query_only = ON'] as const;

/** Statements are prepared once for each text. */
function statements(prepare: (sql: string) => Statement) {
  const known = new Map<string, Statement>();
  const of = (sql: string): Statement => {
    let statement = known.get(sql);
    if (statement === undefined) {
      statement = prepare(sql);
      known.set(sql, statement);
    }
    return statement;
  };
  return { of, clear: () => known.clear() };
}

/** Throws with a remedy when its package, or the compiled code in it, is missing. */
function driver(): typeof Libsql {
  try {
    return COMPILED.loadSqlite() as typeof Libsql;
  } catch (error) {
    throw new Error(
      `SQLite does not load: ${(error as Error).message.split('\n', 1)[0]}. To fix this, ${COMPILED.remedy}.`,
      { cause: error },
    );
  }
}

/** Opens (or creates) a database file. SQLite's errors come through with `code`, e.g. SQLITE_NOTADB. */
export function openDatabase(path: string, pragmas: readonly string[] = KEPT, busyMs = ANSWERING_BUSY_MS) {
  const db = new (driver())(path, { timeout: busyMs });
  const rows = statements((sql) => db.prepare<[Value[]]>(sql));
  // As a list, a row comes without `_metadata`, so that `get()`, one call instead of three, will do.
  const lists = statements((sql) => db.prepare<[Value[]]>(sql).raw());
  const first = (sql: string, ...values: Value[]) =>
    lists.of(sql).get(values) as unknown as readonly Value[] | undefined;
  try {
    for (const pragma of pragmas) db.pragma(pragma);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    all: <Row>(sql: string, ...values: Value[]) => rows.of(sql).all(values) as Row[],
    /** The first row as a list of its columns; undefined without one. The cheapest way to one row. */
    first,
    /** All rows as lists of their columns. */
    lists: (sql: string, ...values: Value[]) => lists.of(sql).all(values) as unknown as (readonly Value[])[],
    /** The first column of the first row of a query without values, a number: half of what `all` costs. */
    number: (sql: string) => first(sql)?.[0] as number,
    run: (sql: string, ...values: Value[]): void => void rows.of(sql).run(values),
    /** Several statements without values. */
    script: (sql: string): void => void db.exec(sql),
    /** Writes the log into the file and empties it; false while a reader prevents that. */
    checkpoint: (): boolean => {
      const [answer] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      return answer?.busy === 0;
    },
    /** All or nothing; the write lock is taken at once. */
    transaction: <T>(work: () => T): T => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite rolls back by itself on a full disk; a second ROLLBACK would hide the reason.
        if (db.inTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    close: (): void => {
      rows.clear();
      lists.clear();
      try {
        if (pragmas !== READ_ONLY) db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        db.close();
      }
    },
  };
}
