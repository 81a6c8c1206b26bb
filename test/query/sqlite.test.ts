/** The query core against SQLite: the same queries over the same rows give the same rows, groups, counts and order. */
import Libsql from 'libsql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bind } from '../../src/query/bind.ts';
import { parse } from '../../src/query/parse.ts';
import { run } from '../../src/query/run.ts';
import { queryText } from '../../src/query/text.ts';
import type { Cell, Column, Condition, Item, Query, Value } from '../../src/query/types.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { conditionFrom, NOW, queryFrom, RANKS, type Row, rowsFrom, sourceOf, TABLE } from './random.ts';

const TABLES = 50;
const QUERIES = 200;
const ROWS = 60;
/** Rows of every fifth table: more than the core keeps at once when it orders them. */
const MANY_ROWS = 500;

const columnOf = (name: string): Column => TABLE.columns.find((one) => one.name === name) as Column;

/** As SQLite holds a cell: true as 1, ranks as their number, lists as JSON. A column `NAME_none` says that there is none. */
function stored(cell: Cell, { ranked }: Column): string | number | null {
  if (cell === null || cell === undefined) return null;
  if (Array.isArray(cell)) return cell.length === 0 ? null : JSON.stringify(cell);
  if (typeof cell === 'boolean') return cell ? 1 : 0;
  return ranked ? RANKS.indexOf(cell as (typeof RANKS)[number]) : (cell as string | number);
}

class Reference {
  readonly #db = new Libsql(':memory:');

  constructor(rows: readonly Row[]) {
    const names = TABLE.columns.map(({ name }) => name);
    this.#db.exec(`CREATE TABLE things (${names.flatMap((name) => [`"${name}"`, `"${name}_none"`])})`);
    const insert = this.#db.prepare(`INSERT INTO things VALUES (${names.map(() => '?, ?')})`);
    for (const row of rows)
      insert.run(
        TABLE.columns.flatMap((column) => {
          const cell = row[column.name];
          const none = cell === undefined || (Array.isArray(cell) && cell.length === 0);
          return [stored(cell, column), none ? 1 : 0];
        }),
      );
  }

  all(sql: string, values: readonly (string | number)[]): readonly (readonly unknown[])[] {
    return this.#db
      .prepare(sql)
      .raw()
      .all([...values]) as unknown as (readonly unknown[])[];
  }

  close(): void {
    this.#db.close();
  }
}

/** SQL with the values of its parameters. */
class Sql {
  readonly values: (string | number)[] = [];

  value(value: Value, { type, ranked }: Column): string {
    if (type === 'time') this.values.push(Date.parse(String(value)));
    else if (ranked) this.values.push(RANKS.indexOf(value as (typeof RANKS)[number]));
    else if (typeof value === 'boolean') this.values.push(value ? 1 : 0);
    else this.values.push(type === 'text' ? String(value) : value);
    return '?';
  }

