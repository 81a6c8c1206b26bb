/** `GET /h7/processes` (`H7_PROCESSES`) and `GET /h7/listeners` (`H7_LISTENERS`): tables as lists of equal length. */
import { z } from 'zod';
import type { CellType, ListsOf, Table } from './columns.ts';
import { count, type Field, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import { LISTENERS, type ListenersAsked, listenerSource } from './listener-columns.ts';
import type { Moment } from './moment.ts';
import { livingRows, PROCESSES, processSource } from './process-columns.ts';
import { offsetTime } from './time.ts';

const TYPES = {
  count,
  'count|null': count.nullable(),
  flag: z.int().min(0).max(1),
  text: z.string(),
  'text|null': z.string().nullable(),
  'count[]': z.array(count),
  'text[]': z.array(z.string()),
};
const typeOf = (type: CellType): z.ZodType => (typeof type === 'string' ? TYPES[type] : z.enum(type));

/** What a table is read from, and which rows of it. */
interface Read {
  readonly moment: Moment;
  readonly source: unknown;
  readonly rows: readonly number[];
}

/** The record of a table; `read` says where its rows are when it is assembled. */
function tableRecord<A, C extends Table['columns']>(
  name: string,
  meaning: string,
  {
    columns,
    word,
    generation,
    total,
    read,
  }: {
    readonly columns: C;
    readonly word: string;
    /** What these two fields mean. */
    readonly generation: string;
    readonly total: string;
    readonly read: (asked: A) => Read;
  },
) {
  const { field, constant, record } = wordsFor<Read>();
  const lists = Object.entries(columns).map(([key, { type, meaning, read: cell }]): [string, Field<Read>] => [
    key,
    field(z.array(typeOf(type)), meaning, ({ source, rows }) => rows.map((row) => cell(source, row))),
  ]);
  const made = record(name, meaning, {
    ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
    word: constant(word, 'name of this answer'),
    generation: field(count, generation, ({ moment }) => moment.snapshot.generation),
    total: field(count, total, ({ rows }) => rows.length),
    ...Object.fromEntries(lists),
  });
  type Value = { ts: string; word: string; generation: number; total: number } & ListsOf<C>;
  return {
    ...made,
    schema: made.schema as unknown as z.ZodType<Value>,
    assemble: (asked: A) => made.assemble(read(asked)) as unknown as Value,
  };
}

export const processTable = tableRecord(
  'ProcessTable',
  'The processes of a snapshot: lists of equal length, one place per process, by pid',
  {
    columns: PROCESSES.columns,
    word: 'H7_PROCESSES',
    generation: 'generation of the snapshot; while it is the same, nothing but ts differs',
    total: 'processes: the length of every list',
    read: (moment: Moment) => ({
      moment,
      source: processSource(moment),
      rows: livingRows(moment.snapshot.processes),
    }),
  },
);
export type ProcessTable = RecordOf<typeof processTable>;

export const listenerTable = tableRecord(
  'ListenerTable',
  'The listening sockets of a snapshot: lists of equal length, one place per socket',
  {
    columns: LISTENERS.columns,
    word: 'H7_LISTENERS',
    generation: 'generation of the snapshot',
    total: 'sockets: the length of every list',
    read: (asked: ListenersAsked) => ({
      moment: asked.moment,
      source: listenerSource(asked),
      rows: [...asked.moment.snapshot.listeners.keys()],
    }),
  },
);
export type ListenerTable = RecordOf<typeof listenerTable>;
