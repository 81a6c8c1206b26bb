/** Answering queries: for operations, and for features that ask. */
import { DeskError, PlacedError } from '../../base/desk-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { capitalised } from '../../base/sentence.ts';
import type { Grant } from '../../desk/context.ts';
import { type DeskTable, type QueryDesk, TABLES } from '../../desk/query.ts';
import { now } from '../../engine/now.ts';
import { offsetTime } from '../../engine/time.ts';
import { type Bound, bind } from '../../query/bind.ts';
import { pathOf } from '../../query/item.ts';
import { type Result, run } from '../../query/run.ts';
import { sentenceOf } from '../../query/sentence.ts';
import { queryText } from '../../query/text.ts';
import { type Cell, type Column, type Query, QueryError, type Source } from '../../query/types.ts';
import { type QueryAnswer, queryAnswer } from '../../records/query.ts';

export { QUERY_HELP, tableText } from './help.ts';

/** What a query answers, as its parts: `source` may be overwritten two sweeps later. */
interface Answered {
  readonly bound: Bound;
  readonly source: Source;
  readonly result: Result;
  readonly sentence: string;
}

/** The error of a query as a person meets it; `field`: the part of the input that is wrong, "" for the text as a whole. */
function placedError(error: QueryError, field = ''): DeskError {
  const { at, suggestions } = error;
  const where = [
    ...(field === '' ? [] : [`in "${field}"`]),
    ...(at < 0 ? [] : [`at character ${at + 1}`]),
  ].join(' ');
  const message = where === '' ? error.message : `${capitalised(where)}: ${error.message}`;
  const remedy = didYouMean(suggestions);
  return at < 0
    ? new DeskError('usage', message, remedy)
    : new PlacedError(message, remedy, { at, suggestions });
}

/** @throws DeskError for what a `QueryError` says. */
export function placed<T>(work: () => T, field = ''): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof QueryError ? placedError(error, field) : error;
  }
}

function mustGrant({ needs, table }: DeskTable, grant: Grant | null): void {
  if (needs === null || grant === 'control' || grant === needs) return;
  throw new DeskError(
    'refused',
    `"${table.name}" needs the ${needs === 'people' ? 'mail or control' : 'control'} token`,
    'Send it as a bearer token: the command "desk query" does so by itself.',
  );
}

/** With the offset of the newest snapshot, in milliseconds. */
const timeText =
  (desk: QueryDesk) =>
  (epochMs: number): string =>
    offsetTime({ epochMs, offsetMin: desk.latest()?.snapshot.at.offsetMin ?? 0 });

/** To seconds, for sentences. */
const shortTime = (text: string): string => text.replace(/\.\d{3}/, '');

/**
 * Runs a query on the tables of a desk. `grant`: what the token of the caller opens.
 * @throws DeskError `usage` with the place for a query that makes no sense or needs too much, `refused` without the token
 */
export async function answer(desk: QueryDesk, query: Query, grant: Grant | null): Promise<Answered> {
  const tables = desk.use(TABLES);
  const bound = placed(() =>
    bind(
      query,
      tables.map(({ table }) => table),
      Date.now(),
    ),
  );
  const asked = tables.find(({ table }) => table === bound.table) as DeskTable;
  mustGrant(asked, grant);
  const open = await asked.open(desk, bound.span);
  // No `await` from here on: what the rows are read from may be overwritten.
  const source = open();
  const result = placed(() => run(bound, source));
  const when = timeText(desk);
  return { bound, source, result, sentence: sentenceOf(bound, result, source, (ms) => shortTime(when(ms))) };
}

const COUNTED = ['count', 'distinct', 'sum', 'avg'];

/** The record of an answer. */
export function recordOf(desk: QueryDesk, { bound, source, result, sentence }: Answered): QueryAnswer {
  const when = timeText(desk);
  const shown = (cell: Cell, column: Column | null) =>
    column?.type === 'time' && typeof cell === 'number' ? when(cell) : cell;
  const { outputs } = bound;
  const { rows, total, matched, undecided, undecidedBy, unknown } = result;
  // Counts and means of times are numbers.
  const columnOf = (at: number): Column | null => {
    const { aggregate, column } = outputs[at] as (typeof outputs)[number];
    return aggregate !== null && COUNTED.includes(aggregate) ? null : column;
  };
  const { fromMs = null, gaps = [], notes = [] } = source;
  return queryAnswer.assemble({
    ts: now(),
    query: queryText(bound.query),
    table: bound.table.name,
    columns: outputs.map(({ name, aggregate, column }, at) => ({
      name,
      type: columnOf(at)?.type ?? 'number',
      unit: aggregate === 'count' || aggregate === 'distinct' ? '' : (column?.unit ?? ''),
      meaning: aggregate === null ? (column?.meaning ?? '') : meaningOf(aggregate, column),
    })),
    rows: rows.map(({ cells }) =>
      Object.fromEntries(
        outputs.flatMap(({ name }, at) => {
          const cell = shown(cells[at], columnOf(at));
          return cell === undefined ? [] : [[name, cell]];
        }),
      ),
    ) as QueryAnswer['rows'],
    paths: rows.map((row) => pathOf(bound, row)),
    ...{ total, matched, unknown, sentence },
    undecided: { rows: undecided, columns: undecidedBy },
    truncated: rows.length < total,
    reach: { from: fromMs === null ? null : when(fromMs), gaps, notes },
  });
}

const MEANINGS = {
  count: 'rows in which this is known',
  distinct: 'how many different values',
  sum: 'the sum',
  min: 'the least',
  max: 'the greatest',
  avg: 'the mean',
} as const;

const meaningOf = (aggregate: keyof typeof MEANINGS, column: Column | null): string =>
  column === null ? 'how many rows' : `${MEANINGS[aggregate]}: ${column.meaning}`;
