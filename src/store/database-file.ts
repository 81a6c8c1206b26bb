/** A database file: created for its owner alone, checked, migrated, set aside when it is damaged. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closedFolder } from '../base/closed-folder.ts';
import { DeskError } from '../base/desk-error.ts';
import { codeOf, diskTroubleOf } from '../base/error-code.ts';
import { asSentence } from '../base/sentence.ts';
import { type Database, openDatabase } from './database.ts';
import type { Migration } from './migrations.ts';

const damaged = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_FORMAT']);

/** The file is not a database or fails its own check: the reason. */
export class Damaged extends Error {}

/** Closes after a failure. Closing may fail for the same reason, which is reported already. */
export function closeAfter(database: Database): void {
  try {
    database.close();
  } catch {}
}

const unavailable = (what: string, remedy: string, errno: string): DeskError =>
  new DeskError('unavailable', what, remedy, '', errno);

/** Opens an existing database and checks it. @throws Damaged; `DeskError` for what is not the file's fault. */
export function openChecked(path: string, pragmas: readonly string[], busyMs?: number): Database {
  let database: Database | undefined;
  try {
    database = openDatabase(path, pragmas, busyMs);
    const rows = database.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    if (rows[0]?.quick_check !== 'ok') throw new Damaged(rows[0]?.quick_check ?? 'quick_check is silent');
    return database;
  } catch (error) {
    if (database) closeAfter(database);
    if (error instanceof Damaged) throw error;
    if (damaged.has(codeOf(error))) throw new Damaged((error as Error).message);
    const code = codeOf(error) === 'SQLITE_CANTOPEN' ? writeRefusal(dirname(path)) : codeOf(error);
    if (diskTroubleOf(code) === 'closed') throw closed('opened', path, code);
    throw unavailable(
      `The database ${path} cannot be opened (${codeOf(error) || (error as Error).message}).`,
      'Free space on that disk, make the file yours (chmod 600), and see that no other program holds it.',
      code,
    );
  }
}

/** SQLite keeps its log beside the database, and needs a folder that can be written even to read. */
function closed(done: string, path: string, code: string): DeskError {
  const { why, cure } = closedFolder(dirname(path));
  const what = `The database ${path} cannot be ${done}: its folder cannot be written (${code}), ${why}.`;
  return unavailable(what, asSentence(cure), code);
}

/** Why a file cannot be written into a folder, "" when it can: SQLite does not say why it cannot make its log. */
function writeRefusal(folder: string): string {
  const path = join(folder, `desk.db.${process.pid}.tmp`);
  try {
    writeFileSync(path, Buffer.alloc(4096), { mode: 0o600, flag: 'wx' });
    return '';
  } catch (error) {
    return codeOf(error);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Runs the steps the file has not seen. A file of a newer desk is refused untouched. */
export function migrate(database: Database, path: string, migrations: readonly Migration[]): void {
  const version = (): number =>
    database.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
  const newest = migrations.at(-1)?.version ?? 0;
  if (version() > newest)
    throw new DeskError(
      'refused',
      `The database ${path} has form ${version()}; this desk knows forms up to ${newest}.`,
      'Run the newer desk that wrote it, or set DESK_STATE to another folder.',
    );
  for (const step of migrations) {
    if (step.version <= version()) continue;
    database.transaction(() => {
      // Another process may have run it while we waited for the write lock.
      if (step.version <= version()) return;
      database.script(step.sql);
      database.script(`PRAGMA user_version = ${step.version}`);
    });
  }
}

/** Creates the file closed to others before SQLite opens it; its log and index inherit the mode. In a folder that is shared with a group, the file is too. */
export function createClosed(path: string): void {
  try {
    const shared = (statSync(dirname(path)).mode & 0o020) !== 0;
    const file = openSync(path, 'wx', 0o600);
    try {
      if (shared) fchmodSync(file, 0o660);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (diskTroubleOf(code) === 'closed') throw closed('created', path, code);
    const remedy = 'Free space on that disk, or make its folder writable for you.';
    throw unavailable(`The database ${path} cannot be created (${code}).`, remedy, code);
  }
}

/** Renames a database with its log and index; its new name. */
export function setAside(path: string, at: Date): string {
  const suffix = `.damaged-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(path + part)) renameSync(path + part, `${path}${suffix}${part}`);
  return basename(path) + suffix;
}
