/** Tables that can be asked with a query: what features declare, and how their columns follow from the records' declarations. */
import { z } from 'zod';
import type { Span } from '../query/time.ts';
import type { Cell, Column, ColumnType, Source, Table } from '../query/types.ts';
import type { Column as ShownColumn } from '../records/columns.ts';
import type { Grant } from './context.ts';
import type { Desk } from './desk.ts';
import { token } from './token.ts';

/** What tables are read from. */
export type QueryDesk = Pick<Desk, 'config' | 'latest' | 'state' | 'use' | 'find' | 'allowSources'>;

export interface DeskTable {
  readonly table: Table;
  /** What a caller's token must grant; null: nothing, it is read like the records. */
  readonly needs: Grant | null;
  /**
   * Reads what takes time; the result gives the rows at one time and is called, and its rows are used, without an `await` in
   * between: columns of a snapshot are overwritten two sweeps later.
   */
  open(desk: QueryDesk, span: Span): Promise<() => Source>;
}

/** All tables. */
export const TABLES = token<readonly DeskTable[]>('tables');

/** Facts about columns that the record's schema does not hold. */
export interface Hints {
  /** Columns that are times, RFC 3339 in the record. */
  readonly times?: readonly string[];
  /** Units of numbers. */
  readonly units?: Readonly<Record<string, string>>;
  /** Texts whose values are in ascending order. */
  readonly ranked?: readonly string[];
  /** Columns in which "" says that it could not be read, and not that there is none. */
  readonly unreadWhenEmpty?: readonly string[];
  /** Values that say that it could not be read, by column. */
  readonly unknownAs?: Readonly<Record<string, string>>;
  /** Columns in which null says that there is none, and not that it could not be read. */
  readonly noneWhenNull?: readonly string[];
  readonly without?: readonly string[];
}

const has = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) ?? false;

function columnOf(
  name: string,
  type: ColumnType,
  meaning: string,
  hints: Hints,
  values?: readonly string[],
): Column {
  const unknownAs = hints.unknownAs?.[name];
  return {
    name,
    type: has(hints.times, name) ? 'time' : type,
    unit: hints.units?.[name] ?? '',
    meaning,
    ...(values !== undefined && { values: values.filter((value) => value !== '' && value !== unknownAs) }),
    ...(unknownAs !== undefined && { unknownAs }),
    ...(has(hints.ranked, name) && { ranked: true }),
  };
}

interface Typed {
  readonly type: ColumnType;
  readonly values?: readonly string[];
}

/** Null unless it is a single value or a list of single values. */
function typedAs(type: z.ZodType): Typed | null {
  if (type instanceof z.ZodNullable || type instanceof z.ZodOptional)
    return typedAs(type.unwrap() as z.ZodType);
  if (type instanceof z.ZodEnum) return { type: 'text', values: type.options.map(String) };
  if (type instanceof z.ZodBoolean) return { type: 'boolean' };
  if (type instanceof z.ZodNumber) return { type: 'number' };
  if (type instanceof z.ZodString) return { type: 'text' };
  if (type instanceof z.ZodArray) {
    const item = typedAs(type.element as z.ZodType);
    return item === null || item.type === 'list' || item.type === 'boolean' ? null : { type: 'list' };
  }
  return null;
}

/** The columns of the objects of a record: those that hold one value or a list, with the meanings of the record. */
export function schemaColumns(shape: z.ZodObject, hints: Hints = {}): readonly Column[] {
  return Object.entries(shape.shape).flatMap(([name, part]) => {
    const typed = has(hints.without, name) ? null : typedAs(part as z.ZodType);
    return typed === null
      ? []
      : [columnOf(name, typed.type, (part as z.ZodType).description ?? '', hints, typed.values)];
  });
}

/** The columns of a table of `records/`. */
export function shownColumns(
  // biome-ignore lint/suspicious/noExplicitAny: what they are read from is not asked here
  columns: Readonly<Record<string, ShownColumn<any, any>>>,
  hints: Hints = {},
): readonly Column[] {
  const types: Readonly<Record<string, ColumnType>> = {
    flag: 'boolean',
    'count[]': 'list',
    'text[]': 'list',
  };
  return Object.entries(columns)
    .filter(([name]) => !has(hints.without, name))
    .map(([name, { type, meaning }]) => {
      if (typeof type !== 'string') return columnOf(name, 'text', meaning, hints, type);
      return columnOf(name, types[type] ?? (type.startsWith('count') ? 'number' : 'text'), meaning, hints);
    });
}

/** A value of a record as a cell: "" is none and null unknown, unless said otherwise. */
export function cellOf(value: unknown, { name, type, unknownAs }: Column, hints: Hints): Cell {
  if (value === undefined) return undefined;
  if (unknownAs !== undefined && value === unknownAs) return null;
  if (value === null) return has(hints.noneWhenNull, name) ? undefined : null;
  if (value === '') return has(hints.unreadWhenEmpty, name) ? null : undefined;
  if (type === 'boolean') return value === true || value === 1;
  if (type !== 'time') return value as Cell;
  const ms = typeof value === 'number' ? value : Date.parse(String(value));
  return Number.isNaN(ms) ? null : ms;
}

/** What is known of rows beside the rows. */
export type Reach = Pick<Source, 'gaps' | 'notes' | 'fromMs'>;

type ReadRows = { readonly rows: readonly object[] } & Reach;

function rowsSource(rows: readonly object[], columns: readonly Column[], hints: Hints, more: Reach): Source {
  const by = new Map(columns.map((column) => [column.name, column]));
  return {
    ...more,
    length: rows.length,
    read: (name) => {
      const column = by.get(name) as Column;
      return (row) => cellOf((rows[row] as Record<string, unknown>)[name], column, hints);
    },
  };
}

/** The earliest of times, ms or RFC 3339, as ms; null without one. */
export const earliest = (times: readonly (string | number)[]): number | null => {
  const all = times
    .map((time) => (typeof time === 'number' ? time : Date.parse(time)))
    .filter((ms) => !Number.isNaN(ms));
  return all.length === 0 ? null : all.reduce((least, ms) => Math.min(least, ms));
};

interface RecordTable extends Omit<Table, 'columns'> {
  /** Columns, and objects of records with columns of theirs. */
  readonly columns: readonly (Column | z.ZodObject)[];
  readonly hints?: Hints;
  readonly needs?: Grant | null;
  readonly read: (desk: QueryDesk, span: Span) => Promise<ReadRows> | ReadRows;
}

/** A table whose rows are objects. */
export function recordTable({
  columns: declared,
  hints = {},
  needs = null,
  read,
  ...table
}: RecordTable): DeskTable {
  const columns = declared.flatMap((one) => (one instanceof z.ZodObject ? schemaColumns(one, hints) : [one]));
  return {
    table: { ...table, columns },
    needs,
    async open(desk, span) {
      const { rows, ...more } = await read(desk, span);
      return () => rowsSource(rows, columns, hints, more);
    },
  };
}

/** A declared column that no record has. */
export const ownColumn = (
  name: string,
  type: ColumnType,
  meaning: string,
  more: Partial<Pick<Column, 'unit' | 'values' | 'ranked'>> = {},
): Column => ({ unit: '', ...more, name, type, meaning });
