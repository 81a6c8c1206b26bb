/** Tallies become persons: names, rank, what is odd, whom they resemble; the same in any order of messages and of settling. */
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { MOST_NAMES } from '../../../records/ledger.ts';
import type { Database } from '../../../store/database.ts';
import { domainPart, isProgram } from '../people/address.ts';
import { Known } from '../people/lookalike.ts';
import { folded, openNames } from '../people/name.ts';
import { oddOf } from '../people/odd.ts';
import { nameSkeleton } from '../people/skeleton.ts';
import { findAll, type TallyRow, upsertOf } from './rows.ts';
import { BY_HAND, CONTACTS, contactOf, firstMsOf, STRAIGHT } from './tally.ts';

const COLUMNS =
  'address domain name names first_ms last_ms contact received sent copied list automated odd like_domain like_name name_skeleton rank name_key search open_search';
const INSERT = upsertOf('people', `id ${COLUMNS}`.split(' '));
const SELECT_IDS = 'SELECT address, id FROM people WHERE address IN (SELECT value FROM json_each(?))';
const SELECT_TAKEN = 'SELECT id FROM people WHERE id IN (SELECT value FROM json_each(?))';

/** The table grows at its end where it was empty. */
const byId = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (a as number) - (b as number);

/** New persons for whom creating the indexes again is not worth it. */
const FEW = 1000;

/** Code points of a name that decide its order. Folding makes up to 18 of one, and a cursor holds them all. */
const ORDERING = 128;
function keyOf(name: string): string {
  const key = folded(name);
  return key.length <= ORDERING ? key : [...key].slice(0, ORDERING).join('');
}
/** Sorts behind every name. */
const NAMELESS = '\u{10ffff}';

/** Half a year: so much longer ago weighs as much as half as many messages. */
const HALF_LIFE_MS = 182.5 * 86_400_000;
/** Above every time of a message with its messages. */
const TOP = 2 ** 43;

/**
 * Rank in the ledger: those you wrote to first, then the others, programs and lists last; among them the recent and frequent.
 * A number, the smaller the further ahead; below 2^45. Weight decays by the half-life: messages × 2^((last - now) / half-life).
 * Its logarithm orders people in the same way at any time, so ranks do not change as time passes.
 */
function rankOf({ received, sent, copied, lastMs }: TallyRow, list: boolean, automated: boolean): number {
  const tier = automated ? 2 : sent > 0 ? 0 : list ? 2 : 1;
  const messages = 1 + 4 * sent + 2 * received + copied;
  return tier * TOP + TOP - Math.round(Math.max(lastMs, 0) + HALF_LIFE_MS * Math.log2(messages));
}

/** An id that reveals nothing about the address without the key; below 2^48. */
const idOf = (key: string, address: string): number =>
  hash('sha256', `${key} id ${address}`, 'buffer').readUIntBE(0, 6);

/** The names shown of a person, the most frequent first. */
const namesOf = ({ names }: TallyRow): string[] =>
  [...names]
    .sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1))
    .slice(0, MOST_NAMES)
    .map(([each]) => each);

const named = (row: TallyRow) => {
  const names = namesOf(row);
  return { row, names, skeleton: nameSkeleton(names[0] ?? '') };
};

/** A person's values of `COLUMNS`. */
function columnsOf({ row, names, skeleton }: ReturnType<typeof named>, known: Known): (string | number)[] {
  const { address, received, sent, copied } = row;
  const domain = domainPart(address);
  const [name = ''] = names;
  const list = received > 0 && (row.traits & STRAIGHT) === 0;
  const automated = isProgram(address) || (received > 0 && (row.traits & BY_HAND) === 0);
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
    known.likeDomain(domain) ?? '',
    known.likeName(address, skeleton) ?? '',
    skeleton,
    rankOf(row, list, automated),
    `${keyOf(open[0] ?? '') || NAMELESS}\n${domain}`,
    folded([address, shown, ...names].join('\n')),
    folded([shown, ...open].join('\n')),
  ];
}

