/**
 * What was counted and waits to be settled: in memory, and in the database as it came, batch by batch. So a batch costs one row
 * however many people it names, and a kill loses none of it.
 */
import type { Database } from './database.ts';
import type { Tally } from './ledger-tally.ts';

type Entry = readonly [
  address: string,
  received: number,
  sent: number,
  copied: number,
  opening: number,
  lastMs: number,
  traits: number,
  fresh: boolean,
  names: readonly (readonly [string, number])[],
];

const order = (a: readonly [string, unknown], b: readonly [string, unknown]): number =>
  a[0] < b[0] ? -1 : 1;

function merge(into: Tally, more: Tally): void {
  into.received += more.received;
  into.sent += more.sent;
  into.copied += more.copied;
  into.opening = Math.min(into.opening, more.opening);
  into.lastMs = Math.max(into.lastMs, more.lastMs);
  into.traits |= more.traits;
  into.fresh ||= more.fresh;
  if (more.names === null) return;
  into.names ??= new Map();
  for (const [name, seen] of more.names) into.names.set(name, (into.names.get(name) ?? 0) + seen);
}

export class Journal {
  readonly #database: Database;
  #waiting = new Map<string, Tally>();

  constructor(database: Database) {
    this.#database = database;
    this.reload();
  }

  /** Addresses that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Within a transaction. */
  add(people: ReadonlyMap<string, Tally>): void {
    if (people.size === 0) return;
    const entries: Entry[] = [];
    for (const [address, one] of people) {
      const { received, sent, copied, opening, lastMs, traits, fresh, names } = one;
      entries.push([
        address,
        received,
        sent,
        copied,
        opening,
        lastMs,
        traits,
        fresh,
        names === null ? [] : [...names],
      ]);
      this.#wait(address, one);
    }
    this.#database.run('INSERT INTO journal (entries) VALUES (?)', JSON.stringify(entries));
  }

  /** Takes all that waits, in the order of addresses: neighbours share pages of the tables. Within a transaction. */
  take(): [address: string, tally: Tally][] {
    const all = [...this.#waiting].sort(order);
    this.#database.run('DELETE FROM journal');
    this.#waiting = new Map();
    return all;
  }

  /** What is in memory is read again, as after a transaction that failed. */
  reload(): void {
    this.#waiting = new Map();
    for (const { entries } of this.#database.all<{ entries: string }>(
      'SELECT entries FROM journal ORDER BY number',
    ))
      for (const [address, received, sent, copied, opening, lastMs, traits, fresh, names] of JSON.parse(
        entries,
      ) as Entry[])
        this.#wait(address, {
          received,
          sent,
          copied,
          opening,
          lastMs,
          traits,
          fresh,
          message: -1,
          names: names.length === 0 ? null : new Map(names),
        });
  }

  #wait(address: string, one: Tally): void {
    const before = this.#waiting.get(address);
    if (before === undefined) this.#waiting.set(address, one);
    else merge(before, one);
  }
}
