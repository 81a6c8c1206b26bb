/**
 * How a table is described: one entry per column. The record with its schema (`tables.ts`), the table on the page, the rows of the
 * hostess and those of commands are made from it. Browsers load this too, so it has no zod.
 */
interface Values {
  readonly count: number;
  readonly 'count|null': number | null;
  readonly flag: number;
  readonly text: string;
  readonly 'text|null': string | null;
  readonly 'count[]': readonly number[];
  readonly 'text[]': readonly string[];
}

/** The type of a value, or the few texts that it can be. */
export type CellType = keyof Values | readonly string[];
export type Cell<T extends CellType = CellType> = T extends keyof Values
  ? Values[T]
  : T extends readonly (infer V)[]
    ? V
    : never;

export interface Shown {
  readonly head: string;
  readonly words?: Readonly<Record<string, string>>;
  /** In place of null, "", an empty list and a value without words; default `unknown`. */
  readonly absent?: string;
  readonly tones?: Readonly<Record<string, 'good' | 'warn' | 'calm'>>;
  /** A column whose text follows it. */
  readonly and?: string;
  /** A column that is shown in a line of the table where this one is empty. */
  readonly or?: string;
  /** `findings`: a number of findings or a list of their ids. */
  readonly as?: 'number' | 'path' | 'time' | 'findings';
  /** Its values are pids, which have a page each. */
  readonly to?: 'process';
}

export interface Column<S, T extends CellType = CellType> {
  readonly type: T;
  readonly meaning: string;
  readonly read: (source: S, row: number) => Cell<T>;
  readonly shown?: Shown;
}

// biome-ignore lint/suspicious/noExplicitAny: a table does not ask what its columns are read from
type Columns<S = any> = { readonly [key: string]: Column<S, any> };
export type RowOf<C extends Columns> = { readonly [K in keyof C]: Cell<C[K]['type']> };
export type ListsOf<C extends Columns> = { [K in keyof C]: Cell<C[K]['type']>[] };

export interface Table<C extends Columns = Columns> {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  /** One of its rows, and several. */
  readonly noun: readonly [one: string, many: string];
  /** In the order of the record, and of what is said about one row. */
  readonly columns: C;
  /** In the order of the page. */
  readonly order: readonly (keyof C & string)[];
  readonly sort: { readonly key: keyof C & string; readonly descending: boolean };
  /** Columns that the filter searches. */
  readonly searched: readonly (keyof C & string)[];
  readonly searchHint: string;
  /** Columns that identify a row in the next reading. */
  readonly identity: readonly (keyof C & string)[];
  readonly picks: readonly (readonly [
    key: string,
    label: string,
    pick: ((lists: ListsOf<C>, row: number) => boolean) | null,
  ])[];
  readonly command?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: for what takes every table alike
export type AnyTable = Table<any>;

export const columnOf =
  <S>() =>
  <const T extends CellType>(
    type: T,
    meaning: string,
    read: (source: S, row: number) => Cell<T>,
    shown?: Shown,
  ): Column<S, T> => ({ type, meaning, read, ...(shown && { shown }) });

export const tableOf = <const C extends Columns>(table: Table<C>): Table<C> => table;

export const rowOf = <S, C extends Columns<S>>(columns: C, source: S, row: number): RowOf<C> =>
  Object.fromEntries(Object.entries(columns).map(([key, { read }]) => [key, read(source, row)])) as RowOf<C>;
