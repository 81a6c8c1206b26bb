/** Random tables and queries for them, from a seed. */
import {
  AGGREGATES,
  type Cell,
  type Column,
  type Condition,
  type Item,
  type Literal,
  type Name,
  type Operator,
  type Query,
  type Source,
  type Table,
  type Value,
} from '../../src/query/types.ts';
import type { Random } from '../support/random.ts';

export const below = (random: Random, most: number): number => Math.floor(random() * most);
export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;
const some = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + below(random, most) }, make);

const TEXTS = [
  ...[
    '',
    'a',
    'A',
    'ab',
    'aB',
    'abc',
    'b_c',
    'b%c',
    '100%',
    'sshd',
    'SSHD',
    '/usr/bin/x',
    "it's",
    'say "hi"',
    'a\\b',
  ],
  ...[
    'z',
    'é',
    'É',
    'ß',
    '\u{1f600}',
    '\ufffd',
    '\ue000x',
    'true',
    '7',
    '-1',
    'and',
    'x y',
    '  ',
    '%',
    '_',
    'aaaaab',
  ],
] as const;
export const RANKS = ['low', 'medium', 'high', 'critical'] as const;
export const NOW = Date.UTC(2026, 0, 31, 12);

const column = (name: string, type: Column['type'], more: Partial<Column> = {}): Column => ({
  ...{ name, type, unit: '', meaning: `column ${name}`, ...more },
});

export const TABLE: Table = {
  name: 'things',
  meaning: 'things of a test',
  noun: ['thing', 'things'],
  columns: [
    column('id', 'number'),
    column('n', 'number', { unit: 'bytes' }),
    column('m', 'number'),
    column('s', 'text'),
    column('t', 'text'),
    column('b', 'boolean'),
    column('seen', 'time'),
    column('rank', 'text', { values: RANKS, ranked: true }),
    column('kind', 'text', { values: ['x', 'y', ''] }),
    column('tags', 'list'),
  ],
  key: ['id'],
  label: 's',
  time: 'seen',
};

const ANY: Readonly<Record<string, (random: Random) => Cell>> = {
  n: (random) => below(random, 12) - 4,
  m: (random) => (below(random, 80_000) - 40_000) / 4,
  s: (random) => pick(random, TEXTS),
  t: (random) => some(random, 4, () => pick(random, TEXTS)).join(pick(random, ['', ' ', '/'])),
  b: (random) => random() < 0.5,
  seen: (random) => NOW - below(random, 50) * 3_600_000,
  rank: (random) => pick(random, RANKS),
  kind: (random) => pick(random, ['x', 'y', '']),
  tags: (random) =>
    Array.from({ length: below(random, 4) }, () => (random() < 0.5 ? below(random, 5) : pick(random, TEXTS))),
};

export type Row = Readonly<Record<string, Cell>>;

export function rowsFrom(random: Random, count: number): readonly Row[] {
  const [unknown, none] = [random() * 0.3, random() * 0.3];
  return Array.from({ length: count }, (_, id) => ({
    id,
    ...Object.fromEntries(
      Object.entries(ANY).map(([name, make]) => {
        const chance = random();
        return [name, chance < unknown ? null : chance < unknown + none ? undefined : make(random)];
      }),
    ),
  }));
}

export const sourceOf = (rows: readonly Row[]): Source => ({
  length: rows.length,
  read: (name) => (row) => rows[row]?.[name],
});

const name = (text: string): Name => ({ text, at: -1 });

function literalFor(random: Random, { name: column, type }: Column): Literal {
  const cell = ANY[column]?.(random) ?? below(random, 20);
  if (type === 'time') return { value: new Date(Number(cell)).toISOString(), at: -1 };
  if (type === 'list') return { value: pick(random, [...TEXTS, 1, 2, 3]), at: -1 };
  return { value: cell as Value, at: -1 };
}

