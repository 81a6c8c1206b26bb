/** What a query asks, and the tables that it asks. Knows nothing of the desk. */

/** `time`: ms since the epoch. `list`: texts or numbers. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'time' | 'list';

/** Null: unknown, it could not be read. Undefined: there is none. */
export type Cell = string | number | boolean | readonly (string | number)[] | null | undefined;

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Unit of a number, e.g. `bytes`; "" without one. */
  readonly unit: string;
  readonly meaning: string;
  /** All values that a text can have; undefined where any is possible. */
  readonly values?: readonly string[];
  /** The values are in ascending order, so that `<` and `order by` follow it. */
  readonly ranked?: boolean;
  /** How records write that it is unknown; here it is not a value. */
  readonly unknownAs?: string;
}

/** `since` and `until`: rows by a time of theirs. `at`: rows as they were. `ever`: rows of the past too. */
export type TimeWord = 'since' | 'until' | 'at' | 'ever';

export interface Table {
  readonly name: string;
  readonly meaning: string;
  /** One row, and several. */
  readonly noun: readonly [one: string, many: string];
  readonly columns: readonly Column[];
  /** Columns that identify a row. */
  readonly key: readonly string[];
  /** The column that names a row in a sentence, beside its key. */
  readonly label?: string;
  /** The column of type `time` that `since` and `until` apply to; undefined: they are refused. */
  readonly time?: string;
  /** The source answers these itself. */
  readonly past?: readonly ('at' | 'ever')[];
  /** Columns of an answer that selects none, in this order. */
  readonly shown?: readonly string[];
}

/** The rows of a table at one time. `read` gives a cell of a column in constant time. */
export interface Source {
  readonly length: number;
  read(column: string): (row: number) => Cell;
  /** Why rows may be missing, or what is not a row here, each a phrase; none: all rows are there. */
  readonly gaps?: readonly string[];
  /** What a reader should know although nothing is missing, each a phrase. */
  readonly notes?: readonly string[];
  /** Since when the table has rows, ms since the epoch; null or undefined where that does not apply. */
  readonly fromMs?: number | null;
}

/** A name as it was written, and where; -1: not in a text. */
export interface Name {
  readonly text: string;
  readonly at: number;
}

export type Value = string | number | boolean;

export interface Literal {
  readonly value: Value;
  readonly at: number;
}

export const OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'starts',
  'ends',
  'like',
  'in',
] as const;
export type Operator = (typeof OPERATORS)[number];

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | {
      readonly kind: 'compare';
      readonly column: Name;
      readonly operator: Operator;
      /** One, and of `in` at least one. */
      readonly values: readonly Literal[];
    }
  | { readonly kind: 'is'; readonly column: Name; readonly what: 'unknown' | 'none'; readonly not: boolean };

export const AGGREGATES = ['count', 'distinct', 'sum', 'min', 'max', 'avg'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** A column, or an aggregate of one; `count()` has no column. */
export interface Item {
  readonly aggregate: Aggregate | null;
  readonly column: Name | null;
  readonly at: number;
}

export interface Order {
  readonly item: Item;
  readonly descending: boolean;
}

export interface Query {
  readonly from: Name;
  /** Empty: what the table shows; of groups their columns and `count()`. */
  readonly select: readonly Item[];
  readonly where: Condition | null;
  readonly group: readonly Name[];
  readonly order: readonly Order[];
  /** Null: as many as an answer holds. */
  readonly limit: number | null;
  /** As written, e.g. `yesterday`, `2h`. */
  readonly since: Name | null;
  readonly until: Name | null;
  readonly at: Name | null;
  readonly ever: boolean;
  /** Where the time words are. */
  readonly places?: Readonly<Partial<Record<TimeWord, number>>>;
}

/** Bounds of a text. */
export const LONGEST_TEXT = 4096;
export const MOST_DEPTH = 32;
export const MOST_CONDITIONS = 64;
export const MOST_ITEMS = 32;
export const MOST_ROWS = 1000;
/** Rows of an answer without `limit`. */
export const USUAL_ROWS = 100;

/** An invalid query: what is wrong, where, and what may have been meant. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** Index of the wrong character in the text, from 0; -1 when the error has no position. */
  readonly at: number;
  readonly suggestions: readonly string[];

  /** `message`: one sentence. */
  constructor(message: string, at = -1, suggestions: readonly string[] = []) {
    super(message);
    this.at = at;
    this.suggestions = suggestions;
  }
}
