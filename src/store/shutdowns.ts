/** Banned listeners that are down, as rows: what a person must be able to see afterwards. */
import type { ProcessAbout } from '../findings/finding.ts';
import type { Shutdown } from '../records/shutdowns.ts';
import type { Database } from './database.ts';

interface ShutdownRow extends Omit<Shutdown, 'about'> {
  readonly about: string | null;
}

/** One program that comes again and again is one row with a count. What one user starts takes no room from the others. */
const MOST = 400;
const MOST_OF_USER = 40;

export class Shutdowns {
  readonly #db: Database;

  constructor(database: Database) {
    this.#db = database;
  }

  /** Newest first. */
  list(limit: number): readonly Shutdown[] {
    return this.#db
      .all<ShutdownRow>(
        'SELECT at, finding, protocol, address, port, executable, uid, ended, "by", times, about FROM shutdowns ORDER BY number DESC LIMIT ?',
        limit,
      )
      .map((row) => ({ ...row, about: row.about === null ? null : (JSON.parse(row.about) as ProcessAbout) }));
  }

  /** Within a transaction. One like it is counted with it, and is the newest again. */
  record({ at, finding, protocol, address, port, executable, uid, ended, by, times, about }: Shutdown): void {
    const alike = this.#db.first(
      `SELECT number, times FROM shutdowns WHERE protocol = ? AND address = ? AND port = ? AND executable = ? AND uid IS ?
       AND ended = ? AND "by" = ?`,
      ...[protocol, address, port, executable, uid, ended, by],
    );
    if (alike !== undefined) this.#db.run('DELETE FROM shutdowns WHERE number = ?', alike[0] ?? null);
    const before = alike === undefined ? 0 : Number(alike[1]);
    this.#db.run(
      `INSERT INTO shutdowns (at, finding, protocol, address, port, executable, uid, ended, "by", times, about)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[at, finding, protocol, address, port, executable, uid, ended, by, before + times],
      about === null ? null : JSON.stringify(about),
    );
    this.#db.run(
      `DELETE FROM shutdowns WHERE uid IS ?1 AND number NOT IN
         (SELECT number FROM shutdowns WHERE uid IS ?1 ORDER BY number DESC LIMIT ?2)`,
      uid,
      MOST_OF_USER,
    );
    this.#db.run(
      'DELETE FROM shutdowns WHERE number NOT IN (SELECT number FROM shutdowns ORDER BY number DESC LIMIT ?)',
      MOST,
    );
  }
}