  condition(condition: Condition): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `(${condition.parts.map((part) => this.condition(part)).join(` ${condition.kind} `)})`;
      case 'not':
        return `(NOT ${this.condition(condition.part)})`;
      case 'is': {
        const { column, what, not } = condition;
        const is =
          what === 'none'
            ? `(CASE WHEN "${column.text}_none" THEN 1 WHEN "${column.text}" IS NULL THEN NULL ELSE 0 END)`
            : `("${column.text}" IS NULL AND NOT "${column.text}_none")`;
        return not ? `(NOT ${is})` : is;
      }
      case 'compare': {
        const { column, operator } = condition;
        return `(CASE WHEN "${column.text}_none" THEN ${operator === '!=' ? 1 : 0} ELSE ${this.#compare(condition)} END)`;
      }
    }
  }

  #compare({ column: { text }, operator, values }: Extract<Condition, { kind: 'compare' }>): string {
    const column = columnOf(text);
    const [first] = values;
    if (column.type === 'list') {
      this.values.push(String(first?.value));
      // A list that is unknown says nothing of its entries.
      return `(CASE WHEN "${text}" IS NULL THEN NULL ELSE EXISTS (SELECT 1 FROM json_each("${text}") WHERE CAST(value AS TEXT) = ?) END)`;
    }
    if (operator === 'in') return `("${text}" IN (${values.map(({ value }) => this.value(value, column))}))`;
    const patterns: Readonly<Record<string, (plain: string) => string>> = {
      contains: (plain) => `%${plain}%`,
      starts: (plain) => `${plain}%`,
      ends: (plain) => `%${plain}`,
    };
    // Patterns go over the texts of a ranked column, and only the other columns hold those.
    const over = column.ranked
      ? `(CASE "${text}" ${RANKS.map((rank, at) => `WHEN ${at} THEN '${rank}'`).join(' ')} END)`
      : `"${text}"`;
    if (operator === 'like') {
      this.values.push(String(first?.value));
      return `(${over} LIKE ?)`;
    }
    const pattern = patterns[operator];
    if (pattern !== undefined) {
      this.values.push(pattern(String(first?.value).replace(/[%_\\]/g, '\\$&')));
      return `(${over} LIKE ? ESCAPE '\\')`;
    }
    return `("${text}" ${operator} ${this.value(first?.value ?? '', column)})`;
  }

  where({ where, since, until }: Query): string {
    const time = (operator: string, moment: Query['since']): string[] =>
      moment === null
        ? []
        : [
            `(CASE WHEN seen_none THEN 0 ELSE seen ${operator} ${this.value(moment.text, columnOf('seen'))} END)`,
          ];
    const parts = [
      ...(where === null ? [] : [this.condition(where)]),
      ...time('>=', since),
      ...time('<=', until),
    ];
    return parts.length === 0 ? '1' : `(${parts.join(' AND ')})`;
  }
}

const NONE_OF = (name: string) => `min("${name}_none")`;
/** A number alone would name a column in ORDER BY. */
const KNOWN = '(0 + 0)';

/** The value of an item, and 0 where it is known, 1 unknown, 2 none. */
function itemSql({ aggregate, column }: Item): readonly [value: string, place: string] {
  const name = column?.text ?? '';
  if (aggregate === null)
    return [`"${name}"`, `(CASE WHEN "${name}_none" THEN 2 WHEN "${name}" IS NULL THEN 1 ELSE 0 END)`];
  if (aggregate === 'count') return [column === null ? 'count(*)' : `count("${name}")`, KNOWN];
  if (aggregate === 'distinct') return [`count(DISTINCT "${name}")`, KNOWN];
  const value = `${aggregate}("${name}")`;
  return [
    value,
    `(CASE WHEN ${value} IS NOT NULL THEN 0 WHEN coalesce(${NONE_OF(name)}, 1) THEN 2 ELSE 1 END)`,
  ];
}

/** The cell that SQLite's value and place are. */
function cellOf({ aggregate, column }: Item, value: unknown, place: unknown): Cell {
  if (place === 2) return undefined;
  if (place === 1) return null;
  const { type, ranked } = columnOf(column?.text ?? 'id');
  if (aggregate === 'count' || aggregate === 'distinct') return value as number;
  if (ranked) return RANKS[value as number];
  if (type === 'boolean') return value === 1;
  if (type === 'list') return JSON.parse(String(value)) as string[];
  return value as Cell;
}

