/**
 * The one module that knows libsql, so that another SQLite can take its place. Its traps, kept here: the busy time-out is an
 * option of the constructor, `get()` adds `_metadata` (so rows are read by `all()`), and the log is checkpointed before close.
 */
import Libsql from 'libsql';

/** A BLOB is written from a `Uint8Array` and read back as `bytesOf` takes it. */
export type Value = string | number | null | Uint8Array;

/** A BLOB as it was read. */
export type Blob = Uint8Array | ArrayBuffer;

export const bytesOf = (blob: Blob): Uint8Array =>
  blob instanceof ArrayBuffer
    ? new Uint8Array(blob)
    : new Uint8Array(blob.buffer, blob.byteOffset, blob.byteLength);

export interface Database {
  /** Rows of a query; the statement is prepared once and kept. */
  all<Row>(sql: string, ...values: Value[]): Row[];
  /** The first column of the first row of a query without values, a number: half of what `all` costs. */
  number(sql: string): number;
  run(sql: string, ...values: Value[]): void;
  /** Several statements without values. */
  script(sql: string): void;
  /** All or nothing; the write lock is taken at once. */
  transaction<T>(work: () => T): T;
  close(): void;
}

const busyTimeoutMs = 5000;

/** Opens (or creates) a database file in WAL mode. SQLite's errors come through with `code`, e.g. SQLITE_NOTADB. */
export function openDatabase(path: string): Database {
  const db = new Libsql(path, { timeout: busyTimeoutMs });
  const statements = new Map<string, Libsql.Statement<Value[]>>();
  const prepared = (sql: string): Libsql.Statement<Value[]> => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare<Value[]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  // As a list, a row comes without `_metadata`, so that `get()`, one call instead of three, will do.
  const counts = new Map<string, Libsql.Statement<Value[]>>();
  const counted = (sql: string): Libsql.Statement<Value[]> => {
    let statement = counts.get(sql);
    if (statement === undefined) {
      statement = db.prepare<Value[]>(sql).raw();
      counts.set(sql, statement);
    }
    return statement;
  };
  try {
    // FULL: an acknowledged gate run outlives a power cut, not only a killed process.
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) db.pragma(pragma);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    all: <Row>(sql: string, ...values: Value[]) => prepared(sql).all(...values) as Row[],
    number: (sql) => (counted(sql).get() as unknown as readonly number[])[0] as number,
    run: (sql, ...values) => {
      prepared(sql).run(...values);
    },
    script: (sql) => {
      db.exec(sql);
    },
    transaction: <T>(work: () => T): T => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk rolls back by itself; a second ROLLBACK would hide the reason.
        if (db.inTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => {
      statements.clear();
      counts.clear();
      try {
        db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        db.close();
      }
    },
  };
}
