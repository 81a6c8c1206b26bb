/** The part of the native boundary that derives columns and judges the batch (native/kernel). */
import type { Capacity } from './types.ts';

export { OWNER, SCOPE, TRAIT } from './column-types.ts';

interface DeriveOptions {
  /** Rows of the process, listener and holder tables. */
  readonly count: number;
  readonly listeners: number;
  readonly holders: number;
  /** The pid whose process tree is our own. */
  readonly self: number;
  readonly ephemeral: readonly [number, number] | null;
  /**
   * Whether the table has every process that could hold a socket. One that nobody holds is `ownerless` then, unless some
   * process refused its descriptors (the `refused` column), else `blind`.
   */
  readonly sightComplete: boolean;
  /** Masks of FACT_* bits: for each, the user-space processes that refused one of them are counted. At most 64. */
  readonly groups: readonly number[];
  /** Executables whose processes are wanted: paths, or base names. At most 64. */
  readonly programs: readonly string[];
}

/** Totals over the process table; what each counts: `Counts` of src/engine/snapshot.ts. */
export interface Tally {
  readonly processes: number;
  readonly kernelThreads: number;
  readonly userSpace: number;
  readonly wrapped: number;
  readonly free: number;
  readonly wrapBlind: number;
  readonly fried: number;
  readonly withoutTty: number;
  readonly identities: number;
  readonly descriptorsBlind: number;
  readonly blindProcesses: number;
  /** Listener rows left, once those were dropped that a dump cut into several datagrams showed twice. */
  readonly listeners: number;
  /** Per group of the options. */
  readonly hiding: readonly number[];
  /** Processes whose executable's link says that it was deleted, memfds aside, ascending; the first 256. */
  readonly deleted: Int32Array;
  /** `self` and its living descendants, ascending; `self` is there even when the table lacks it. */
  readonly own: Int32Array;
  /**
   * Per program of the options, the pids of the user-space processes that run it, ascending: by executable (the path, or its
   * base name), or by name where the executable cannot be read.
   */
  readonly programs: readonly Int32Array[];
}

/** Operations of a batch program, in five words: code, register written, then a, b, c (native/kernel/program.h). */
export const BATCH_CODE = {
  none: 0,
  all: 1,
  /** Every row when value a is not 0. */
  flag: 2,
  not: 3,
  and: 4,
  or: 5,
  andNot: 6,
  /** (column a & value b) == value c. */
  masked: 7,
  /** value b <= column a <= value c. */
  range: 8,
  /** column a in set b. */
  inSet: 9,
  /** bit (column a) of bitmap b; u16 columns. */
  inBitmap: 10,
  /** column a is a pid of the process table; i32 columns. */
  isPid: 11,
} as const;
export const BATCH_WORDS = 5;
/** In a value's place: the parameter of that number, instead of the constant. */
export const BATCH_PARAMETER = 0x8000_0000;
/** Bytes of a bitmap of ports. */
export const BATCH_BITMAP = 65_536 / 8;

/** Checks over one table, as `compileBatch` takes them. Registers hold one bit a row. */
export interface BatchProgram {
  readonly table: 'processes' | 'listeners';
  /** Names of the columns that operations speak of by place. */
  readonly columns: readonly string[];
  readonly operations: Uint32Array;
  /** Constants; those for i32 columns in two's complement. */
  readonly values: BigUint64Array;
  /** Values that each run brings. */
  readonly parameters: number;
  readonly sets: readonly BigUint64Array[];
  readonly bitmaps: readonly Uint8Array[];
  readonly registers: number;
  /** Registers whose rows are counted. */
  readonly outputs: Uint32Array;
  /** The bitmaps of the first so many outputs are handed back. */
  readonly kept: number;
}

/** Exports of the addon; `NativeAddon` has them all. */
export interface BatchAddon {
  /** Fills the derived columns, once every shard has filled its rows, and counts. */
  derive(buffer: Uint8Array, capacity: Capacity, options: DeriveOptions): Tally;
  /** A handle, valid in every worker. Throws RangeError that says what is wrong with the program, and where. */
  compileBatch(program: BatchProgram): number;
  freeBatch(handle: number): void;
  /**
   * Judges rows [from, to) of the program's table: rows of each output. Both are multiples of 64, or `to` the last row's
   * end. Kept bitmap i starts at byte i × ceil(rows / 64) × 8 of `verdicts`, bit r is row r (low bit first); only the words
   * of [from, to) are written, so that shards may share it. `parameters` has at least as many as the program.
   */
  runBatch(
    handle: number,
    buffer: Uint8Array,
    capacity: Capacity,
    processes: number,
    listeners: number,
    from: number,
    to: number,
    parameters: BigUint64Array,
    verdicts: Uint8Array,
  ): Uint32Array;
  /** The same, naively, row by row: what tests compare with. */
  runBatchReference: BatchAddon['runBatch'];
}