function expected(reference: Reference, query: Query, items: readonly Item[]) {
  const sql = new Sql();
  const columns = items.flatMap((item) => itemSql(item));
  const where = sql.where(query);
  const grouped = query.group.length > 0 || items.some(({ aggregate }) => aggregate !== null);
  const keys = query.group.flatMap(({ text }) => [`"${text}"`, `"${text}_none"`]);
  const groupBy = keys.length > 0 ? ` GROUP BY ${keys}` : '';
  const order = query.order.flatMap(({ item, descending }) => {
    const [value, place] = itemSql(item);
    return [place, `${value} ${descending ? 'DESC' : 'ASC'}`];
  });
  // Equal ones come as they are in the table.
  order.push(grouped ? 'min(id)' : 'id');
  const text = `SELECT ${columns} FROM things WHERE ${where}${groupBy} ORDER BY ${order}`;
  const all = reference.all(text, sql.values);
  const count = (condition: string) =>
    Number(reference.all(`SELECT count(*) FROM things WHERE ${condition}`, sql.values)[0]?.[0]);
  return {
    rows: all
      .slice(0, query.limit ?? 100)
      .map((row) => items.map((item, at) => cellOf(item, row[2 * at], row[2 * at + 1]))),
    total: all.length,
    matched: count(where),
    undecided: count(`${where} IS NULL`),
  };
}

/** What a query without `select` selects. */
const itemsOf = (query: Query): readonly Item[] => {
  if (query.select.length > 0) {
    const each = new Map(query.select.map((item) => [`${item.aggregate} ${item.column?.text}`, item]));
    return [...each.values()];
  }
  return TABLE.columns.map(({ name }) => ({ aggregate: null, column: { text: name, at: -1 }, at: -1 }));
};

/** A list without entries is none, and SQLite has no other word for it. */
const flat = (cell: Cell): Cell => (Array.isArray(cell) && cell.length === 0 ? undefined : cell);

function compareOne(reference: Reference, rows: readonly Row[], query: Query): void {
  const text = queryText(query);
  const bound = bind(parse(text), [TABLE], NOW);
  const result = run(bound, sourceOf(rows));
  const { rows: wanted, ...counts } = expected(reference, query, itemsOf(query));
  assert.equal(
    {
      rows: result.rows.map(({ cells }) => cells.map(flat)),
      ...{ total: result.total, matched: result.matched, undecided: result.undecided },
    },
    { rows: wanted, ...counts },
    text,
  );
}

const test = suite('query core against SQLite');

test(`${TABLES * QUERIES} random queries over ${TABLES} random tables answer as SQLite does`, () => {
  let [filtered, groups, open] = [0, 0, 0];
  for (let seed = 1; seed <= TABLES; seed += 1) {
    const random: Random = randomFrom(seed);
    const rows = rowsFrom(random, Math.floor(random() * (seed % 5 === 0 ? MANY_ROWS : ROWS)));
    const reference = new Reference(rows);
    for (let at = 0; at < QUERIES; at += 1) {
      const query = queryFrom(random);
      compareOne(reference, rows, query);
      const { total, undecided } = run(bind(query, [TABLE], NOW), sourceOf(rows));
      if (total > 0 && query.where !== null) filtered += 1;
      if (total > 1 && query.group.length > 0) groups += 1;
      if (undecided > 0) open += 1;
    }
    reference.close();
  }
  // The comparison is of answers that have something in them.
  assert.ok(filtered > 2000 && groups > 1000 && open > 1000, `${filtered} ${groups} ${open}`);
});

test('a condition, its negation and what is undecided are all rows together', () => {
  const random = randomFrom(99);
  const rows = rowsFrom(random, 80);
  const count = (where: Condition): number =>
    run(
      bind(
        { ...queryFrom(randomFrom(1)), select: [], group: [], order: [], since: null, until: null, where },
        [TABLE],
        NOW,
      ),
      sourceOf(rows),
    ).matched;
  for (let at = 0; at < 300; at += 1) {
    const where = conditionFrom(random);
    const base = {
      ...queryFrom(randomFrom(1)),
      select: [],
      group: [],
      order: [],
      since: null,
      until: null,
      where,
    };
    const { matched, undecided } = run(bind(base, [TABLE], NOW), sourceOf(rows));
    assert.is(matched + undecided + count({ kind: 'not', part: where }), rows.length, queryText(base));
  }
});

test.run();
