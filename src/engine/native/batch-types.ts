/** The part of the native boundary that judges the batch (native/kernel). */
import type { Capacity } from './types.ts';

export { LOOKUP, OWNER, SCOPE, TRAIT } from './column-types.ts';

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
} as const;
export const BATCH_WORDS = 5;
/** In place of a value: the parameter of that number. */
export const BATCH_PARAMETER = 0x8000_0000;
export const BATCH_BITMAP = 65_536 / 8;

/** Checks over one table, as `compileBatch` takes them. Registers hold one bit a row. */
export interface BatchProgram {
  readonly table: 'processes' | 'listeners';
  /** Names of the columns; operations refer to them by index. */
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

export interface BatchAddon {
  /** A handle, valid in every worker. RangeError for an invalid program. */
  compileBatch(program: BatchProgram): number;
  freeBatch(handle: number): void;
  /**
   * Counts the rows of each output in [from, to): multiples of 64, or `to` the end. Kept bitmap i starts at byte
   * i × ceil(rows / 64) × 8 of `verdicts`, bit r is row r (low bit first); only words of [from, to) are written, so that shards may
   * share it. `parameters` has at least as many as the program.
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
  /** The same, row by row, for tests. */
  runBatchReference: BatchAddon['runBatch'];
}
