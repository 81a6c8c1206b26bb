/** The answer to a query (`H7_QUERY`): `POST /h7/query`. */
import { z } from 'zod';
import { count, done, flag, type RecordOf, text } from './define.ts';

const single = z.union([text, z.number(), flag]);

const column = z.strictObject({
  name: text.describe('its name in the rows: a column of the table, or an aggregate as max(threads)'),
  type: z
    .enum(['text', 'number', 'boolean', 'time', 'list'])
    .describe('what its cells are; a time is text in the form of RFC 3339'),
  unit: text.describe('unit of its numbers; "" without one'),
  meaning: text.describe('what it says'),
});

const unknown = z.strictObject({
  column: text.describe('the column'),
  rows: count.describe('rows in which it is unknown'),
});

export const queryAnswer = done('QueryAnswer', 'H7_QUERY', 'The answer to a query', {
  query: text.describe('the query in its one form: that is how it was understood'),
  table: text.describe('the table that was asked'),
  columns: z.array(column).describe('the columns of the rows, in their order'),
  rows: z
    .array(z.record(text, z.union([single, z.array(z.union([text, z.number()]))]).nullable()))
    .describe('one object for each row: null is unknown; a column that is left out is none'),
  paths: z
    .array(text)
    .describe(
      'where each row comes from: of a row as processes[pid=812], and with ".COLUMN" that of a cell; of a group the query for its rows',
    ),
  total: count.describe(
    'rows, or groups, that there are; more than the rows here where limit or a bound left some out',
  ),
  matched: count.describe('rows of the table that match'),
  undecided: z
    .strictObject({
      rows: count.describe('rows of which it is not known whether they match'),
      columns: z.array(unknown).describe('what is unknown in them'),
    })
    .describe('what could not be decided: it is neither in the rows nor ruled out'),
  unknown: z
    .array(unknown)
    .describe('what is unknown in rows that match, and so left out of an aggregate, or ordered last'),
  sentence: text.describe('the answer in one sentence, with what is not known'),
  truncated: flag.describe('the rows here are not all'),
  reach: z
    .strictObject({
      from: text
        .nullable()
        .describe('since when the table has rows, RFC 3339; null where that does not apply, or it has none'),
      gaps: z.array(text).describe('why rows may be missing; none: all were read'),
      notes: z.array(text).describe('what else to know of the rows'),
    })
    .describe('what the table can know'),
});
export type QueryAnswer = RecordOf<typeof queryAnswer>;
