/** The people ledger as its readers have it, the service and its commands: never written to, and empty where there is none yet. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../../base/desk-error.ts';
import { codeOf, diskTroubleOf } from '../../../base/error-code.ts';
import type {
  LedgerPerson,
  LedgerTotals,
  PeopleOrder,
  PeoplePage,
  PeopleQuery,
  Warning,
} from '../../../records/ledger.ts';
import { type Database, openDatabase, READ_ONLY, type Value } from '../../../store/database.ts';
import { isRegularFile } from '../../../store/regular-file.ts';
import { folded, openNames } from '../people/name.ts';
import { cursorOf, positionOf } from './cursor.ts';
import { ledgerMigrations, ledgerName, ledgerTrust } from './form.ts';
import { CONTACTS, UNKNOWN_MS } from './tally.ts';

export interface LedgerReader {
  /** By an address in its normal form (`addressOf`); null when no person has it. */
  who(address: string): LedgerPerson | null;
  /**
   * Null: the cursor is none that was given out for this query. In open mode a person's `address` is their domain alone, and names
   * that tell an address are left out.
   */
  page(query: PeopleQuery): PeoplePage | null;
  totals(): LedgerTotals;
  /** Everybody, in order of rank; what changes meanwhile may show or not. */
  all(): Generator<LedgerPerson>;
  close(): void;
}

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

/** Without what tells a local part. */
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

interface Open {
  readonly database: Database;
  readonly inode: number;
  readonly key: string;
}

export function openLedgerReader(folder: string): LedgerReader {
  const path = join(folder, ledgerName);
  let open: Open | null = null;
  /** Not asked before this time of the monotonic clock: each question to a locked file would wait anew. */
  let askAgainMs = Number.NEGATIVE_INFINITY;

  const close = (): void => {
    open?.database.close();
    open = null;
  };

  /** The ledger that stands there now: its writer may have made it, or set it aside, since. Null while there is none. */
  function standing(): Open | null {
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
      // Its writer has just begun.
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

  /** What SQLite refuses is told as a trouble of the ledger. */
  function asking<T>(none: T, work: (open: Open) => T): T {
    if (performance.now() < askAgainMs) throw unreadable('SQLITE_BUSY');
    try {
      const ledger = standing();
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

  const totalsOf = ({ database }: Open): LedgerTotals => {
    const [people = 0, messages = 0, leftOut = 0] = database.first(
      'SELECT people, messages, left_out FROM totals',
    ) as readonly number[];
    return { people, messages, leftOut };
  };

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
    // As many and one: whether there is a next page.
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
        ? totalsOf(ledger).people
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
    who: (address) =>
      asking(null, ({ database }) => {
        const row = database.first(WHO, address);
        return row === undefined ? null : personOf(row);
      }),
    page: (query) =>
      asking(query.cursor === undefined ? { total: 0, people: [], next: null } : null, (ledger) =>
        pageOf(ledger, query),
      ),
    totals: () => asking(EMPTY, totalsOf),
    *all() {
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
