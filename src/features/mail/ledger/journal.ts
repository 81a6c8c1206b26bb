/** Counted messages not settled yet: in memory, and stored batch by batch, so a batch costs one row and a kill loses nothing. */
import { type Blob, bytesOf, type Database } from '../../../store/database.ts';
import { addressesIn } from '../people/name.ts';
import type { Tallies, Tally } from './tally.ts';
import { type Mailbox, type Messages, NO_TIME } from './types.ts';

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
/** More than the readers at a time: older arrays of mailboxes are not used any more. */
const MOST_READERS = 8;
const UNNAMED = -1;

/** Mail without a time counts as older than any removal. */
const timeOf = (ms: number): number => (ms === NO_TIME ? 0 : ms);

/** The bytes of a column as the machine has them: the journal is read where it was written. */
const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
/** The same numbers, at an address that suits them. */
const aligned = (blob: Blob): ArrayBuffer => Uint8Array.from(bytesOf(blob)).buffer;

export class Journal {
  readonly #database: Database;
  readonly #empty: () => Tallies;
  readonly #forgottenMs: (address: string) => number | null;
  #waiting: Tallies;
  /** Mailboxes that are named by what waits, in the order in which they first were. */
  #mailboxes: (Mailbox | null)[] = [];
  /** Their places, by those of each reader. */
  #places = new Map<Messages['mailboxes'], number[]>();
  /** Place of a mailbox that is not counted. */
  #unnamed = UNNAMED;

  /** `empty`: makes empty tallies; `forgottenMs`: until when mail does not name an address, null for one that was not removed. */
  constructor(database: Database, empty: () => Tallies, forgottenMs: (address: string) => number | null) {
    this.#database = database;
    this.#empty = empty;
    this.#forgottenMs = forgottenMs;
    this.#waiting = empty();
    this.reload();
  }

  /** Addresses that wait, at most. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Nothing is written. */
  get empty(): boolean {
    return this.#mailboxes.length === 0;
  }

  /** Messages with their `COUNTED` flags. They do not name people who were removed later. Within a transaction. */
  add(messages: Messages): void {
    const { times, flags, ends, keys } = messages;
    if (messages.named.length === 0) return;
    const known = this.#mailboxes.length;
    const own = this.#placesOf(messages);
    const people = this.#mailboxes.slice(known).flatMap((box) => [box?.address ?? '', box?.name ?? '']);
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
    this.#unnamed = UNNAMED;
  }

  /** Of what is named the places here. */
  #placesOf({ named, ends, times, mailboxes }: Messages): Uint32Array {
    if (this.#places.size >= MOST_READERS && !this.#places.has(mailboxes)) this.#places.clear();
    const places = this.#places.get(mailboxes) ?? [];
    this.#places.set(mailboxes, places);
    while (places.length < mailboxes.length) places.push(UNNAMED);
    let row = 0;
    return named.map((mailbox, at) => {
      while (at >= (ends[3 * row + 2] as number)) row += 1;
      const known = places[mailbox] as number;
      if (known !== UNNAMED) return known;
      const box = mailboxes[mailbox] ?? null;
      const timeMs = timeOf(times[row] as number);
      const forgottenMs = box === null ? null : this.#forgottenMs(box.address);
      if (forgottenMs !== null && timeMs <= forgottenMs) return this.#unnamedPlace();
      const nameMs = box === null ? null : this.#nameForgottenMs(box.name);
      const kept = box !== null && nameMs !== null && timeMs <= nameMs ? { ...box, name: '' } : box;
      const place = this.#mailboxes.push(kept) - 1;
      // For a removed person each message is checked.
      if (forgottenMs === null && nameMs === null) places[mailbox] = place;
      return place;
    });
  }

  /** Until when mail must not show a name, because it contains the address of a removed person; null for any other name. */
  #nameForgottenMs(name: string): number | null {
    const times = addressesIn(name).flatMap((address) => this.#forgottenMs(address) ?? []);
    return times.length === 0 ? null : Math.max(...times);
  }

  #unnamedPlace(): number {
    if (this.#unnamed === UNNAMED) this.#unnamed = this.#mailboxes.push(null) - 1;
    return this.#unnamed;
  }
}
