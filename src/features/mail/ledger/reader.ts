/** The people ledger, read-only: empty while there is none. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../../base/desk-error.ts';
import { codeOf, diskTroubleOf } from '../../../base/error-code.ts';
import {
  type LedgerPerson,
  type LedgerTotals,
  LONGEST_CURSOR,
  type PeopleOrder,
  type PeoplePage,
  type PeopleQuery,
  type Warning,
} from '../../../records/ledger.ts';
import { type Database, openDatabase, READ_ONLY, type Value } from '../../../store/database.ts';
import { isRegularFile } from '../../../store/regular-file.ts';
import { folded, openNames } from '../people/name.ts';
import { ledgerMigrations, ledgerName, ledgerTrust, totalsOf } from './form.ts';
import { CONTACTS, UNKNOWN_MS } from './tally.ts';

const COLUMNS =
  'address, name, names, first_ms, last_ms, contact, received, sent, copied, list, automated, odd, like_domain, like_name, id';
const WHO = `SELECT ${COLUMNS} FROM people WHERE address = ?`;
const ID = 14;

/** Column and direction of each order; each has an index, the id decides between equals. */
const ORDERS: Readonly<Record<PeopleOrder, { readonly column: string; readonly falling: boolean }>> = {
  rank: { column: 'rank', falling: false },
  name: { column: 'name_key', falling: false },
  first_seen: { column: 'first_ms', falling: true },
  last_seen: { column: 'last_ms', falling: true },
  received: { column: 'received', falling: true },
  sent: { column: 'sent', falling: true },
};

const EMPTY: LedgerTotals = { people: 0, messages: 0, leftOut: 0 };
const STRETCH = 500;
/** A locked ledger is asked again this much later. */
const ASK_AGAIN_MS = 1_000;

type Row = readonly Value[];
const msOf = (value: Value | undefined): number | null => (value === UNKNOWN_MS ? null : (value as number));

function warningsOf(odd: string, likeDomain: string, likeName: string): Warning[] {
  const warnings = odd === '[]' ? [] : (JSON.parse(odd) as Warning[]);
  if (likeDomain !== '') warnings.push({ kind: 'lookalike-domain', about: likeDomain });
  if (likeName !== '') warnings.push({ kind: 'lookalike-name', about: likeName });
  return warnings;
}

/** Columns as in `COLUMNS`. */
function personOf(row: Row): LedgerPerson {
  const [address, name, names, first, last, contact, received, sent, copied, list, automated] = row;
  return {
    address: address as string,
    name: name as string,
    names: JSON.parse(names as string) as string[],
    firstMs: msOf(first),
    lastMs: msOf(last),
    firstContact: CONTACTS[contact as number] ?? 'beside',
    received: received as number,
    sent: sent as number,
    copied: copied as number,
    list: list === 1,
    automated: automated === 1,
    warnings: warningsOf(row[11] as string, row[12] as string, row[13] as string),
  };
}

const domainOnly = (text: string): string => text.slice(text.lastIndexOf('@') + 1);

/** Without local parts. */
function opened(person: LedgerPerson): LedgerPerson {
  const names = openNames(person.address, person.names);
  return {
    ...person,
    address: domainOnly(person.address),
    name: names[0] ?? '',
    names,
    warnings: person.warnings.map(({ kind, about }) => ({ kind, about: domainOnly(about) })),
  };
}

/** Where a page ended: the order's value of the last person, and their id. */
interface Position {
  readonly value: number | string;
  readonly id: number;
}

const SEAL_BYTES = 12;

type Asked = Pick<PeopleQuery, 'q' | 'sort' | 'open'>;

/** A cursor is sealed for its query: only those that were given out are accepted. */
const sealOf = (key: string, { q, sort, open }: Asked, body: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['cursor', q, sort, open]))
    .update('\0')
    .update(body)
    .digest()
    .subarray(0, SEAL_BYTES);

function cursorOf(key: string, asked: Asked, { value, id }: Position): string {
  const body = Buffer.from(JSON.stringify([value, id]), 'utf8');
  return Buffer.concat([sealOf(key, asked, body), body]).toString('base64url');
}

/** Null for a cursor that this ledger did not give out for this query. */
function positionOf(key: string, asked: Asked, cursor: string): Position | null {
  if (cursor.length > LONGEST_CURSOR || !/^[\w-]+$/.test(cursor)) return null;
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(SEAL_BYTES);
  if (bytes.length <= SEAL_BYTES || !timingSafeEqual(bytes.subarray(0, SEAL_BYTES), sealOf(key, asked, body)))
    return null;
  // The fill bits of the last character are not sealed.
  if (bytes.toString('base64url') !== cursor) return null;
  const [value, id] = JSON.parse(body.toString('utf8')) as [number | string, number];
  return { value, id };
}

interface Open {
  readonly database: Database;
  readonly inode: number;
  readonly key: string;
}

export type LedgerReader = ReturnType<typeof openLedgerReader>;

