/** The people ledger (`people.db`) for the writing mail process. Batches are atomic, a message counts once. Readers: reader.ts. */
import { hash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../../base/desk-error.ts';
import type { LedgerTotals } from '../../../records/ledger.ts';
import { BACKGROUND_BUSY_MS, type Blob, bytesOf, type Database } from '../../../store/database.ts';
import {
  closeAfter,
  createClosed,
  Damaged,
  migrate,
  openChecked,
  setAside,
} from '../../../store/database-file.ts';
import { isRegularFile } from '../../../store/regular-file.ts';
import { addressOf } from '../people/address.ts';
import { countFresh } from './counted-messages.ts';
import { LEDGER, ledgerMigrations, ledgerName, ledgerTrust, totalsOf } from './form.ts';
import { Journal } from './journal.ts';
import { addToRows, dropNamesWith } from './rows.ts';
import { Settler } from './settle.ts';
import { COUNTED, Tallies } from './tally.ts';
import { KEY_BYTES, type LedgerBatch, type Messages } from './types.ts';

export interface LedgerOptions {
  /** The user's own addresses, in any spelling: they are not in the ledger, and mail from them counts as sent. */
  readonly own: readonly string[];
  /** Persons it holds; the lowest in rank are left out. */
  readonly maxPeople: number;
  /** Messages whose keys it remembers; further ones are not counted. */
  readonly maxMessages?: number;
  readonly now?: () => number;
}

const MOST_MESSAGES = 10_000_000;

export function openLedger(folder: string, options: LedgerOptions): Ledger {
  const path = join(folder, ledgerName);
  const { now = Date.now } = options;
  for (const part of ['', '-wal', '-shm']) isRegularFile(path + part, ledgerTrust(path));
  createClosed(path);
  let recovered = '';
  let database: Database;
  try {
    database = openChecked(path, LEDGER, BACKGROUND_BUSY_MS);
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    const name = setAside(path, new Date(now()));
    recovered = `The people ledger was damaged (${error.message}) and is set aside as ${name}: all mail is read again.`;
    createClosed(path);
    database = openChecked(path, LEDGER, BACKGROUND_BUSY_MS);
  }
  try {
    migrate(database, path, ledgerMigrations);
    return new Ledger(database, folder, recovered, options);
  } catch (error) {
    closeAfter(database);
    throw error;
  }
}

export class Ledger {
  /** Why the old ledger was set aside, and where to; "" when it was not. All mail is read again then. */
  readonly recovered: string;
  readonly #database: Database;
  readonly #folder: string;
  readonly #own: ReadonlySet<string>;
  readonly #maxPeople: number;
  readonly #maxMessages: number;
  readonly #now: () => number;
  readonly #inode: number | undefined;
  readonly #key: string;
  /** 16 bytes, secret: messages are hashed with it, so that an attacker cannot make two with one key. */
  readonly messageKey: Uint8Array;
  readonly #settler: Settler;
  readonly #journal: Journal;
  /** Digest → until when. */
  readonly #forgotten: Map<string, number>;

  constructor(database: Database, folder: string, recovered: string, options: LedgerOptions) {
    const { own, maxPeople, maxMessages = MOST_MESSAGES, now = Date.now } = options;
    this.recovered = recovered;
    this.#database = database;
    this.#folder = folder;
    this.#inode = statSync(join(folder, ledgerName), { throwIfNoEntry: false })?.ino;
    this.#own = new Set(own.flatMap((text) => addressOf(text) ?? []));
    this.#maxPeople = maxPeople;
    this.#maxMessages = maxMessages;
    this.#now = now;
    this.#key = this.#keepKey();
    this.messageKey = Uint8Array.from(
      hash('sha256', `${this.#key} messages`, 'buffer').subarray(0, KEY_BYTES),
    );
    this.#settler = new Settler(database, this.#key);
    this.#keepOwn();
    this.#forgotten = new Map(
      database
        .all<{ digest: Blob; until_ms: number }>('SELECT digest, until_ms FROM forgotten')
        .map(({ digest, until_ms }) => [Buffer.from(bytesOf(digest)).toString('hex'), until_ms]),
    );
    this.#journal = new Journal(
      database,
      () => new Tallies(this.#own),
      (address) => this.#forgottenMs(address),
    );
    this.finish();
  }

  /** Counts, in one transaction, what was not counted before; returns the number of new messages. */
  commit({ messages, place, units }: LedgerBatch): number {
    if (place === null && units.read.length + units.gone.length > 0)
      throw new RangeError('units belong to a folder: the batch has none');
    return this.#within(() => {
      const counted = messages.reduce((sum, some) => sum + this.#countMessages(some), 0);
      if (place !== null) this.#keepPlace(place.source, place.folder, place.place, units);
      // There may be no room for all that wait.
      if (this.totals().people + this.#journal.size > this.#maxPeople) this.#settle();
      return counted;
    });
  }

  /** Where reading a folder goes on; null when it was never read. */
  place(source: string, folder: string): string | null {
    const sql = 'SELECT place FROM folders WHERE source = ? AND folder = ?';
    const row = this.#database.first(sql, source, folder);
    return row === undefined ? null : String(row[0]);
  }

  /** Files of a folder that were read. */
  units(source: string, folder: string): ReadonlySet<number> {
    const sql =
      'SELECT unit FROM units WHERE folder = (SELECT id FROM folders WHERE source = ? AND folder = ?)';
    return new Set(this.#database.all<{ unit: number }>(sql, source, folder).map(({ unit }) => unit));
  }

  /** Folders of a source that were read. */
  folders(source: string): readonly string[] {
    return this.#database
      .all<{ folder: string }>('SELECT folder FROM folders WHERE source = ? ORDER BY folder', source)
      .map(({ folder }) => folder);
  }

  /** All other folders of a source are gone: what they brought stays. */
  keepFolders(source: string, folders: readonly string[]): void {
    const sql = 'DELETE FROM folders WHERE source = ? AND folder = ?';
    const kept = new Set(folders);
    for (const folder of this.folders(source))
      if (!kept.has(folder)) this.#within(() => this.#database.run(sql, source, folder));
  }

  /** Makes what was committed visible to readers: call it every few seconds of an import, and at its end. */
  finish(): void {
    this.#checkPath();
    if (!this.#journal.empty) this.#within(() => this.#settle());
  }

  /** Removes a person with all that is known of them; mail up to now does not bring them back. False for an unknown address. */
  forget(address: string): boolean {
    const normal = addressOf(address);
    if (normal === null) return false;
    this.#checkPath();
    const digest = this.#digestOf(normal);
    const until = Math.max(0, this.#now());
    const known = this.#within(() => {
      this.#settle();
      if (this.#database.first('SELECT 1 FROM tallies WHERE address = ?', normal) === undefined) return false;
      this.#database.run('INSERT OR REPLACE INTO forgotten VALUES (?, ?)', Buffer.from(digest, 'hex'), until);
      this.#settler.remove([normal]);
      this.#settler.settle(dropNamesWith(this.#database, normal), this.#maxPeople);
      return true;
    });
    if (!known) return false;
    this.#forgotten.set(digest, until);
    this.#wipe();
    return true;
  }

  totals(): LedgerTotals {
    return totalsOf(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  /** Throws when the file at the path is not the open one any more: what is written would never be read. */
  #checkPath(): void {
    const path = join(this.#folder, ledgerName);
    if (statSync(path, { throwIfNoEntry: false })?.ino === this.#inode) return;
    throw new DeskError(
      'unavailable',
      `The people ledger ${path} was moved or removed while it was in use.`,
      'Stop the desk before you move it; what is there now is taken, and all mail is read again.',
    );
  }

  /** A transaction; what is kept in memory of a failed one is read again. */
  #within<T>(work: () => T): T {
    try {
      return this.#database.transaction(work);
    } catch (error) {
      this.#settler.forgetKnown();
      this.#journal.reload();
      throw error;
    }
  }

  #settle(): void {
    if (this.#journal.empty) return;
    const rows = addToRows(this.#database, this.#journal.take());
    this.#settler.settle(rows, this.#maxPeople);
  }

  /** Adds messages up; how many were new. */
  #countMessages(messages: Messages): number {
    if (messages.times.length === 0) return 0;
    const database = this.#database;
    const room = Math.max(0, this.#maxMessages - this.totals().messages);
    // What finds no room is passed over as if it had been counted.
    const { rows, leftOut } = countFresh(database, messages, room);
    if (leftOut > 0) database.run('UPDATE totals SET left_out = left_out + ?', leftOut);
    if (rows.length > 0) database.run('UPDATE totals SET messages = messages + ?', rows.length);
    const flags = messages.flags.map((flag) => flag | COUNTED);
    for (const row of rows) flags[row] = messages.flags[row] as number;
    this.#journal.add({ ...messages, flags });
    return rows.length;
  }

  #keepPlace(source: string, folder: string, place: string, units: LedgerBatch['units']): void {
    const database = this.#database;
    const json = (units: readonly number[]) => JSON.stringify(units);
    database.run(
      'INSERT INTO folders (source, folder, place) VALUES (?, ?, ?) ON CONFLICT (source, folder) DO UPDATE SET place = excluded.place',
      source,
      folder,
      place,
    );
    if (units.read.length + units.gone.length === 0) return;
    const found = database.first('SELECT id FROM folders WHERE source = ? AND folder = ?', source, folder);
    const id = found?.[0] as number;
    // Gone first: a file that was renamed is both.
    const remove = 'DELETE FROM units WHERE folder = ? AND unit IN (SELECT value FROM json_each(?))';
    const add = 'INSERT OR IGNORE INTO units SELECT ?, value FROM json_each(?) ORDER BY value';
    if (units.gone.length > 0) database.run(remove, id, json(units.gone));
    if (units.read.length > 0) database.run(add, id, json(units.read));
  }

  #digestOf(address: string): string {
    return hash('sha256', `${this.#key} forgotten ${address}`, 'hex').slice(0, 32);
  }

  #forgottenMs(address: string): number | null {
    if (this.#forgotten.size === 0 || this.#own.has(address)) return null;
    return this.#forgotten.get(this.#digestOf(address)) ?? null;
  }

  /** Nothing of what was deleted stays in the log, or in a ledger that was set aside. */
  #wipe(): void {
    for (const name of readdirSync(this.#folder))
      if (name.startsWith(`${ledgerName}.damaged-`)) rmSync(join(this.#folder, name), { force: true });
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < 40 && !this.#database.checkpoint(); tries += 1)
      Atomics.wait(sleeper, 0, 0, 25);
  }

  #keepKey(): string {
    const row = this.#database.first("SELECT value FROM meta WHERE key = 'key'");
    if (row !== undefined) return String(row[0]);
    const key = randomBytes(32).toString('hex');
    this.#database.run("INSERT INTO meta VALUES ('key', ?)", key);
    return key;
  }

  /** What counts as received, sent or copied depends on the user's own addresses: with others everything is read again. */
  #keepOwn(): void {
    const digest = hash(
      'sha256',
      `${this.#key} own, and messages by keyed hashes ${[...this.#own].sort().join(' ')}`,
      'hex',
    );
    const before = this.#database.first("SELECT value FROM meta WHERE key = 'own'")?.[0];
    if (before === digest) return;
    this.#within(() => {
      for (const table of ['units', 'folders', 'messages', 'journal', 'tallies', 'people'])
        this.#database.run(`DELETE FROM ${table}`);
      this.#database.run('UPDATE totals SET people = 0, messages = 0, left_out = 0');
      this.#database.run("INSERT OR REPLACE INTO meta VALUES ('own', ?)", digest);
    });
  }
}
