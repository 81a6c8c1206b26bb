/**
 * Tallies become persons: names in order, rank, what is odd, whom they look like. Whatever the order of messages was and however
 * often it was settled between, the outcome is the same.
 */
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { domainPart, isProgram } from '../people/address.ts';
import { Known } from '../people/lookalike.ts';
import { folded, openNames } from '../people/name.ts';
import { oddOf } from '../people/odd.ts';
import { rankOf } from '../people/rank.ts';
import { nameSkeleton } from '../people/skeleton.ts';
import type { Database } from './database.ts';
import type { TallyRow } from './ledger-rows.ts';
import { BY_HAND, CONTACTS, contactOf, firstMsOf, STRAIGHT, UNKNOWN_MS } from './ledger-tally.ts';

/** Names told of a person. */
const TOLD_NAMES = 8;

const COLUMNS = [
  'address',
  'domain',
  'name',
  'names',
  'first_ms',
  'last_ms',
  'contact',
  'received',
  'sent',
  'copied',
  'list',
  'automated',
  'odd',
  'like_domain',
  'like_name',
  'name_skeleton',
  'rank',
  'name_key',
  'search',
  'open_search',
];
const INSERT = `INSERT INTO people (id, ${COLUMNS.join(', ')}) VALUES (?, ${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (address) DO UPDATE SET ${COLUMNS.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** Code points of a name that decide its order. Folding makes up to 18 of one, and a cursor holds them all. */
const ORDERING = 128;
const keyOf = (name: string): string => [...folded(name)].slice(0, ORDERING).join('');
/** Sorts behind every name. */
const NAMELESS = '\u{10ffff}';

/** An id that says nothing of the address to those without the key; below 2^48. */
const idOf = (key: string, address: string): number =>
  hash('sha256', `${key} id ${address}`, 'buffer').readUIntBE(0, 6);

export class Settler {
  readonly #database: Database;
  readonly #key: string;
  /** Domains and names of people who were written to, as the people of the table have them; null: to be read. */
  #known: Known | null = null;

  constructor(database: Database, key: string) {
    this.#database = database;
    this.#key = key;
  }

  /** Makes persons of rows that changed, within a transaction of the caller's. The last in rank give way where there is no room. */
  settle(rows: readonly TallyRow[], maxPeople: number): void {
    const known = this.#knownPeople();
    const news = { domains: false, names: new Set<string>() };
    let added = 0;
    for (const row of rows) added += this.#person(row, known, news);
    if (added > 0) this.#database.run('UPDATE totals SET people = people + ?', added);
    this.#compare(known, news.domains, news.names);
    const over = this.#database.number('SELECT people FROM totals') - maxPeople;
    if (over > 0) this.#leaveOut(over);
  }

  /** Removes persons, within a transaction of the caller's. How many there were. */
  remove(addresses: readonly string[]): number {
    let people = 0;
    let known = false;
    for (const address of addresses) {
      const row = this.#database.first('SELECT sent FROM people WHERE address = ?', address);
      if (row !== undefined) people += 1;
      if (Number(row?.[0] ?? 0) > 0) known = true;
      for (const table of ['people', 'tallies'])
        this.#database.run(`DELETE FROM ${table} WHERE address = ?`, address);
    }
    if (people > 0) this.#database.run('UPDATE totals SET people = people - ?', people);
    if (known) this.#lookAnew();
    return people;
  }

  /** Who is known is read again, as after a change that was rolled back. */
  forgetKnown(): void {
    this.#known = null;
  }

  #knownPeople(): Known {
    if (this.#known !== null) return this.#known;
    const known = new Known();
    for (const { address, name } of this.#database.all<{ address: string; name: string }>(
      'SELECT address, name FROM people WHERE sent > 0',
    ))
      known.add(address, name);
    this.#known = known;
    return known;
  }

  /** Writes one person; 1 when they are new. */
  #person(row: TallyRow, known: Known, news: { domains: boolean; names: Set<string> }): number {
    const database = this.#database;
    const { address, received, sent, copied } = row;
    const domain = domainPart(address);
    const names = [...row.names]
      .sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1))
      .slice(0, TOLD_NAMES)
      .map(([each]) => each);
    const [name = ''] = names;
    if (sent > 0) {
      const change = known.add(address, name);
      if (change.domain !== null) news.domains = true;
      for (const each of change.names) news.names.add(each);
    }
    const list = received > 0 && (row.traits & STRAIGHT) === 0;
    const automated = isProgram(address) || (received > 0 && (row.traits & BY_HAND) === 0);
    const lastMs = row.lastMs === UNKNOWN_MS ? null : row.lastMs;
    const open = openNames(address, names);
    const shown = domain.includes('xn--') ? `${domain}\n${domainToUnicode(domain)}` : domain;
    const values = [
      address,
      domain,
      name,
      JSON.stringify(names),
      firstMsOf(row.opening),
      row.lastMs,
      CONTACTS.indexOf(contactOf(row.opening)),
      received,
      sent,
      copied,
      Number(list),
      Number(automated),
      JSON.stringify(oddOf(address, names)),
      known.likeDomain(domain) ?? '',
      known.likeName(address, nameSkeleton(name)) ?? '',
      nameSkeleton(name),
      rankOf({ received, sent, copied, lastMs, list, automated }),
      `${keyOf(open[0] ?? '') || NAMELESS}\n${domain}`,
      folded([address, shown, ...names].join('\n')),
      folded([shown, ...open].join('\n')),
    ];
    const before = database.first('SELECT id FROM people WHERE address = ?', address)?.[0];
    database.run(INSERT, before === undefined ? this.#freeId(address) : (before as number), ...values);
    return before === undefined ? 1 : 0;
  }

  #freeId(address: string): number {
    let id = idOf(this.#key, address);
    while (this.#database.first('SELECT 1 FROM people WHERE id = ?', id) !== undefined) id += 1;
    return id;
  }

  /** Others are told anew whom they look like when domains or names became known, or stand for other people. */
  #compare(known: Known, domains: boolean, names: ReadonlySet<string>): void {
    const database = this.#database;
    if (domains) {
      const now = new Map<string, string>();
      for (const { domain, like_domain } of database.all<{ domain: string; like_domain: string }>(
        'SELECT DISTINCT domain, like_domain FROM people',
      )) {
        let like = now.get(domain);
        if (like === undefined) {
          like = known.likeDomain(domain) ?? '';
          now.set(domain, like);
        }
        if (like !== like_domain)
          database.run(
            'UPDATE people SET like_domain = ? WHERE domain = ? AND like_domain = ?',
            like,
            domain,
            like_domain,
          );
      }
    }
    for (const skeleton of names)
      for (const { id, address, like_name } of database.all<{
        id: number;
        address: string;
        like_name: string;
      }>(
        "SELECT id, address, like_name FROM people WHERE name_skeleton = ? AND name_skeleton <> ''",
        skeleton,
      )) {
        const like = known.likeName(address, skeleton) ?? '';
        if (like !== like_name) database.run('UPDATE people SET like_name = ? WHERE id = ?', like, id);
      }
  }

  /** After somebody who was written to is gone. */
  #lookAnew(): void {
    this.#known = null;
    const names = this.#database.all<{ name_skeleton: string }>(
      "SELECT DISTINCT name_skeleton FROM people WHERE like_name <> ''",
    );
    this.#compare(this.#knownPeople(), true, new Set(names.map(({ name_skeleton }) => name_skeleton)));
  }

  /** The last ones give way. */
  #leaveOut(over: number): void {
    const last = this.#database.all<{ address: string }>(
      'SELECT address FROM people ORDER BY rank DESC, id DESC LIMIT ?',
      over,
    );
    this.remove(last.map(({ address }) => address));
    this.#database.run('UPDATE totals SET left_out = left_out + ?', over);
  }
}
