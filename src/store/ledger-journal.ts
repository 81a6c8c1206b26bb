/**
 * What was counted and waits to be settled: added up in memory, and in the database as it came, batch by batch. So a batch costs
 * one row however many people it names, and a kill loses none of it.
 */
import { type Blob, bytesOf, type Database } from './database.ts';
import type { Tallies, Tally } from './ledger-tally.ts';
import type { Mailbox, Messages } from './ledger-types.ts';

interface Row {
  readonly people: string;
  readonly times: Blob;
  readonly flags: Blob;
  readonly named: Blob;
  readonly ends: Blob;
}

const order = (a: readonly [string, unknown], b: readonly [string, unknown]): number =>
  a[0] < b[0] ? -1 : 1;

const INSERT = 'INSERT INTO journal (people, times, flags, named, ends) VALUES (?, ?, ?, ?, ?)';
/** Readers at a time are fewer: of arrays of mailboxes before them nothing comes any more. */
const MOST_READERS = 8;
const UNNAMED = -1;

/** The bytes of a column as the machine has them: the journal is read where it was written. */
const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
/** The same numbers, at an address that suits them. */
const aligned = (blob: Blob): ArrayBuffer => Uint8Array.from(bytesOf(blob)).buffer;

export class Journal {
  readonly #database: Database;
  readonly #empty: () => Tallies;
  #waiting: Tallies;
  /** Mailboxes that are named by what waits, in the order in which they first were. */
  #mailboxes: (Mailbox | null)[] = [];
  /** Their places, by those of each reader. */
  #places = new Map<Messages['mailboxes'], number[]>();

  /** `empty`: tallies of nothing, to add up in. */
  constructor(database: Database, empty: () => Tallies) {
    this.#database = database;
    this.#empty = empty;
    this.#waiting = empty();
    this.reload();
  }

  /** Addresses that wait, at most. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Messages with what `COUNTED` says of them. Within a transaction. */
  add({ times, flags, named, ends, mailboxes, keys }: Messages): void {
    if (named.length === 0) return;
    const told = this.#mailboxes.length;
    const own = this.#placesOf(named, mailboxes);
    const people = this.#mailboxes.slice(told).flatMap((box) => [box?.address ?? '', box?.name ?? '']);
    const columns = [times, flags, own, ends].map(bytes);
    this.#database.run(INSERT, JSON.stringify(people), ...columns);
    this.#waiting.add({ keys, times, flags, named: own, ends, mailboxes: this.#mailboxes });
  }

  /** Takes all that waits, in the order of addresses: neighbours share pages of the tables. Within a transaction. */
  take(): [address: string, tally: Tally][] {
    const all = [...this.#waiting.all()].sort(order);
    this.#database.run('DELETE FROM journal');
    this.#begin();
    return all;
  }

  /** What is in memory is read again, as after a transaction that failed. */
  reload(): void {
    this.#begin();
    for (const row of this.#database.all<Row>('SELECT * FROM journal ORDER BY number')) {
      const people = JSON.parse(row.people) as string[];
      for (let at = 0; at < people.length; at += 2) {
        const address = people[at] as string;
        this.#mailboxes.push(address === '' ? null : { address, name: people[at + 1] as string });
      }
      this.#waiting.add({
        keys: new Uint8Array(),
        times: new Float64Array(aligned(row.times)),
        flags: bytesOf(row.flags),
        named: new Uint32Array(aligned(row.named)),
        ends: new Uint32Array(aligned(row.ends)),
        mailboxes: this.#mailboxes,
      });
    }
  }

  #begin(): void {
    this.#waiting = this.#empty();
    this.#mailboxes = [];
    this.#places.clear();
  }

  /** Of what is named the places here. */
  #placesOf(named: Uint32Array, mailboxes: Messages['mailboxes']): Uint32Array {
    if (this.#places.size >= MOST_READERS && !this.#places.has(mailboxes)) this.#places.clear();
    const places = this.#places.get(mailboxes) ?? [];
    this.#places.set(mailboxes, places);
    while (places.length < mailboxes.length) places.push(UNNAMED);
    return named.map((mailbox) => {
      const known = places[mailbox] as number;
      if (known !== UNNAMED) return known;
      const place = this.#mailboxes.push(mailboxes[mailbox] ?? null) - 1;
      places[mailbox] = place;
      return place;
    });
  }
}
