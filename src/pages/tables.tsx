/** The cells of tables, as the descriptions of their columns say (`records/columns.ts`). */
import type { ComponentChildren } from 'preact';
import type { AnyTable, Column } from '../records/columns.ts';
import { Link, Soft, State, Time } from './parts.tsx';
import type { CellValue } from './rows.ts';

type Value = CellValue | readonly (string | number)[];

/** A record of lists of equal length. */
export interface Lists {
  readonly ts: string;
  readonly generation: number;
  readonly total: number;
  readonly [column: string]: unknown;
}

const listOf = (lists: Lists, key: string): readonly Value[] => lists[key] as readonly Value[];
const itemOf = (lists: Lists, key: string, row: number): Value => listOf(lists, key)[row] ?? null;

/** `empty` replaces null, "" and an empty list. */
function wordsOf({ shown }: Column<unknown>, value: Value, empty = ''): string {
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

/** A value in a line of the table. */
export function cellOf({ columns }: AnyTable, lists: Lists, key: string, row: number): ComponentChildren {
  const { as, tones, and, or } = columns[key].shown;
  const value = itemOf(lists, key, row);
  if (as === 'findings') {
    const found = typeof value === 'object' ? value?.length : value;
    return found ? <State tone="bad">{found}</State> : '0';
  }
  const text = wordsOf(columns[key], value);
  if (text === '') return or === undefined ? null : <Soft>{itemOf(lists, or, row)}</Soft>;
  // The year is in the words about a row.
  if (as === 'time') return <Time at={text} part="yearless" />;
  if (as === 'path') return <span class="path">{text}</span>;
  if (tones === undefined) return text;
  return (
    <>
      <State tone={tones[text] ?? 'calm'}>{text}</State>
      {and !== undefined && [' ', <Soft key={and}>{itemOf(lists, and, row)}</Soft>]}
    </>
  );
}

const Finding = ({ id }: { id: string }) => (
  <span>
    <Link to={`/findings/${id}`}>{id}</Link>{' '}
  </span>
);

function inWords({ columns }: AnyTable, lists: Lists, key: string, row: number): ComponentChildren {
  const { as, and, absent = 'unknown' } = columns[key].shown;
  const value = itemOf(lists, key, row);
  if (as === 'time' && value !== null) return <Time at={String(value)} />;
  if (as === 'findings' && typeof value === 'object' && value?.length)
    return value.map((id) => <Finding key={id} id={String(id)} />);
  const words = wordsOf(columns[key], value, absent);
  return and === undefined ? words : [words, itemOf(lists, and, row)].filter(Boolean).join(': ');
}

/** Everything about one row, in words. */
export const detailOf = (
  table: AnyTable,
  lists: Lists,
  row: number,
): readonly (readonly [name: string, value: ComponentChildren])[] =>
  Object.entries<Column<unknown>>(table.columns).flatMap(([key, { shown }]) =>
    shown === undefined ? [] : [[shown.head, inWords(table, lists, key, row)] as const],
  );
