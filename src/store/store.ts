/** What outlives the process: one SQLite file of the state folder, in which each feature keeps its tables. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_GONE } from '../base/error-code.ts';
import { type Database, IN_MEMORY, openDatabase } from './database.ts';
import { migrate } from './database-file.ts';
import { databaseName, type Form, type OpenOptions, openFolder, type Recovered } from './open.ts';

/**
 * How features reach their tables: by the store itself, which throws SQLite's own errors (disk full, I/O) with their code, or by a
 * `GuardedStore`, which answers `otherwise`. Each operation has a name, by which failures are reported.
 */
export interface Access {
  readonly store: Store;
  /** False: what is seen stays out of the store, because another process keeps it. */
  readonly records: boolean;
  /** Why the store fails and what to do, "" when it works. */
  readonly failure: string;
  /** The same, or what was lost. */
  readonly trouble: string;
  /** The file was removed while it was open: what SQLite still reads of it is lost. */
  readonly gone: boolean;
  /** `cacheKey`: while the store is locked, full or fails to read, the last answer to the same call is given instead. */
  read<T>(operation: string, work: () => T, otherwise: T, cacheKey?: string): T;
  /** One transaction. `ends`: another operation whose failure is over when this one succeeds. */
  write<T>(operation: string, work: () => T, otherwise: T, ends?: string): T;
  /** One transaction that records what was seen. False when it may succeed later: the disk is full, or fails. */
  record(operation: string, work: () => void): boolean;
}

const CLOCK = 'service_sec';

/**
 * How long the service has run on this state folder, all runs together, in whole seconds. It counts by CLOCK_MONOTONIC
 * (clock_gettime(2)), so that setting the wall clock has no effect. A kill loses what was counted since the last write.
 */
class ServiceClock {
  readonly #db: Database;
  readonly #clockMs: () => number;
  readonly #startMs: number;
  readonly #before: number;

  constructor(database: Database, clockMs: () => number) {
    this.#db = database;
    this.#clockMs = clockMs;
    this.#startMs = clockMs();
    const [row] = database.all<{ readonly value: string }>('SELECT value FROM meta WHERE key = ?', CLOCK);
    const before = Number(row?.value ?? 0);
    this.#before = Number.isSafeInteger(before) && before > 0 ? before : 0;
  }

  get seconds(): number {
    return this.#before + Math.max(0, Math.floor((this.#clockMs() - this.#startMs) / 1000));
  }

  /** Called within a transaction. */
  save(): void {
    this.#db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', CLOCK, String(this.seconds));
  }
}

/**
 * A store in memory, for a service whose folder cannot be written: unlearned, and permanent changes are refused. `reason`:
 * why, one sentence without a full stop. `wrote` is called after every write.
 */
export function memoryStore({ migrations }: Form, folder: string, reason: string, wrote: () => void): Store {
  const database = openDatabase(':memory:', IN_MEMORY);
  migrate(database, ':memory:', migrations);
  const recovered = { at: new Date().toISOString(), reason: `${reason}.`, setAside: '' };
  return new Store(database, folder, recovered, undefined, { reason, wrote });
}

/** @throws DeskError when the file cannot be opened. */
export function fileStore(form: Form, folder: string, options: OpenOptions): Store {
  const { database, recovered } = openFolder(form, folder, options);
  return new Store(database, folder, recovered, options.clockMs);
}

export class Store implements Access {
  readonly store = this;
  readonly records = true;
  readonly failure = '';
  readonly trouble = '';
  readonly gone = false;
  readonly db: Database;
  readonly folder: string;
  readonly clock: ServiceClock;
  /** Why all of it is lost with the process, "" for a store in a file. */
  readonly temporary: string;
  readonly #wrote: () => void;
  /** Device and inode of the file that was opened. */
  readonly #file: string;
  #recovered: Recovered | null;
  /** The transaction has ended the loss. */
  #lossEnded = false;
  /** PRAGMA data_version at which `#kept` was read: it changes when another connection writes. */
  #version: number;
  readonly #kept = new Map<string, unknown>();
  #closed = false;

  constructor(
    database: Database,
    folder: string,
    recovered: Recovered | null,
    clockMs = () => performance.now(),
    memory: { readonly reason: string; readonly wrote: () => void } | null = null,
  ) {
    this.temporary = memory?.reason ?? '';
    this.#wrote = memory?.wrote ?? (() => undefined);
    this.db = database;
    this.folder = folder;
    this.#file = this.#fileNow();
    this.clock = new ServiceClock(database, clockMs);
    this.#recovered = recovered;
    this.#version = this.version;
  }

  /** Set while this folder's earlier database was lost and nothing was learned since. */
  get recovered(): Recovered | null {
    return this.#recovered;
  }

  /** Another number when another connection has written (https://sqlite.org/pragma.html#pragma_data_version). */
  get version(): number {
    return this.db.number('PRAGMA data_version');
  }

  /** The most that SQLite keeps of the file in memory (https://sqlite.org/pragma.html#pragma_cache_size). */
  get cacheBytes(): number {
    const size = this.db.number('PRAGMA cache_size');
    return size < 0 ? -1024 * size : size * this.db.number('PRAGMA page_size');
  }

  /** What `read` reads, kept until another connection writes or the feature forgets it. */
  kept<T>(key: string, read: () => T): T {
    const { version } = this;
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    if (!this.#kept.has(key)) this.#kept.set(key, read());
    return this.#kept.get(key) as T;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  read<T>(_operation: string, work: () => T): T {
    return work();
  }

  write<T>(_operation: string, work: () => T): T {
    if (this.temporary === '' && this.#fileNow() !== this.#file)
      // SQLite continues with a file that was removed: what it takes is lost.
      throw Object.assign(
        new Error('its file was removed or exchanged while it was open: start the desk again'),
        { code: FILE_GONE },
      );
    this.#lossEnded = false;
    let result: T;
    try {
      result = this.db.transaction(work);
    } catch (error) {
      this.#kept.clear();
      throw error;
    }
    if (this.#lossEnded) this.#recovered = null;
    this.#wrote();
    return result;
  }

  record(operation: string, work: () => void): boolean {
    this.write(operation, work);
    return true;
  }

  /** Throws where what is written would be lost with the process: it must not be acknowledged. */
  mustLast(): void {
    if (this.temporary !== '') throw new Error(this.temporary);
  }

  /** Within a transaction: the loss of an earlier database is over and no longer reported. */
  forgetLoss(): void {
    this.db.run("DELETE FROM meta WHERE key = 'recovered'");
    this.#lossEnded = true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.db.close();
  }

  #fileNow(): string {
    const info = statSync(join(this.folder, databaseName), { throwIfNoEntry: false });
    return info === undefined ? '' : `${info.dev} ${info.ino}`;
  }
}
