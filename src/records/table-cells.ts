/** The values of a table's cells as words, as the descriptions of its columns say (`columns.ts`): for pages and commands. */
import type { AnyTable, Column } from './columns.ts';

export type CellValue = string | number | null;
export type Value = CellValue | readonly (string | number)[];

/** A record of lists of equal length. */
export interface Lists {
  readonly ts: string;
  readonly generation: number;
  readonly total: number;
  readonly [column: string]: unknown;
}

const listOf = (lists: Lists, key: string): readonly Value[] => lists[key] as readonly Value[];
export const itemOf = (lists: Lists, key: string, row: number): Value => listOf(lists, key)[row] ?? null;

/** `empty` replaces null, "" and an empty list. */
export function wordsOf({ shown }: Pick<Column<unknown>, 'shown'>, value: Value, empty = ''): string {
  if (value === null) return empty;
  if (shown?.words !== undefined) return shown.words[String(value)] ?? shown.absent ?? 'unknown';
  return (typeof value === 'object' ? value.join(', ') : String(value)) || empty;
}

/** What a column is sorted by: words where it has some, of a list its first item or, of findings, how many there are. */
export function sortValues({ columns }: AnyTable, lists: Lists, key: string): readonly CellValue[] {
  const column = columns[key];
  const { as, words, and } = column.shown;
  if (and !== undefined) return listOf(lists, key).map((value, row) => `${value} ${itemOf(lists, and, row)}`);
  return listOf(lists, key).map((value) => {
    if (words !== undefined) return wordsOf(column, value);
    if (typeof value !== 'object' || value === null) return value;
    return as === 'findings' ? value.length : (value[0] ?? null);
  });
}

/** What the filter searches of a row. */
export const searchedValues = ({ columns, searched }: AnyTable, lists: Lists, row: number): string[] =>
  searched.map((key) => wordsOf(columns[key], itemOf(lists, key, row)));

/** Equal for the same row of the next reading. */
export const identityOf = ({ identity }: AnyTable, lists: Lists, row: number): string =>
  identity.map((key) => itemOf(lists, key, row)).join(' ');
