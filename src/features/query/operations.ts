/** Asking the tables of the desk: one query, one answer. It reads, and changes nothing. */
import { z } from 'zod';
import { DESK, operation } from '../../desk/operation.ts';
import { parse, parseCondition, parseItems, parseOrder } from '../../query/parse.ts';
import {
  type Condition,
  LONGEST_TEXT,
  MOST_CONDITIONS,
  MOST_ITEMS,
  MOST_ROWS,
  type Name,
  OPERATORS,
  type Query,
  QueryError,
} from '../../query/types.ts';
import { queryAnswer } from '../../records/query.ts';
import { answer, placed, recordOf } from './api.ts';
import { QUERY_HELP } from './help.ts';

export * from './query-tables.ts';

const part = (meaning: string) => z.string().min(1).max(LONGEST_TEXT).optional().describe(meaning);
const names = (meaning: string) =>
  z.array(z.string().min(1).max(200)).max(MOST_ITEMS).optional().describe(meaning);
const value = z.union([z.string().max(LONGEST_TEXT), z.number(), z.boolean()]);

const condition = z.strictObject({
  column: z.string().min(1).max(200).describe('the column'),
  operator: z
    .enum([...OPERATORS, 'is unknown', 'is not unknown', 'is none', 'is not none'])
    .describe('how it is compared'),
  value: z
    .union([value, z.array(value).min(1).max(MOST_ITEMS)])
    .optional()
    .describe('with what; a list for "in", nothing for those that begin with "is"'),
});

const input = z
  .strictObject({
    query: part('the whole query as text; then nothing else'),
    from: part('the table'),
    select: names('columns, and aggregates as max(threads)'),
    where: z
      .union([z.string().min(1).max(LONGEST_TEXT), z.array(condition).min(1).max(MOST_CONDITIONS)])
      .optional()
      .describe('a condition as text, or conditions that must all hold'),
    group: names('columns to group by'),
    order: names('columns and aggregates to order by, with - before them in descending order'),
    limit: z.int().min(1).max(MOST_ROWS).optional().describe('rows at most'),
    since: part('only rows of that time or later: yesterday, 2h, RFC 3339'),
    until: part('only rows of that time or earlier'),
    at: part('rows as they were at that time'),
    ever: z.boolean().optional().describe('rows that are over too'),
  })
  .refine(
    ({ query, ...rest }) => (query === undefined) === (rest.from !== undefined),
    'expected either "query" or "from"',
  )
  .refine(
    ({ query, ...rest }) => query === undefined || Object.values(rest).every((one) => one === undefined),
    '"query" is the whole query: leave the other fields out',
  );
type Input = z.output<typeof input>;

const name = (text: string): Name => ({ text: text.toLowerCase(), at: -1 });
const time = (text: string | undefined): Name | null => (text === undefined ? null : { text, at: -1 });

function conditionOf({ column, operator, value: given }: z.output<typeof condition>, at: number): Condition {
  const [, not, what] = /^is (not )?(unknown|none)$/.exec(operator) ?? [];
  const field = `where/${at}`;
  if (what === 'unknown' || what === 'none')
    return { kind: 'is', column: name(column), what, not: not !== undefined };
  const values = given === undefined ? [] : [given].flat();
  placed(() => {
    if (values.length === 0) throw new QueryError('"value" is missing.');
    if (values.length > 1 && operator !== 'in') throw new QueryError('Only "in" takes a list of values.');
  }, field);
  return {
    kind: 'compare',
    column: name(column),
    operator: operator as (typeof OPERATORS)[number],
    values: values.map((one) => ({ value: one, at: -1 })),
  };
}

function whereOf(where: Input['where']): Condition | null {
  if (where === undefined) return null;
  if (typeof where === 'string') return placed(() => parseCondition(where), 'where');
  const parts = where.map(conditionOf);
  return parts.length === 1 ? (parts[0] as Condition) : { kind: 'and', parts };
}

/** The query of an input. @throws DeskError `usage` */
export function queryOf({
  query,
  from = '',
  select = [],
  where,
  group = [],
  order = [],
  ...rest
}: Input): Query {
  if (query !== undefined) return placed(() => parse(query));
  const { limit = null, since, until, at, ever = false } = rest;
  return {
    from: name(from),
    select: select.flatMap((one) => placed(() => parseItems(one), 'select')),
    where: whereOf(where),
    group: group.map(name),
    order: order.flatMap((one) => placed(() => parseOrder(one), 'order')),
    ...{ limit, since: time(since), until: time(until), at: time(at), ever },
  };
}

/** The table that is asked, whatever else is wrong with the query. */
const tableOf = ({ query, from }: Input): string =>
  (from ?? /\S+/.exec(query ?? '')?.[0] ?? '').toLowerCase();

export const query = operation({
  route: 'POST /h7/query',
  roles: DESK,
  summary: 'Asks a table of the desk: filter, group, order, with one sentence that answers',
  input,
  answer: queryAnswer.schema,
  tool: {
    name: 'query',
    about: `Asks one table of what Hostess Desk knows about this machine, in its query language. "query" is the whole query as text. The table "tables" lists all tables, "columns where table = processes" the columns of one.\n\n${QUERY_HELP}`,
  },
  token: {
    grant: 'people',
    when: 'people are asked for; control, when the quarantine is',
    needed: ({ input }) => tableOf(input) === 'people',
  },
  handle: async ({ desk }, asked, { grant }) => recordOf(desk, await answer(desk, queryOf(asked), grant)),
});
