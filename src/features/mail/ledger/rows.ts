/** The rows of tallies: what all messages that were counted add up to, per address. */
import type { Database, Value } from '../../../store/database.ts';
import { drawOf, type Tally } from './tally.ts';

/** Names kept of an address: programs send mail under thousands of names. */
const KEPT_NAMES = 64;

export interface TallyRow {
  readonly address: string;
  readonly received: number;
  readonly sent: number;
  readonly copied: number;
  readonly opening: number;
  readonly lastMs: number;
  readonly traits: number;
  /** Name → messages with it. */
  readonly names: ReadonlyMap<string, number>;
}

/** Items of one query: its text is some ten KB. */
const AT_ONCE = 1000;

/** An INSERT that overwrites the row with the same address. */
export const upsertOf = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (address) DO UPDATE SET ${columns
    .filter((column) => column !== 'id' && column !== 'address')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** Rows of a query whose one parameter is a JSON list for json_each(?), for all items. */
export function findAll(
  database: Database,
  sql: string,
  items: readonly (string | number)[],
): (readonly Value[])[] {
  const found: (readonly Value[])[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    found.push(...database.lists(sql, JSON.stringify(items.slice(from, from + AT_ONCE))));
  return found;
}

const COLUMNS = ['address', 'received', 'sent', 'copied', 'opening', 'last_ms', 'traits', 'names'];
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM tallies WHERE address IN (SELECT value FROM json_each(?))`;
const UPSERT = upsertOf('tallies', COLUMNS);

/** Rows of those addresses that have one. */
function readRows(database: Database, addresses: readonly string[]): Map<string, TallyRow> {
  const rows = new Map<string, TallyRow>();
  for (const stored of findAll(database, SELECT, addresses)) {
    const [, received = 0, sent = 0, copied = 0, opening = 0, lastMs = 0, traits = 0] =
      stored as readonly number[];
    const address = String(stored[0]);
    const names = new Map(JSON.parse(String(stored[7])) as [string, number][]);
    rows.set(address, { address, received, sent, copied, opening, lastMs, traits, names });
  }
  return rows;
}

function writeRows(database: Database, rows: readonly TallyRow[]): void {
  for (const { address, received, sent, copied, opening, lastMs, traits, names } of rows) {
    const text = names.size === 0 ? '[]' : JSON.stringify([...names]);
    database.run(UPSERT, address, received, sent, copied, opening, lastMs, traits, text);
  }
}

/** Those with the lowest draw: the choice does not depend on the order of messages. */
function fewOf(names: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (names.size <= KEPT_NAMES) return names;
  const drawn = [...names].map(([name, seen]) => ({ name, seen, draw: drawOf(name) }));
  drawn.sort((a, b) => a.draw - b.draw || (a.name < b.name ? -1 : 1));
  return new Map(drawn.slice(0, KEPT_NAMES).map(({ name, seen }) => [name, seen]));
}

/** The row with what new messages add up to, or null when that changes nothing. */
function added(before: TallyRow | undefined, address: string, more: Tally): TallyRow | null {
  // Messages that were counted before do not bring back a person who was left out or forgotten.
  if (before === undefined && !more.fresh) return null;
  let names: ReadonlyMap<string, number> = before?.names ?? more.names ?? new Map();
  if (before !== undefined && more.names !== null) {
    const all = new Map(names);
    for (const [name, seen] of more.names) all.set(name, (all.get(name) ?? 0) + seen);
    names = all;
  }
  const row: TallyRow = {
    address,
    received: (before?.received ?? 0) + more.received,
    sent: (before?.sent ?? 0) + more.sent,
    copied: (before?.copied ?? 0) + more.copied,
    opening: Math.min(before?.opening ?? more.opening, more.opening),
    lastMs: Math.max(before?.lastMs ?? more.lastMs, more.lastMs),
    traits: (before?.traits ?? 0) | more.traits,
    names: fewOf(names),
  };
  if (!more.fresh && before !== undefined)
    if (row.opening === before.opening && row.lastMs === before.lastMs && row.traits === before.traits)
      return null;
  return row;
}

/** Adds what new messages add up to; returns the changed rows. */
export function addToRows(
  database: Database,
  more: readonly (readonly [address: string, tally: Tally])[],
): TallyRow[] {
  const addresses = more.map(([address]) => address);
  const before = readRows(database, addresses);
  const rows = more.flatMap(([address, tally]) => added(before.get(address), address, tally) ?? []);
  writeRows(database, rows);
  return rows;
}

/** Removes names that contain an address from all rows; returns the changed rows. */
export function dropNamesWith(database: Database, address: string): TallyRow[] {
  const text = JSON.stringify(address).slice(1, -1);
  const found = database.lists('SELECT address FROM tallies WHERE instr(lower(names), ?) > 0', text);
  const rows = readRows(database, found.flat() as string[]);
  const less = [...rows.values()].map((row) => {
    const names = new Map([...row.names].filter(([name]) => !name.toLowerCase().includes(address)));
    return { ...row, names };
  });
  writeRows(database, less);
  return less;
}
