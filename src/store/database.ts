/**
 * The one module that knows libsql, so that another SQLite can take its place. Its traps, kept here: the busy time-out is an
 * option of the constructor, `get()` adds `_metadata` (so rows are read by `all()`), values go in as one list (a lone BLOB or
 * null aborts the process), and the log is checkpointed before close.
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
  /** The first row as a list of its columns; undefined without one. The cheapest way to one row. */
  first(sql: string, ...values: Value[]): readonly Value[] | undefined;
  /** All rows as lists of their columns. */
  lists(sql: string, ...values: Value[]): (readonly Value[])[];
  run(sql: string, ...values: Value[]): void;
  /** Several statements without values. */
  script(sql: string): void;
  /** All or nothing; the write lock is taken at once. */
  transaction<T>(work: () => T): T;
  /** Writes what is in the log into the file and empties the log; false while a reader stands in the way. */
  checkpoint(): boolean;
  close(): void;
}

/** SQLite waits for a lock inside the call, so nothing else runs meanwhile: where requests are answered it waits this long, ms. */
const ANSWERING_BUSY_MS = 50;
/** In a process that answers no one. */
export const BACKGROUND_BUSY_MS = 5000;

/** WAL mode. FULL: an acknowledged gate run outlives a power cut, not only a killed process. */
export const KEPT = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'] as const;
/** Of a database without a file. */
export const IN_MEMORY = ['foreign_keys = ON'] as const;
/** Writes nothing. The file must stand there: SQLite would create it. */
export const READ_ONLY = ['query_only = ON'] as const;

/** Opens (or creates) a database file. SQLite's errors come through with `code`, e.g. SQLITE_NOTADB. */
export function openDatabase(
  path: string,
  pragmas: readonly string[] = KEPT,
  busyMs = ANSWERING_BUSY_MS,
): Database {
  const db = new Libsql(path, { timeout: busyMs });
  const statements = new Map<string, Libsql.Statement<[Value[]]>>();
  const prepared = (sql: string): Libsql.Statement<[Value[]]> => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare<[Value[]]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  // As a list, a row comes without `_metadata`, so that `get()`, one call instead of three, will do.
  const lists = new Map<string, Libsql.Statement<[Value[]]>>();
  const listed = (sql: string): Libsql.Statement<[Value[]]> => {
    let statement = lists.get(sql);
    if (statement === undefined) {
      statement = db.prepare<[Value[]]>(sql).raw();
      lists.set(sql, statement);
    }
    return statement;
  };
  const first = (sql: string, values: Value[]) =>
    listed(sql).get(values) as unknown as readonly Value[] | undefined;
  try {
    for (const pragma of pragmas) db.pragma(pragma);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    all: <Row>(sql: string, ...values: Value[]) => prepared(sql).all(values) as Row[],
    first: (sql, ...values) => first(sql, values),
    lists: (sql, ...values) => listed(sql).all(values) as unknown as (readonly Value[])[],
    number: (sql) => first(sql, [])?.[0] as number,
    run: (sql, ...values) => {
      prepared(sql).run(values);
    },
    script: (sql) => {
      db.exec(sql);
    },
    checkpoint: () => {
      const [told] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      return told?.busy === 0;
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
      lists.clear();
      try {
        if (pragmas !== READ_ONLY) db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        db.close();
      }
    },
  };
}