export function openLedgerReader(folder: string) {
  const path = join(folder, ledgerName);
  let open: Open | null = null;
  /** Not read before this time of the monotonic clock: every query of a locked file would wait again. */
  let askAgainMs = Number.NEGATIVE_INFINITY;

  const close = (): void => {
    open?.database.close();
    open = null;
  };

  /** The ledger at the path now: its writer may have created or replaced it since. Null while there is none. */
  function current(): Open | null {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (open !== null && open.inode === inode) return open;
    close();
    if (inode === undefined || !isRegularFile(path, ledgerTrust(path))) return null;
    const database = openDatabase(path, READ_ONLY);
    try {
      const version = database.number('PRAGMA user_version');
      const newest = ledgerMigrations.at(-1)?.version ?? 0;
      if (version > newest)
        throw new DeskError(
          'refused',
          `The people ledger ${path} has form ${version}; this desk knows forms up to ${newest}.`,
          'Run the newer desk that wrote it, or set DESK_STATE to another folder.',
        );
      const key =
        version < newest ? undefined : database.first("SELECT value FROM meta WHERE key = 'key'")?.[0];
      // Its writer is just creating it.
      if (key === undefined) {
        database.close();
        return null;
      }
      open = { database, inode, key: String(key) };
      return open;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Errors of SQLite become a DeskError about the ledger. */
  function asking<T>(none: T, work: (open: Open) => T): T {
    if (performance.now() < askAgainMs) throw unreadable('SQLITE_BUSY');
    try {
      const ledger = current();
      return ledger === null ? none : work(ledger);
    } catch (error) {
      const code = codeOf(error);
      if (!code.startsWith('SQLITE_')) throw error;
      close();
      if (diskTroubleOf(code) === 'locked') askAgainMs = performance.now() + ASK_AGAIN_MS;
      throw unreadable(code);
    }
  }

  const unreadable = (code: string): DeskError =>
    new DeskError(
      'unavailable',
      `The people ledger ${path} cannot be read (${code}).`,
      diskTroubleOf(code) === 'locked'
        ? 'Another program holds it: end that program (fuser people.db), and ask again.'
        : 'Make the file yours (chmod 600); a damaged one is set aside when the service starts, and all mail is read again.',
    );

  function pageOf(ledger: Open, query: PeopleQuery): PeoplePage | null {
    const { database, key } = ledger;
    const { column, falling } = ORDERS[query.sort];
    const from = query.cursor === undefined ? null : positionOf(key, query, query.cursor);
    if (query.cursor !== undefined && from === null) return null;
    const q = folded(query.q.trim());
    const matches = q === '' ? '' : `instr(${query.open ? 'open_search' : 'search'}, ?) > 0`;
    const values: Value[] = q === '' ? [] : [q];
    const beyond = from === null ? '' : `(${column}, id) ${falling ? '<' : '>'} (?, ?)`;
    const where = [matches, beyond].filter((part) => part !== '').join(' AND ');
    const direction = falling ? 'DESC' : 'ASC';
    // One more than the page: it shows whether there is a next one.
    const rows = database.lists(
      `SELECT ${COLUMNS}, ${column} FROM people ${where === '' ? '' : `WHERE ${where}`}
       ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
      ...values,
      ...(from === null ? [] : [from.value, from.id]),
      query.limit + 1,
    );
    const shown = rows.slice(0, query.limit);
    const people = shown.map(personOf);
    const last = shown.at(-1);
    const total =
      q === ''
        ? totalsOf(database).people
        : (database.first(`SELECT count(*) FROM people WHERE ${matches}`, q)?.[0] as number);
    return {
      total,
      people: query.open ? people.map(opened) : people,
      next:
        rows.length > shown.length && last !== undefined
          ? cursorOf(key, query, { value: last[ID + 1] as string | number, id: last[ID] as number })
          : null,
    };
  }

  return {
    /** By an address in its normal form (`addressOf`); null when no person has it. */
    who: (address: string): LedgerPerson | null =>
      asking(null, ({ database }) => {
        const row = database.first(WHO, address);
        return row === undefined ? null : personOf(row);
      }),
    /** Null: not a cursor of this query. In open mode `address` is the domain alone, and names with an address are left out. */
    page: (query: PeopleQuery): PeoplePage | null =>
      asking<PeoplePage | null>(
        query.cursor === undefined ? { total: 0, people: [], next: null } : null,
        (ledger) => pageOf(ledger, query),
      ),
    totals: () => asking(EMPTY, ({ database }) => totalsOf(database)),
    /** Everybody, in order of rank; what changes meanwhile may be missing. */
    *all(): Generator<LedgerPerson> {
      let cursor: string | undefined;
      for (;;) {
        const query: PeopleQuery = { q: '', sort: 'rank', limit: STRETCH, cursor, open: false };
        const page = asking(null, (ledger) => pageOf(ledger, query));
        if (page === null) return;
        yield* page.people;
        if (page.next === null) return;
        cursor = page.next;
      }
    },
    close,
  };
}
