/**
 * The batch: programs over the columns of a sweep, judged by the native kernel into shared bitmaps. Inline when there are
 * few rows, else in shards over the workers.
 */
import { allOrFirst } from '../base/promises.ts';
import type { BatchProgram } from './native/batch-types.ts';
import type { Columns } from './native/columns.ts';
import type { NativeAddon } from './native/types.ts';
import type { TaskPool } from './pool.ts';

/**
 * The number of rows from which two free workers are as fast as the main thread: handing them the tasks takes 0.5 to 1 ms.
 * Figures: docs/decisions/piscina.md.
 */
const SHARD_FROM_ROWS = 262_144;

/** Rows per 64-bit word of a bitmap: shards share no word. */
const WORD_ROWS = 64;

export interface BatchJob {
  /** Compiled once for each object: hand in the same one while it is the same program. */
  readonly program: BatchProgram;
  readonly parameters: BigUint64Array;
}

/** The rows to judge. */
export interface BatchRows {
  readonly columns: Pick<Columns, 'bytes' | 'capacity'>;
  readonly processes: number;
  readonly listeners: number;
}

/** The answer to one job. */
export interface BatchAnswer {
  readonly table: BatchProgram['table'];
  /** Rows per output of the program. */
  readonly counts: Uint32Array;
  /** Rows of a kept output, low bit first; in shared memory that the next run writes anew. */
  bitmap(output: number): Uint8Array;
}

export interface BatchOutcome {
  /** One per job. */
  readonly answers: readonly BatchAnswer[];
  /** Worker shards that the rows were split into, 1 when they were judged inline. */
  readonly shards: number;
}

/** Whether a bitmap has a row; it has none beyond its end, and none below 0. */
export const hasRow = (bitmap: Uint8Array, row: number): boolean =>
  row >= 0 && (((bitmap[row >> 3] ?? 0) >> (row & 7)) & 1) !== 0;

/** The rows of a bitmap, ascending. */
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
  #handles = new Map<BatchProgram, number>();
  #verdicts = new Uint8Array(new SharedArrayBuffer(0));

  constructor(native: NativeAddon, shardFrom: number = SHARD_FROM_ROWS) {
    this.#native = native;
    this.#shardFrom = shardFrom;
  }

  /** Not to be called while one runs. Without a pool all is judged inline; then nothing is waited for. */
  async run(jobs: readonly BatchJob[], rows: BatchRows, pool: TaskPool | null): Promise<BatchOutcome> {
    if (pool === null || Math.max(rows.processes, rows.listeners) < this.#shardFrom)
      return this.runInline(jobs, rows);
    const placed = this.#place(jobs, rows);
    const shards = pool.workers;
    const answers = placed.map(async ({ handle, job, verdicts, count }) => {
      const parts = await allOrFirst(
        shardsOf(count, shards).map(([from, to]) =>
          pool.run({
            kind: 'batch',
            handle,
            buffer: rows.columns.bytes,
            capacity: rows.columns.capacity,
            processes: rows.processes,
            listeners: rows.listeners,
            from,
            to,
            parameters: job.parameters,
            verdicts,
          }),
        ),
      );
      const counts = new Uint32Array(job.program.outputs.length);
      for (const part of parts)
        for (const [at, value] of part.entries()) counts[at] = (counts[at] as number) + value;
      return answerOf(job, counts, verdicts, count);
    });
    return { answers: await allOrFirst(answers), shards };
  }

  runInline(jobs: readonly BatchJob[], rows: BatchRows): BatchOutcome {
    const answers = this.#place(jobs, rows).map(({ handle, job, verdicts, count }) => {
      const { bytes, capacity } = rows.columns;
      const { processes, listeners } = rows;
      const counts = this.#native.runBatch(
        handle,
        bytes,
        capacity,
        processes,
        listeners,
        0,
        count,
        job.parameters,
        verdicts,
      );
      return answerOf(job, counts, verdicts, count);
    });
    return { answers, shards: 1 };
  }

  /** Lets go of the compiled programs. */
  close(): void {
    for (const handle of this.#handles.values()) this.#native.freeBatch(handle);
    this.#handles.clear();
  }

  /** Compiles what is new, forgets what is gone, and gives every job its part of the shared bitmaps. */
  #place(jobs: readonly BatchJob[], rows: BatchRows) {
    const handles = new Map<BatchProgram, number>();
    for (const { program } of jobs)
      handles.set(program, this.#handles.get(program) ?? this.#native.compileBatch(program));
    for (const [program, handle] of this.#handles) if (!handles.has(program)) this.#native.freeBatch(handle);
    this.#handles = handles;
    const placed = jobs.map((job) => {
      const count = job.program.table === 'processes' ? rows.processes : rows.listeners;
      return {
        job,
        count,
        bytes: job.program.kept * bitmapBytes(count),
        handle: handles.get(job.program) as number,
      };
    });
    const wanted = placed.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#verdicts.length < wanted)
      this.#verdicts = new Uint8Array(new SharedArrayBuffer(Math.ceil(wanted * 1.25)));
    let at = 0;
    return placed.map(({ job, count, bytes, handle }) => {
      const verdicts = this.#verdicts.subarray(at, at + bytes);
      at += bytes;
      return { job, count, handle, verdicts };
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
