/**
 * Tallies become persons: names in order, rank, what is odd, whom they look like. Whatever the order of messages was and however
 * often it was settled between, the outcome is the same.
 */
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { MOST_NAMES } from '../../../records/ledger.ts';
import type { Database } from '../../../store/database.ts';
import { domainPart, isProgram } from '../people/address.ts';
import { Known } from '../people/lookalike.ts';
import { folded, openNames } from '../people/name.ts';
import { oddOf } from '../people/odd.ts';
import { rankOf } from '../people/rank.ts';
import { nameSkeleton } from '../people/skeleton.ts';
import type { TallyRow } from './rows.ts';
import { findAll, insertAll, insertOf } from './rows-at-once.ts';
import { BY_HAND, CONTACTS, contactOf, firstMsOf, STRAIGHT, UNKNOWN_MS } from './tally.ts';

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
const INSERT = insertOf(
  'people',
  ['id', ...COLUMNS],
  `ON CONFLICT (address) DO UPDATE SET ${COLUMNS.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`,
);
const SELECT_IDS = 'SELECT address, id FROM people WHERE address IN (SELECT value FROM json_each(?))';
const SELECT_TAKEN = 'SELECT id FROM people WHERE id IN (SELECT value FROM json_each(?))';

/** The table grows at its end where it was empty. */
const byId = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (a as number) - (b as number);

/** New persons for whom making indexes anew is not worth it. */
const FEW = 1000;

/** Code points of a name that decide its order. Folding makes up to 18 of one, and a cursor holds them all. */
const ORDERING = 128;
function keyOf(name: string): string {
  const key = folded(name);
  return key.length <= ORDERING ? key : [...key].slice(0, ORDERING).join('');
}
/** Sorts behind every name. */
const NAMELESS = '\u{10ffff}';

/** An id that says nothing of the address to those without the key; below 2^48. */
const idOf = (key: string, address: string): number =>
  hash('sha256', `${key} id ${address}`, 'buffer').readUIntBE(0, 6);

/** The names told of a person, the most frequent first. */
const namesOf = ({ names }: TallyRow): string[] =>
  [...names]
    .sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1))
    .slice(0, MOST_NAMES)
    .map(([each]) => each);

interface Named {
  readonly row: TallyRow;
  readonly names: readonly string[];
  readonly skeleton: string;
}

const named = (row: TallyRow): Named => {
  const names = namesOf(row);
  return { row, names, skeleton: nameSkeleton(names[0] ?? '') };
};

/** Whom domains look like, each told once while nobody becomes known. */
class Likes {
  readonly #known: Known;
  readonly #domains = new Map<string, string>();

  constructor(known: Known) {
    this.#known = known;
  }

  domain(domain: string): string {
    let like = this.#domains.get(domain);
    if (like === undefined) {
      like = this.#known.likeDomain(domain) ?? '';
      this.#domains.set(domain, like);
    }
    return like;
  }
}

/** A person's values of `COLUMNS`. */
function columnsOf({ row, names, skeleton }: Named, known: Known, likes: Likes): (string | number)[] {
  const { address, received, sent, copied } = row;
  const domain = domainPart(address);
  const [name = ''] = names;
  const list = received > 0 && (row.traits & STRAIGHT) === 0;
  const automated = isProgram(address) || (received > 0 && (row.traits & BY_HAND) === 0);
  const lastMs = row.lastMs === UNKNOWN_MS ? null : row.lastMs;
  const open = openNames(address, names);
  const shown = domain.includes('xn--') ? `${domain}\n${domainToUnicode(domain)}` : domain;
  return [
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
    likes.domain(domain),
    known.likeName(address, skeleton) ?? '',
    skeleton,
    rankOf({ received, sent, copied, lastMs, list, automated }),
    `${keyOf(open[0] ?? '') || NAMELESS}\n${domain}`,
    folded([address, shown, ...names].join('\n')),
    folded([shown, ...open].join('\n')),
  ];
}

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
    const people = rows.map(named);
    for (const { row, skeleton } of people) {
      if (row.sent === 0) continue;
      const change = known.add(row.address, skeleton);
      if (change.domain !== null) news.domains = true;
      for (const each of change.names) news.names.add(each);
    }
    const { ids, added } = this.#idsOf(rows);
    const likes = new Likes(known);
    const values = people.map((one, at) => [ids[at] as number, ...columnsOf(one, known, likes)]).sort(byId);
    const before = this.#database.number('SELECT people FROM totals');
    const write = (): void => insertAll(this.#database, INSERT, values);
    if (added > Math.max(FEW, before)) this.#withoutIndexes(write);
    else write();
    if (added > 0) this.#database.run('UPDATE totals SET people = people + ?', added);
    // Whoever was written now was compared with all who are known.
    if (before + added > rows.length) this.#compare(known, news.domains, news.names);
    const over = before + added - maxPeople;
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
      known.add(address, nameSkeleton(name));
    this.#known = known;
    return known;
  }

  /** Of each the id that they have, else a free one; and how many are new. */
  #idsOf(rows: readonly TallyRow[]): { ids: number[]; added: number } {
    const database = this.#database;
    const addresses = rows.map(({ address }) => address);
    const there = new Map(
      findAll(database, SELECT_IDS, addresses) as unknown as (readonly [string, number])[],
    );
    const wanted = addresses.map((address) => there.get(address) ?? idOf(this.#key, address));
    const isNew = addresses.map((address) => !there.has(address));
    const taken = new Set(
      findAll(
        database,
        SELECT_TAKEN,
        wanted.filter((_, at) => isNew[at]),
      ).map(([id]) => id as number),
    );
    const ids = wanted.map((wish, at) => {
      if (!isNew[at]) return wish;
      let id = wish;
      while (taken.has(id)) {
        id += 1;
        if (database.first('SELECT 1 FROM people WHERE id = ?', id) !== undefined) taken.add(id);
      }
      taken.add(id);
      return id;
    });
    return { ids, added: addresses.length - there.size };
  }

  /** Indexes of a table that grows manifold cost less when they are made anew than when each row is added to all of them. */
  #withoutIndexes(write: () => void): void {
    const indexes = this.#database.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'people' AND sql IS NOT NULL",
    );
    for (const { name } of indexes) this.#database.script(`DROP INDEX ${name}`);
    write();
    for (const { sql } of indexes) this.#database.script(sql);
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
