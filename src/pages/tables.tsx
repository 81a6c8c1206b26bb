/** The cells of tables, as the descriptions of their columns say (`records/columns.ts`). */
import type { ComponentChildren } from 'preact';
import type { AnyTable, Column } from '../records/columns.ts';
import { itemOf, type Lists, wordsOf } from '../records/table-cells.ts';
import { ProcessLink } from './links-to.tsx';
import { Link, Path, Soft, State, Time } from './parts.tsx';

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
  if (as === 'path') return <Path of={text} />;
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

const Process = ({ pid }: { pid: number }) => (
  <span>
    <ProcessLink of={{ pid }}>{pid}</ProcessLink>{' '}
  </span>
);

function inWords({ columns }: AnyTable, lists: Lists, key: string, row: number): ComponentChildren {
  const { as, to, and, absent = 'unknown' } = columns[key].shown;
  const value = itemOf(lists, key, row);
  if (to === 'process') {
    const pids = [value].flat().filter((pid) => typeof pid === 'number' && pid > 0);
    if (pids.length > 0) return pids.map((pid) => <Process key={pid} pid={Number(pid)} />);
  }
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
