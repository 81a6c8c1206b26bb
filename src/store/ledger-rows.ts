/** The rows of tallies, those that were touched lately in memory: the same people write again and again. */
import type { Database } from './database.ts';
import { drawOf, type Tally } from './ledger-tally.ts';

/** Names kept of an address: robots write in the names of thousands. */
const KEPT_NAMES = 64;
const REMEMBERED = 50_000;

interface Row {
  received: number;
  sent: number;
  copied: number;
  opening: number;
  lastMs: number;
  traits: number;
  /** Name → messages with it. */
  readonly names: Map<string, number>;
}

const COLUMNS = 'received, sent, copied, opening, last_ms, traits, names';
const SELECT = `SELECT ${COLUMNS} FROM tallies WHERE address = ?`;
const UPSERT = `INSERT INTO tallies (address, ${COLUMNS}, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
  ON CONFLICT (address) DO UPDATE SET received = excluded.received, sent = excluded.sent, copied = excluded.copied,
    opening = excluded.opening, last_ms = excluded.last_ms, traits = excluded.traits, names = excluded.names, settled = 0`;

/** Names as they are stored: pairs of name and count. */
export const namesIn = (text: string): [string, number][] =>
  text === '[]' ? [] : (JSON.parse(text) as [string, number][]);

/** Those with the least draw stay: which ones they are does not depend on the order in which they came. */
function keepFew(names: Map<string, number>): void {
  if (names.size <= KEPT_NAMES) return;
  const drawn = [...names.keys()].map((name) => ({ name, draw: drawOf(name) }));
  drawn.sort((a, b) => a.draw - b.draw || (a.name < b.name ? -1 : 1));
  for (const { name } of drawn.slice(KEPT_NAMES)) names.delete(name);
}

export class TallyRows {
  readonly #database: Database;
  readonly #rows = new Map<string, Row>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds what messages add up to for an address; false when that changes nothing. Within a transaction. */
  add(address: string, more: Tally): boolean {
    const known = this.#read(address);
    // Of somebody who was left out or forgotten, messages that were counted before tell nothing.
    if (known === null && !more.fresh) return false;
    const row = known ?? {
      ...{ received: 0, sent: 0, copied: 0, opening: more.opening, lastMs: more.lastMs, traits: 0 },
      names: new Map(),
    };
    const opening = Math.min(row.opening, more.opening);
    const lastMs = Math.max(row.lastMs, more.lastMs);
    const traits = row.traits | more.traits;
    if (!more.fresh && opening === row.opening && lastMs === row.lastMs && traits === row.traits)
      return false;
    row.received += more.received;
    row.sent += more.sent;
    row.copied += more.copied;
    Object.assign(row, { opening, lastMs, traits });
    if (more.names !== null)
      for (const [name, seen] of more.names) row.names.set(name, (row.names.get(name) ?? 0) + seen);
    keepFew(row.names);
    this.#database.run(
      UPSERT,
      ...[address, row.received, row.sent, row.copied, opening, lastMs, traits],
      row.names.size === 0 ? '[]' : JSON.stringify([...row.names]),
    );
    if (known === null) this.#remember(address, row);
    return true;
  }

  /** What is in memory is no longer what is stored: after a failed transaction, and after removals. */
  clear(): void {
    this.#rows.clear();
  }

  #read(address: string): Row | null {
    const row = this.#rows.get(address);
    if (row !== undefined) return row;
    const stored = this.#database.first(SELECT, address);
    if (stored === undefined) return null;
    const [received, sent, copied, opening, lastMs, traits] = stored as readonly number[];
    const read = {
      received,
      sent,
      copied,
      opening,
      lastMs,
      traits,
      names: new Map(namesIn(String(stored[6]))),
    } as Row;
    this.#remember(address, read);
    return read;
  }

  #remember(address: string, row: Row): void {
    if (this.#rows.size >= REMEMBERED) this.#rows.clear();
    this.#rows.set(address, row);
  }
}
