/** A query checked against its table: every name is a column, every value has its type. */
import { nearest } from '../base/nearest.ts';
import { itemText } from './text.ts';
import { momentOf, type Span, spanOf } from './time.ts';
import {
  type Aggregate,
  type Column,
  type Condition,
  type Item,
  type Literal,
  MOST_ROWS,
  type Name,
  type Operator,
  type Query,
  QueryError,
  type Table,
  USUAL_ROWS,
  type Value,
} from './types.ts';

export type BoundCondition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly BoundCondition[] }
  | { readonly kind: 'not'; readonly part: BoundCondition }
  | {
      readonly kind: 'compare';
      readonly column: Column;
      readonly operator: Operator;
      /** Times in ms, values of ranked columns as their ranks. */
      readonly values: readonly Value[];
    }
  | {
      readonly kind: 'is';
      readonly column: Column;
      readonly what: 'unknown' | 'none';
      readonly not: boolean;
    };

/** A column of the answer. */
export interface Output {
  /** As it is selected, e.g. `max(threads)`. */
  readonly name: string;
  readonly aggregate: Aggregate | null;
  /** Null of `count()`. */
  readonly column: Column | null;
}

export interface Bound {
  readonly query: Query;
  readonly table: Table;
  readonly span: Span;
  readonly where: BoundCondition | null;
  /** The answer is one row for each group, or one for all. */
  readonly grouped: boolean;
  readonly group: readonly Column[];
  readonly outputs: readonly Output[];
  /** Not all of them are in the answer. */
  readonly order: readonly (Output & { readonly descending: boolean })[];
  readonly limit: number;
}

const ORDERED = ['=', '!=', '<', '<=', '>', '>=', 'in'] as const;
const TAKES: Readonly<Record<Column['type'], readonly Operator[]>> = {
  text: [...ORDERED, 'contains', 'starts', 'ends', 'like'],
  number: ORDERED,
  time: ORDERED,
  boolean: ['=', '!=', 'in'],
  list: ['contains', 'starts', 'ends', 'like'],
};
/** Operators over parts of texts. */
export const PATTERNS: readonly Operator[] = ['contains', 'starts', 'ends', 'like'];
const LONGEST_PATTERN = 256;
const KINDS: Readonly<Record<Column['type'], string>> = {
  text: 'text',
  number: 'a number',
  time: 'a time',
  boolean: 'true or false',
  list: 'a list',
};

/** The table of a name. @throws QueryError */
function tableNamed(name: Name, tables: readonly Table[]): Table {
  const table = tables.find((one) => one.name === name.text);
  if (table !== undefined) return table;
  const known = tables.map((one) => one.name);
  throw new QueryError(
    `Unknown table. The tables are: ${known.join(', ')}.`,
    name.at,
    nearest(known, name.text),
  );
}

class Binder {
  readonly #table: Table;
  readonly #nowMs: number;

  constructor(table: Table, nowMs: number) {
    this.#table = table;
    this.#nowMs = nowMs;
  }

  column({ text, at }: Name): Column {
    const { columns, name } = this.#table;
    const found = columns.find((one) => one.name === text);
    if (found !== undefined) return found;
    const known = columns.map((one) => one.name);
    throw new QueryError(
      `"${name}" has no column of this name: there are ${known.join(', ')}.`,
      at,
      nearest(known, text),
    );
  }

  condition(condition: Condition): BoundCondition {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return { kind: condition.kind, parts: condition.parts.map((part) => this.condition(part)) };
      case 'not':
        return { kind: 'not', part: this.condition(condition.part) };
      case 'is':
        return { ...condition, column: this.column(condition.column) };
      case 'compare': {
        const column = this.column(condition.column);
        const { operator, values } = condition;
        if (!TAKES[column.type].includes(operator))
          throw new QueryError(
            `"${column.name}" is ${KINDS[column.type]}, which takes ${TAKES[column.type].join(', ')}.`,
            condition.column.at,
          );
        return {
          kind: 'compare',
          column,
          operator,
          values: values.map((one) => this.#value(column, operator, one)),
        };
      }
    }
  }

  #value(column: Column, operator: Operator, { value, at }: Literal): Value {
    const wrong = (): QueryError =>
      new QueryError(`"${column.name}" is ${KINDS[column.type]}: this value is not.`, at);
    switch (column.type) {
      case 'number':
        if (typeof value !== 'number') throw wrong();
        return value;
      case 'boolean':
        if (typeof value === 'boolean') return value;
        if (value === 'yes' || value === 'no') return value === 'yes';
        if (value === 'true' || value === 'false') return value === 'true';
        throw wrong();
      case 'time':
        return momentOf({ text: String(value), at }, this.#nowMs, true);
      case 'list':
        return String(value);
      case 'text':
        return this.#text(column, operator, String(value), at);
    }
  }

