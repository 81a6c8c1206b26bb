/** The rows of tallies: what all messages that were counted add up to, per address. */
import type { Database } from './database.ts';
import { drawOf, type Tally } from './ledger-tally.ts';

/** Names kept of an address: robots write in the names of thousands. */
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

const COLUMNS = 'address, received, sent, copied, opening, last_ms, traits, names';
const SELECT = `SELECT ${COLUMNS} FROM tallies WHERE address = ?`;
const UPSERT = `INSERT INTO tallies (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (address) DO UPDATE SET received = excluded.received, sent = excluded.sent, copied = excluded.copied,
    opening = excluded.opening, last_ms = excluded.last_ms, traits = excluded.traits, names = excluded.names`;

const namesIn = (text: string): Map<string, number> => new Map(JSON.parse(text) as [string, number][]);

export function readRow(database: Database, address: string): TallyRow | null {
  const stored = database.first(SELECT, address);
  if (stored === undefined) return null;
  const [, received = 0, sent = 0, copied = 0, opening = 0, lastMs = 0, traits = 0] =
    stored as readonly number[];
  return { address, received, sent, copied, opening, lastMs, traits, names: namesIn(String(stored[7])) };
}

function writeRow(database: Database, row: TallyRow): void {
  const { address, received, sent, copied, opening, lastMs, traits, names } = row;
  const text = names.size === 0 ? '[]' : JSON.stringify([...names]);
  database.run(UPSERT, address, received, sent, copied, opening, lastMs, traits, text);
}

/** Those with the least draw: which ones they are does not depend on the order in which they came. */
function fewOf(names: Map<string, number>): Map<string, number> {
  if (names.size <= KEPT_NAMES) return names;
  const drawn = [...names].map(([name, seen]) => ({ name, seen, draw: drawOf(name) }));
  drawn.sort((a, b) => a.draw - b.draw || (a.name < b.name ? -1 : 1));
  return new Map(drawn.slice(0, KEPT_NAMES).map(({ name, seen }) => [name, seen]));
}

/** Adds what new messages add up to; the row as it is now, or null when that changed nothing. */
export function addToRow(database: Database, address: string, more: Tally): TallyRow | null {
  const before = readRow(database, address);
  // Of somebody who was left out or forgotten, messages that were counted before tell nothing.
  if (before === null && !more.fresh) return null;
  const names = new Map(before?.names);
  if (more.names !== null)
    for (const [name, seen] of more.names) names.set(name, (names.get(name) ?? 0) + seen);
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
  if (!more.fresh && before !== null)
    if (row.opening === before.opening && row.lastMs === before.lastMs && row.traits === before.traits)
      return null;
  writeRow(database, row);
  return row;
}

/** Takes names that tell an address from those of others; the rows as they are now. */
export function dropNamesWith(database: Database, address: string): TallyRow[] {
  const text = JSON.stringify(address).slice(1, -1);
  const found = database.all<{ address: string }>(
    'SELECT address FROM tallies WHERE instr(lower(names), ?) > 0',
    text,
  );
  return found.flatMap((one) => {
    const row = readRow(database, one.address);
    if (row === null) return [];
    const names = new Map([...row.names].filter(([name]) => !name.toLowerCase().includes(address)));
    const less = { ...row, names };
    writeRow(database, less);
    return [less];
  });
}
