/** Banned listeners that are down, as rows: what a person must be able to see afterwards. */
import type { ProcessAbout } from '../../checks/judgement.ts';
import type { Shutdown } from '../../records/shutdowns.ts';
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';
import { forgetCommandLines } from '../history/index.ts';

export const migrations: readonly Migration[] = [
  {
    version: 8,
    sql: `
      -- Banned listeners that are down, once for each that is alike; about: who held it, as JSON, null where it was not known.
      CREATE TABLE shutdowns (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        finding TEXT NOT NULL,
        protocol TEXT NOT NULL,
        address TEXT NOT NULL,
        port INTEGER NOT NULL,
        executable TEXT NOT NULL,
        uid INTEGER,
        ended TEXT NOT NULL CHECK (ended IN ('SIGTERM', 'SIGKILL', 'itself')),
        "by" TEXT NOT NULL CHECK ("by" IN ('policy', 'command')),
        times INTEGER NOT NULL,
        about TEXT
      ) STRICT;
    `,
  },
];

interface ShutdownRow extends Omit<Shutdown, 'about'> {
  readonly about: string | null;
}

/** One program that comes again and again is one row with a count. What one user starts takes no room from the others. */
const MOST = 400;
const MOST_OF_USER = 40;

export class Shutdowns {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** Newest first. */
  list(limit: number): readonly Shutdown[] {
    const read = () =>
      this.#access.store.db
        .all<ShutdownRow>(
          'SELECT at, finding, protocol, address, port, executable, uid, ended, "by", times, about FROM shutdowns ORDER BY number DESC LIMIT ?',
          limit,
        )
        .map((row) => ({
          ...row,
          about: row.about === null ? null : (JSON.parse(row.about) as ProcessAbout),
        }));
    return this.#access.read<readonly Shutdown[]>('shutdowns', read, [], String(limit));
  }

  forgetCommandLines(): void {
    forgetCommandLines(this.#access, 'shutdowns');
  }

  /** One like it is counted with it, and is the newest again. False when it may be written later. */
  record(shutdown: Shutdown): boolean {
    return this.#access.record('recordShutdown', () => this.#save(shutdown));
  }

  #save({ at, finding, protocol, address, port, executable, uid, ended, by, times, about }: Shutdown): void {
    const { db } = this.#access.store;
    const alike = db.first(
      `SELECT number, times FROM shutdowns WHERE protocol = ? AND address = ? AND port = ? AND executable = ? AND uid IS ?
       AND ended = ? AND "by" = ?`,
      ...[protocol, address, port, executable, uid, ended, by],
    );
    if (alike !== undefined) db.run('DELETE FROM shutdowns WHERE number = ?', alike[0] ?? null);
    const before = alike === undefined ? 0 : Number(alike[1]);
    db.run(
      `INSERT INTO shutdowns (at, finding, protocol, address, port, executable, uid, ended, "by", times, about)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[at, finding, protocol, address, port, executable, uid, ended, by, before + times],
      about === null ? null : JSON.stringify(about),
    );
    db.run(
      `DELETE FROM shutdowns WHERE uid IS ?1 AND number NOT IN
         (SELECT number FROM shutdowns WHERE uid IS ?1 ORDER BY number DESC LIMIT ?2)`,
      uid,
      MOST_OF_USER,
    );
    db.run(
      'DELETE FROM shutdowns WHERE number NOT IN (SELECT number FROM shutdowns ORDER BY number DESC LIMIT ?)',
      MOST,
    );
  }
}