export class Settler {
  readonly #database: Database;
  readonly #key: string;
  /** Domains and names of people who were written to, as the table has them; null: to be read. */
  #known: Known | null = null;

  constructor(database: Database, key: string) {
    this.#database = database;
    this.#key = key;
  }

  /** Makes persons of rows that changed, within a transaction of the caller. Without room, those of the lowest rank are left out. */
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
    const values = people.map((one, at) => [ids[at] as number, ...columnsOf(one, known)]).sort(byId);
    const before = this.#database.number('SELECT people FROM totals');
    const write = (): void => {
      for (const row of values) this.#database.run(INSERT, ...row);
    };
    if (added > Math.max(FEW, before)) this.#withoutIndexes(write);
    else write();
    if (added > 0) this.#database.run('UPDATE totals SET people = people + ?', added);
    // The rows written now were compared with all known people.
    if (before + added > rows.length) this.#compare(known, news.domains, news.names);
    const over = before + added - maxPeople;
    if (over > 0) this.#leaveOut(over);
  }

  /** Removes persons, within a transaction of the caller. */
  remove(addresses: readonly string[]): void {
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
    if (known) this.#compareAgain();
  }

  /** The known people are read again, as after a rollback. */
  forgetKnown(): void {
    this.#known = null;
  }

  #knownPeople(): Known {
    if (this.#known !== null) return this.#known;
    const known = new Known();
    const written = this.#database.lists('SELECT address, name FROM people WHERE sent > 0');
    for (const [address, name] of written as [string, string][]) known.add(address, nameSkeleton(name));
    this.#known = known;
    return known;
  }

  /** Their ids, free ones for new persons; and how many are new. */
  #idsOf(rows: readonly TallyRow[]): { ids: number[]; added: number } {
    const database = this.#database;
    const addresses = rows.map(({ address }) => address);
    const there = new Map(findAll(database, SELECT_IDS, addresses) as [string, number][]);
    const wanted = addresses.map((address) => there.get(address) ?? idOf(this.#key, address));
    const isNew = addresses.map((address) => !there.has(address));
    const fresh = wanted.filter((_, at) => isNew[at]);
    const taken = new Set(findAll(database, SELECT_TAKEN, fresh).flat());
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

  /** For a table that grows many times over, creating the indexes again costs less than adding each row to all of them. */
  #withoutIndexes(write: () => void): void {
    const indexes = this.#database.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'people' AND sql IS NOT NULL",
    );
    for (const { name } of indexes) this.#database.script(`DROP INDEX ${name}`);
    write();
    for (const { sql } of indexes) this.#database.script(sql);
  }

  /** Who resembles whom is compared again when domains or names became known, or belong to other people now. */
  #compare(known: Known, domains: boolean, names: Iterable<string>): void {
    const database = this.#database;
    const all = domains ? database.lists('SELECT DISTINCT domain, like_domain FROM people') : [];
    for (const [domain, before] of all as (readonly [string, string])[]) {
      const like = known.likeDomain(domain) ?? '';
      const update = 'UPDATE people SET like_domain = ? WHERE domain = ? AND like_domain = ?';
      if (like !== before) database.run(update, like, domain, before);
    }
    const named = "SELECT id, address, like_name FROM people WHERE name_skeleton = ? AND name_skeleton <> ''";
    for (const skeleton of names)
      for (const [id, address, before] of database.lists(named, skeleton) as [number, string, string][]) {
        const like = known.likeName(address, skeleton) ?? '';
        if (like !== before) database.run('UPDATE people SET like_name = ? WHERE id = ?', like, id);
      }
  }

  /** After a person who was written to is removed. */
  #compareAgain(): void {
    this.#known = null;
    const names = this.#database.lists("SELECT DISTINCT name_skeleton FROM people WHERE like_name <> ''");
    this.#compare(this.#knownPeople(), true, names.flat() as string[]);
  }

  #leaveOut(over: number): void {
    const last = 'SELECT address FROM people ORDER BY rank DESC, id DESC LIMIT ?';
    this.remove(this.#database.lists(last, over).flat() as string[]);
    this.#database.run('UPDATE totals SET left_out = left_out + ?', over);
  }
}