  #text({ name, values, ranked, unknownAs }: Column, operator: Operator, text: string, at: number): Value {
    if (PATTERNS.includes(operator)) {
      if (text.length > LONGEST_PATTERN)
        throw new QueryError(`A part of a text has at most ${LONGEST_PATTERN} characters.`, at);
      return text;
    }
    if (unknownAs !== undefined && text === unknownAs)
      throw new QueryError(`Write "${name} is unknown" for what could not be read.`, at, [
        `${name} is unknown`,
      ]);
    if (values === undefined) return text;
    const rank = values.indexOf(text);
    if (rank < 0)
      throw new QueryError(
        `"${name}" never has this value: it is one of ${values.map((one) => one || '""').join(', ')}.`,
        at,
        nearest(values, text),
      );
    return ranked ? rank : text;
  }

  output({ aggregate, column: name, at }: Item): Output {
    const column = name === null ? null : this.column(name);
    const wrong = (takes: string): QueryError =>
      new QueryError(
        `"${aggregate}" takes ${takes}, and "${column?.name}" is ${KINDS[column?.type ?? 'text']}.`,
        at,
      );
    const type = column?.type;
    if ((aggregate === 'sum' || aggregate === 'avg') && type !== 'number') throw wrong('a number');
    if ((aggregate === 'min' || aggregate === 'max') && (type === 'list' || type === 'boolean'))
      throw wrong('a number, a time or text');
    if (aggregate === 'distinct' && type === 'list') throw wrong('single values');
    const text = itemText({ aggregate, column: column && { text: column.name, at } });
    return { name: text, aggregate, column };
  }
}

const plain = (column: Column): Output => ({ name: column.name, aggregate: null, column });
const COUNT: Output = { name: 'count()', aggregate: 'count', column: null };

/** Each once. */
const distinct = (outputs: readonly Output[]): Output[] => [
  ...new Map(outputs.map((one) => [one.name, one])).values(),
];

function selected(
  query: Query,
  table: Table,
  binder: Binder,
  grouped: boolean,
  group: readonly Column[],
): Output[] {
  const all = query.select.find(({ aggregate, column }) => aggregate === null && column?.text === '*');
  if (all !== undefined && grouped)
    throw new QueryError('"*" has no meaning for groups: name columns and aggregates.', all.at);
  if (all !== undefined) return table.columns.map(plain);
  if (query.select.length > 0) return distinct(query.select.map((item) => binder.output(item)));
  if (grouped) return [...group.map(plain), COUNT];
  const names = table.shown ?? table.columns.map(({ name }) => name);
  return names.map((text) => plain(binder.column({ text, at: -1 })));
}

/** @throws QueryError for a name, type or time word that the table does not take. `nowMs`: the time that relative times count from. */
export function bind(query: Query, tables: readonly Table[], nowMs: number): Bound {
  const table = tableNamed(query.from, tables);
  const binder = new Binder(table, nowMs);
  const span = spanOf(query, table, tables, nowMs);
  const group = distinct(query.group.map((name) => plain(binder.column(name)))).map(
    ({ column }) => column as Column,
  );
  const listed = group.findIndex(({ type }) => type === 'list');
  if (listed >= 0)
    throw new QueryError(
      'Rows cannot be grouped by a list: group by single values.',
      query.group[listed]?.at,
    );
  const items = [...query.select, ...query.order.map(({ item }) => item)];
  const grouped = group.length > 0 || items.some(({ aggregate }) => aggregate !== null);
  const outputs = selected(query, table, binder, grouped, group);
  const order = query.order.map(({ item, descending }) => ({ ...binder.output(item), descending }));
  const sorted = order.findIndex(({ aggregate, column }) => aggregate === null && column?.type === 'list');
  if (sorted >= 0)
    throw new QueryError(
      'Rows cannot be ordered by a list: order by single values.',
      query.order[sorted]?.item.at,
    );
  if (grouped)
    for (const item of items) {
      const { aggregate, column } = binder.output(item);
      if (aggregate === null && column !== null && !group.includes(column))
        throw new QueryError(
          `"${column.name}" has many values in a group: group by it, or use an aggregate.`,
          item.at,
        );
    }
  const { limit } = query;
  return {
    ...{ query, table, span, grouped, group, outputs, order },
    where: query.where === null ? null : binder.condition(query.where),
    limit: Math.min(limit ?? USUAL_ROWS, MOST_ROWS),
  };
}
