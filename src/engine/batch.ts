/** Programs over the columns of a sweep, judged by the native kernel into shared bitmaps: inline, or for many rows in shards over the workers. */
import { allOrFirst } from '../base/promises.ts';
import type { BatchProgram } from './native/batch-types.ts';
import type { Columns } from './native/columns.ts';
import type { Identities } from './native/table-types.ts';
import type { NativeAddon } from './native/types.ts';
import type { TaskPool } from './pool.ts';

/** Rows from which two free workers are as fast as the main thread; handing over takes 0.5 to 1 ms (docs/decisions/piscina.md). */
const SHARD_FROM_ROWS = 262_144;

/** Rows per 64-bit word of a bitmap: shards share no word. */
const WORD_ROWS = 64;

export interface BatchJob {
  /** Compiled once for each object: hand in the same one while it is the same program. */
  readonly program: BatchProgram;
  readonly parameters: BigUint64Array;
  /** What the `lookups` column must answer for; absent: the program does not read it. */
  readonly identities?: Identities;
}

export interface BatchRows {
  readonly columns: Pick<Columns, 'bytes' | 'capacity'>;
  readonly processes: number;
  readonly listeners: number;
}

export interface BatchAnswer {
  readonly table: BatchProgram['table'];
  /** Rows per output of the program. */
  readonly counts: Uint32Array;
  /** Rows of a kept output, low bit first; in shared memory that the next run overwrites. */
  bitmap(output: number): Uint8Array;
}

export interface BatchOutcome {
  readonly answers: readonly BatchAnswer[];
  /** Worker shards that the rows were split into, 1 when they were judged inline. */
  readonly shards: number;
}

/** Whether a bitmap has a row, which may lie beyond it. */
export const hasRow = (bitmap: Uint8Array, row: number): boolean =>
  row >= 0 && (((bitmap[row >> 3] ?? 0) >> (row & 7)) & 1) !== 0;

export function rowsIn(bitmap: Uint8Array): readonly number[] {
  const rows: number[] = [];
  for (let at = 0; at < bitmap.length; at++) {
    for (let byte = bitmap[at] as number; byte !== 0; byte &= byte - 1)
      rows.push(at * 8 + (31 - Math.clz32(byte & -byte)));
  }
  return rows;
}

export class Batch {
  readonly #native: NativeAddon;
  readonly #shardFrom: number;
  readonly #lookUp: (identities: Identities, rows: BatchRows) => void;
  #handles = new Map<BatchProgram, number>();
  #verdicts = new Uint8Array(new SharedArrayBuffer(0));

  /** `lookUp` makes the `lookups` of rows answer for these sets; default: by looking all of them up, at each run. */
  constructor(
    native: NativeAddon,
    shardFrom: number = SHARD_FROM_ROWS,
    lookUp: (identities: Identities, rows: BatchRows) => void = (identities, { columns, processes }) =>
      native.lookUp(columns.bytes, columns.capacity, processes, identities),
  ) {
    this.#native = native;
    this.#shardFrom = shardFrom;
    this.#lookUp = lookUp;
  }

  /** Of the bitmaps, bytes. */
  get bytes(): number {
    return this.#verdicts.length;
  }

  /** Not to be called while one runs. Without a pool all is judged inline. */
  async run(jobs: readonly BatchJob[], rows: BatchRows, pool: TaskPool | null): Promise<BatchOutcome> {
    if (pool === null || Math.max(rows.processes, rows.listeners) < this.#shardFrom)
      return this.runInline(jobs, rows);
    const shards = pool.workers;
    const answers = this.#place(jobs, rows).map(async ({ job, count, verdicts, args }) => {
      const parts = await allOrFirst(
        shardsOf(count, shards).map(([from, to]) => pool.run('runBatch', ...args(from, to))),
      );
      const counts = new Uint32Array(job.program.outputs.length);
      for (const part of parts)
        for (const [at, value] of part.entries()) counts[at] = (counts[at] as number) + value;
      return answerOf(job, counts, verdicts, count);
    });
    return { answers: await allOrFirst(answers), shards };
  }

  runInline(jobs: readonly BatchJob[], rows: BatchRows): BatchOutcome {
    const answers = this.#place(jobs, rows).map(({ job, count, verdicts, args }) =>
      answerOf(job, this.#native.runBatch(...args(0, count)), verdicts, count),
    );
    return { answers, shards: 1 };
  }

  close(): void {
    for (const handle of this.#handles.values()) this.#native.freeBatch(handle);
    this.#handles.clear();
  }

  /** Compiles what is new, frees what is gone, has the rows looked up, and gives every job its part of the shared bitmaps. */
  #place(jobs: readonly BatchJob[], rows: BatchRows) {
    const {
      columns: { bytes, capacity },
      processes,
      listeners,
    } = rows;
    for (const { identities } of jobs) if (identities !== undefined) this.#lookUp(identities, rows);
    const handles = new Map<BatchProgram, number>();
    for (const { program } of jobs)
      handles.set(program, this.#handles.get(program) ?? this.#native.compileBatch(program));
    for (const [program, handle] of this.#handles) if (!handles.has(program)) this.#native.freeBatch(handle);
    this.#handles = handles;
    let wanted = 0;
    const places = jobs.map(({ program: { table, kept } }) => {
      const count = table === 'processes' ? processes : listeners;
      const from = wanted;
      wanted += kept * bitmapBytes(count);
      return { count, from, to: wanted };
    });
    if (this.#verdicts.length < wanted)
      this.#verdicts = new Uint8Array(new SharedArrayBuffer(Math.ceil(wanted * 1.25)));
    return jobs.map((job, at) => {
      const { count, from, to } = places[at] as (typeof places)[number];
      const verdicts = this.#verdicts.subarray(from, to);
      const handle = handles.get(job.program) as number;
      const args = (first: number, end: number) =>
        [handle, bytes, capacity, processes, listeners, first, end, job.parameters, verdicts] as const;
      return { job, count, verdicts, args };
    });
  }
}

const bitmapBytes = (rows: number): number => Math.ceil(rows / WORD_ROWS) * 8;

function answerOf(job: BatchJob, counts: Uint32Array, verdicts: Uint8Array, rows: number): BatchAnswer {
  const { table, kept } = job.program;
  const bytes = bitmapBytes(rows);
  return {
    table,
    counts,
    bitmap(output) {
      if (!(output < kept)) throw new RangeError(`output ${output} keeps no bitmap`);
      return verdicts.subarray(output * bytes, (output + 1) * bytes);
    },
  };
}

/** An even split of `rows`, cut at words; empty shards are left out. */
export function shardsOf(rows: number, shards: number): readonly (readonly [number, number])[] {
  const words = Math.ceil(rows / WORD_ROWS);
  const cut = (shard: number): number => Math.min(rows, Math.floor((words * shard) / shards) * WORD_ROWS);
  return Array.from({ length: shards }, (_, shard) => [cut(shard), cut(shard + 1)] as const).filter(
    ([from, to]) => from < to,
  );
}