const OPERATORS: Readonly<Record<Column['type'], readonly Operator[]>> = {
  number: ['=', '!=', '<', '<=', '>', '>=', 'in'],
  time: ['=', '!=', '<', '<=', '>', '>=', 'in'],
  text: ['=', '!=', '<', '<=', '>', '>=', 'in', 'contains', 'starts', 'ends', 'like'],
  boolean: ['=', '!=', 'in'],
  list: ['contains'],
};
const PATTERNS: readonly Operator[] = ['contains', 'starts', 'ends', 'like'];

export function conditionFrom(random: Random, depth = 0): Condition {
  const chance = random();
  if (depth < 4 && chance < 0.35) {
    const kind = random() < 0.5 ? ('and' as const) : ('or' as const);
    const parts = [conditionFrom(random, depth + 1), conditionFrom(random, depth + 1)];
    // As `parse` makes it.
    return { kind, parts: parts.flatMap((part) => (part.kind === kind ? part.parts : [part])) };
  }
  if (depth < 4 && chance < 0.5) return { kind: 'not', part: conditionFrom(random, depth + 1) };
  const column = pick(random, TABLE.columns);
  if (chance < 0.65)
    return {
      ...{ kind: 'is' as const, column: name(column.name), not: random() < 0.5 },
      what: random() < 0.5 ? ('unknown' as const) : ('none' as const),
    };
  const operator = pick(random, OPERATORS[column.type]);
  const literal = (): Literal => {
    if (!PATTERNS.includes(operator) || column.type === 'list') return literalFor(random, column);
    const parts = some(random, 3, () => pick(random, [...TEXTS, '%', '_', 'a', 'b']));
    return { value: parts.join(''), at: -1 };
  };
  const values = operator === 'in' ? some(random, 4, literal) : [literal()];
  return { kind: 'compare', column: name(column.name), operator, values };
}

const plainItem = (text: string): Item => ({ aggregate: null, column: name(text), at: -1 });

function aggregateFrom(random: Random): Item {
  const aggregate = pick(random, AGGREGATES);
  const fits = TABLE.columns.filter(({ type }) => {
    if (aggregate === 'sum' || aggregate === 'avg') return type === 'number';
    if (aggregate === 'min' || aggregate === 'max') return type !== 'list' && type !== 'boolean';
    return aggregate === 'count' || type !== 'list';
  });
  const column = aggregate === 'count' && random() < 0.5 ? null : name(pick(random, fits).name);
  return { aggregate, column, at: -1 };
}

export function queryFrom(random: Random): Query {
  const grouped = random() < 0.5;
  const single = TABLE.columns.filter(({ type }) => type !== 'list').map((one) => one.name);
  const groups = grouped && random() < 0.7 ? [...new Set(some(random, 3, () => pick(random, single)))] : [];
  const aggregates = grouped ? some(random, 3, () => aggregateFrom(random)) : [];
  const names = TABLE.columns.map((one) => one.name);
  const plain = grouped ? groups : random() < 0.3 ? [] : some(random, 4, () => pick(random, names));
  const orderable = grouped
    ? [...groups.map(plainItem), ...aggregates, aggregateFrom(random)]
    : single.map(plainItem);
  const order =
    random() < 0.7
      ? some(random, 3, () => ({ item: pick(random, orderable), descending: random() < 0.5 }))
      : [];
  const moment = (): Name => name(new Date(NOW - below(random, 50) * 3_600_000).toISOString());
  const [since, until] = [random() < 0.15 ? moment() : null, random() < 0.15 ? moment() : null];
  return {
    from: name('things'),
    select: grouped && random() < 0.1 ? aggregates : [...plain.map(plainItem), ...aggregates],
    where: random() < 0.8 ? conditionFrom(random) : null,
    group: groups.map(name),
    order,
    limit: random() < 0.6 ? 1 + below(random, 12) : 1000,
    since,
    until: since !== null && until !== null && since.text > until.text ? null : until,
    at: null,
    ever: false,
  };
}
