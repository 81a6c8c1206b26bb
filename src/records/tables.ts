/** `GET /h7/processes` (`H7_PROCESSES`) and `GET /h7/listeners` (`H7_LISTENERS`): tables as lists of equal length. */
import { z } from 'zod';
import type { CellType, ListsOf, Table } from './columns.ts';
import { count, type Field, type RecordOf, stateHead, text, wordsFor } from './define.ts';
import { LISTENERS, type ListenersAsked, listenerSource } from './listener-columns.ts';
import { livingRows, PROCESSES, processSource } from './process-columns.ts';
import type { DeskState } from './state.ts';

const TYPES = {
  count,
  'count|null': count.nullable(),
  flag: z.int().min(0).max(1),
  text,
  'text|null': text.nullable(),
  'count[]': z.array(count),
  'text[]': z.array(text),
};
/** The schema of a value of such a column. */
export const typeOf = (type: CellType): z.ZodType => (typeof type === 'string' ? TYPES[type] : z.enum(type));

/** What a table is read from, and which rows of it. */
interface Read {
  readonly state: DeskState;
  readonly source: unknown;
  readonly rows: readonly number[];
}

interface Listed<A, C> {
  readonly columns: C;
  readonly word: string;
  readonly generation: string;
  readonly total: string;
  readonly read: (asked: A) => Read;
}

/** The record of a table; `read` says where its rows are when it is assembled. */
function tableRecord<A, C extends Table['columns']>(
  name: string,
  meaning: string,
  { columns, word, generation, total, read }: Listed<A, C>,
) {
  const { field, record } = wordsFor<Read>();
  const lists = Object.entries(columns).map(([key, { type, meaning, read: cell }]): [string, Field<Read>] => [
    key,
    field(
      z.array(typeOf(type)),
      meaning,
      ({ source, rows }) => rows.map((row) => cell(source, row)) as never,
    ),
  ]);
  const made = record(name, meaning, {
    ...stateHead(word),
    generation: field(count, generation, ({ state }) => state.snapshot.generation),
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
    generation: 'generation of the snapshot; while it is the same, only ts differs',
    total: 'processes: the length of every list',
    read: (state: DeskState) => ({
      state,
      source: processSource(state),
      rows: livingRows(state.snapshot.processes),
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
      state: asked.state,
      source: listenerSource(asked),
      rows: [...asked.state.snapshot.listeners.keys()],
    }),
  },
);
export type ListenerTable = RecordOf<typeof listenerTable>;
