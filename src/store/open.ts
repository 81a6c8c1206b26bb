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
import { firstUseStands, noteNewFolder } from './first-use.ts';
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
  /** False when it holds nothing that was learned. */
  readonly holdsLearned: (database: Database) => boolean;
}

export const databaseName = 'desk.db';
const markName = 'desk.store';

/**
 * Opens the database of a state folder. `recovered` tells that this folder held another one before; it stays until the first
 * learning. Refusals (no space, no permission, newer form, damage without `recover`) are `DeskError`s.
 */
export function openFolder(
  { migrations, holdsLearned }: Form,
  folder: string,
  { recover, now = () => new Date() }: OpenOptions,
): { database: Database; recovered: Recovered | null } {
  const path = join(folder, databaseName);
  const markPath = join(folder, markName);
  noteNewFolder(folder);
  // A folder that has our files and not the mark of a first use to come was lived in, whatever else was deleted.
  const heldBefore = isRegularFile(markPath) || (existsSync(folder) && !firstUseStands(folder));
  const standsHere = isRegularFile(path);
  for (const part of ['-wal', '-shm']) isRegularFile(path + part);
  let loss: Recovered | null =
    heldBefore && !standsHere
      ? { at: now().toISOString(), reason: 'The database of this state folder was gone.', setAside: '' }
      : null;
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
    const at = now();
    loss = {
      at: at.toISOString(),
      reason: `The database was damaged: ${error.message}.`,
      setAside: setAside(path, at),
    };
    createClosed(path);
    database = openChecked(path, KEPT);
  }
  try {
    migrate(database, path, migrations);
    const emptied = () => heldBefore && !holdsLearned(database);
    return { database, recovered: identify(database, markPath, loss, emptied, now) };
  } catch (error) {
    closeAfter(database);
    throw error;
  }
}

/**
 * The folder's mark carries the id of the database it belongs to: an emptied, exchanged or freshly made database shows.
 */
function identify(
  database: Database,
  markPath: string,
  loss: Recovered | null,
  emptied: () => boolean,
  now: () => Date,
): Recovered | null {
  const meta = new Map(
    database
      .all<{ key: string; value: string }>('SELECT key, value FROM meta')
      .map((row) => [row.key, row.value]),
  );
  const mark = existsSync(markPath) ? readFileSync(markPath, 'utf8').trim() : '';
  let id = meta.get('id') ?? '';
  let found = loss;
  // Its log went, and the folder's mark with it: what it held before the last checkpoint is not known.
  if (found === null && mark === '' && emptied())
    found = {
      at: now().toISOString(),
      reason: 'The database of this state folder was emptied: what it had learned is gone.',
      setAside: '',
    };
  if (found === null && mark !== '' && mark !== id)
    found = {
      at: now().toISOString(),
      reason: 'The database is not the one this state folder held before.',
      setAside: '',
    };
  if (id === '') id = randomUUID();
  if (meta.get('id') !== id || found !== null)
    database.transaction(() => {
      database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', 'id', id);
      if (found)
        database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', 'recovered', JSON.stringify(found));
    });
  if (mark !== id) writeFileSync(markPath, `${id}\n`, { mode: 0o600, flush: true });
  const stored = meta.get('recovered');
  return found ?? (stored === undefined ? null : (JSON.parse(stored) as Recovered));
}
