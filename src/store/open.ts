/**
 * Opening the database: created 0600, checked, migrated. A damaged one is set aside, never repaired in place; a fresh one in
 * a folder that held a store before is marked unlearned, because deleting a database must not launder an intrusion.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../base/desk-error.ts';
import { type Database, KEPT } from './database.ts';
import { closeAfter, createClosed, Damaged, migrate, openChecked, setAside } from './database-file.ts';
import { isFirstUse, noteNewFolder } from './first-use.ts';
import type { Migration } from './migrations.ts';
import { isRegularFile } from './regular-file.ts';

export interface Recovered {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** What happened to the old database, one sentence. */
  readonly reason: string;
  /** File name the old database was given, "" when it was gone. */
  readonly setAside: string;
}

export interface OpenOptions {
  /** Only the holder of the service lock may set a damaged database aside; others are refused. */
  readonly recover: boolean;
  readonly now?: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs?: () => number;
}

/** What the features make of the database. */
export interface Form {
  readonly migrations: readonly Migration[];
  /** False when nothing in it was learned. */
  readonly holdsLearned: (database: Database) => boolean;
}

export const databaseName = 'desk.db';
const markName = 'desk.store';

/** Refusals are `DeskError`s. `recovered`: this folder held another database before; it stays until the first learning. */
export function openFolder(
  { migrations, holdsLearned }: Form,
  folder: string,
  { recover, now = () => new Date() }: OpenOptions,
): { database: Database; recovered: Recovered | null } {
  const path = join(folder, databaseName);
  const markPath = join(folder, markName);
  noteNewFolder(folder);
  // A folder with files of ours and without the mark of a first use was in use, even if other files were deleted.
  const heldBefore = isRegularFile(markPath) || (existsSync(folder) && !isFirstUse(folder));
  const exists = isRegularFile(path);
  for (const part of ['-wal', '-shm']) isRegularFile(path + part);
  const lost = (reason: string, aside = ''): Recovered => ({
    at: now().toISOString(),
    reason,
    setAside: aside,
  });
  let loss = heldBefore && !exists ? lost('The database of this state folder was gone.') : null;
  createClosed(path);
  let database: Database;
  try {
    database = openChecked(path, KEPT);
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    if (!recover)
      throw new DeskError(
        'unavailable',
        `The database ${path} is damaged: ${error.message}.`,
        'Start the service (desk boot): it sets the file aside and begins a fresh one.',
      );
    loss = lost(`The database was damaged: ${error.message}.`, setAside(path, now()));
    createClosed(path);
    database = openChecked(path, KEPT);
  }
  try {
    migrate(database, path, migrations);
    const emptied = () => heldBefore && !holdsLearned(database);
    return { database, recovered: identify(database, markPath, loss, emptied, lost) };
  } catch (error) {
    closeAfter(database);
    throw error;
  }
}

/** The folder's mark holds the id of its database, so that an emptied, exchanged or new one is recognized. */
function identify(
  database: Database,
  markPath: string,
  loss: Recovered | null,
  emptied: () => boolean,
  lost: (reason: string) => Recovered,
): Recovered | null {
  const rows = database.all<{ key: string; value: string }>('SELECT key, value FROM meta');
  const meta = new Map(rows.map(({ key, value }) => [key, value]));
  const mark = existsSync(markPath) ? readFileSync(markPath, 'utf8').trim() : '';
  const before = meta.get('id') ?? '';
  let found = loss;
  // Its log and the folder's mark are gone: what it held before the last checkpoint is not known.
  if (found === null && mark === '' && emptied())
    found = lost('The database of this state folder was emptied: what it had learned is gone.');
  if (found === null && mark !== '' && mark !== before)
    found = lost('The database is not the one this state folder held before.');
  const id = before || randomUUID();
  if (before !== id || found !== null)
    database.transaction(() => {
      database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', 'id', id);
      if (found)
        database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', 'recovered', JSON.stringify(found));
    });
  if (mark !== id) writeFileSync(markPath, `${id}\n`, { mode: 0o600, flush: true });
  const stored = meta.get('recovered');
  return found ?? (stored === undefined ? null : (JSON.parse(stored) as Recovered));
}
