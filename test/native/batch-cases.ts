/** Random programs over random columns: the vectorised kernel compared with the naive one. Used on every CPU build, also under qemu. */
import fc from 'fast-check';
import {
  BATCH_BITMAP,
  BATCH_CODE,
  BATCH_PARAMETER,
  type BatchProgram,
} from '../../src/engine/native/batch-types.ts';
import { allocate, type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import type { NativeAddon } from '../../src/engine/native/types.ts';

/** The columns of each table; the first one is what `inBitmap` needs. */
const COLUMNS = {
  processes: ['seen', 'flags', 'start', 'state', 'ppid'],
  listeners: ['port', 'inode', 'key', 'scope', 'uid'],
} as const;
export type TableName = keyof typeof COLUMNS;

/** Sizes around the limits of words, vectors and blocks. */
export const EDGES = [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 8192, 8255];

/** Few values, so that comparisons match; the extremes of every width are among them. */
const VALUES = [
  0n,
  1n,
  2n,
  3n,
  7n,
  8n,
  83n,
  90n,
  0x7fn,
  0xffn,
  0x100n,
  0x7fffn,
  0xffffn,
  0x1_0000n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  0x1_0000_0000n,
  0x7fff_ffff_ffff_ffffn,
  0x8000_0000_0000_0000n,
  0xffff_ffff_8000_0000n,
  0xffff_ffff_ffff_ffffn,
  0x1234_5678_9abc_def0n,
];

/** A small fast generator with its own state, so that a seed reproduces a failing case. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

export interface BatchCase {
  readonly table: TableName;
  readonly rows: number;
  readonly seed: number;
  readonly program: BatchProgram;
  readonly parameters: readonly bigint[];
}

const value = fc.oneof(fc.constantFrom(...VALUES), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }));
const setSizes = fc.constantFrom(0, 1, 2, 3, 4, 5, 8, 9, 12, 13, 16, 17, 40);

const valueSet = fc.tuple(setSizes, fc.nat()).map(([size, seed]) => {
  const random = randomFrom(seed);
  return BigUint64Array.from({ length: size }, () =>
    random() % 3 === 0
      ? (BigInt(random()) << 32n) | BigInt(random())
      : (VALUES[random() % VALUES.length] as bigint),
  );
});

const bitmap = fc.nat().map((seed) => {
  const random = randomFrom(seed);
  const bytes = Uint8Array.from({ length: BATCH_BITMAP }, () => random() & random() & 0xff);
  for (const port of [0, 1, 255, 65535]) bytes[port >> 3] = (bytes[port >> 3] as number) ^ (1 << (port & 7));
  return bytes;
});

/** Random operations for a table; each reads only registers that were written before. */
function operationsOf(count: number, seed: number, pools: number[]): number[] {
  const [values, parameters, sets, bitmaps] = pools as [number, number, number, number];
  const random = randomFrom(seed);
  const pick = (most: number): number => random() % most;
  const operand = () => (random() % 4 === 0 ? (pick(parameters) | BATCH_PARAMETER) >>> 0 : pick(values));
  const words: number[] = [];
  for (let at = 0; at < count; at++) {
    const register = () => pick(Math.max(1, at));
    const combines = at > 0 && random() % 2 === 0;
    const codes = combines
      ? [BATCH_CODE.not, BATCH_CODE.and, BATCH_CODE.or, BATCH_CODE.andNot]
      : [
          BATCH_CODE.none,
          BATCH_CODE.all,
          BATCH_CODE.flag,
          ...Array<number>(3).fill(BATCH_CODE.masked),
          ...Array<number>(3).fill(BATCH_CODE.range),
          ...Array<number>(3).fill(BATCH_CODE.inSet),
          BATCH_CODE.inBitmap,
        ];
    const code = codes[pick(codes.length)] as number;
    const column = code === BATCH_CODE.inBitmap ? 0 : pick(5);
    const abc = combines
      ? [register(), register(), 0]
      : code === BATCH_CODE.flag
        ? [operand(), 0, 0]
        : code === BATCH_CODE.inSet
          ? [column, pick(sets), 0]
          : code === BATCH_CODE.inBitmap
            ? [column, pick(bitmaps), 0]
            : [column, operand(), operand()];
    words.push(code, at, ...abc);
  }
  return words;
}

export const batchCase: fc.Arbitrary<BatchCase> = fc
  .record({
    table: fc.constantFrom<TableName>('processes', 'listeners'),
    rows: fc.oneof(fc.constantFrom(...EDGES), fc.nat(300)),
    seed: fc.nat(),
    operations: fc.integer({ min: 1, max: 24 }),
    values: fc.array(value, { minLength: 1, maxLength: 6 }),
    parameters: fc.array(value, { minLength: 1, maxLength: 3 }),
    sets: fc.array(valueSet, { minLength: 1, maxLength: 3 }),
    bitmaps: fc.array(bitmap, { minLength: 1, maxLength: 2 }),
    kept: fc.nat(5),
  })
  .map(({ table, rows, seed, operations, values, parameters, sets, bitmaps, kept }) => {
    const random = randomFrom(seed + 1);
    const outputs = Uint32Array.from({ length: 1 + (seed % 5) }, () => random() % operations);
    const pools = [values.length, parameters.length, sets.length, bitmaps.length];
    return {
      table,
      rows,
      seed,
      parameters,
      program: {
        table,
        columns: COLUMNS[table],
        operations: Uint32Array.from(operationsOf(operations, seed, pools)),
        values: BigUint64Array.from(values),
        parameters: parameters.length,
        sets,
        bitmaps,
        registers: operations,
        outputs,
        kept: Math.min(kept, outputs.length),
      },
    };
  });

/** Columns filled with random values, values that comparisons match, and members of the sets. */
export function columnsFor(
  addon: NativeAddon,
  rows: number,
  seed: number,
  members: readonly bigint[],
): Columns {
  const capacity = { processes: rows, sockets: rows, holders: 0, text: 0 };
  const layout = addon.layout(capacity);
  const columns = columnsOver(allocate(layout), layout, capacity);
  const random = randomFrom(seed + 7);
  const pool = [...VALUES, ...members.slice(0, 64)];
  const fill = (column: Uint8Array | Uint16Array | Uint32Array | Int32Array | BigUint64Array) => {
    for (let row = 0; row < rows; row++) {
      const pick = pool[random() % pool.length] as bigint;
      if (column instanceof BigUint64Array)
        column[row] = random() % 2 === 0 ? pick : (BigInt(random()) << 32n) | BigInt(random());
      else column[row] = random() % 2 === 0 ? Number(BigInt.asUintN(32, pick)) : random();
    }
  };
  for (const name of COLUMNS.processes) fill(columns.processes[name]);
  for (const name of COLUMNS.listeners) fill(columns.listeners[name]);
  return columns;
}

/** The answers of both runners for a case, in one shard and in three; they are equal when the kernel is correct. */
export function answersOf(addon: NativeAddon, one: BatchCase): { kernel: string; reference: string } {
  const { table, rows, seed, program } = one;
  const columns = columnsFor(addon, rows, seed, [...(program.sets[0] ?? [])]);
  const handle = addon.compileBatch(program);
  const parameters = BigUint64Array.from(one.parameters);
  const bytes = program.kept * Math.ceil(rows / 64) * 8;
  const run = (runner: 'runBatch' | 'runBatchReference', shards: number): string => {
    const verdicts = new Uint8Array(new SharedArrayBuffer(bytes + 8)).fill(0xa5);
    const counts = new Array<number>(program.outputs.length).fill(0);
    const words = Math.ceil(rows / 64);
    const cut = (shard: number) => Math.min(rows, Math.floor((words * shard) / shards) * 64);
    for (let shard = 0; shard < shards; shard++) {
      const { capacity } = columns;
      const part = addon[runner](
        handle,
        columns.bytes,
        capacity,
        table === 'processes' ? rows : 0,
        table === 'listeners' ? rows : 0,
        cut(shard),
        cut(shard + 1),
        parameters,
        verdicts,
      );
      part.forEach((count, at) => {
        counts[at] = (counts[at] as number) + count;
      });
    }
    return `${counts.join(' ')} ${Buffer.from(verdicts).toString('hex')}`;
  };
  try {
    const whole = run('runBatch', 1);
    const shards = run('runBatch', 3);
    const reference = run('runBatchReference', 1);
    return { kernel: whole === shards ? whole : `in shards: ${shards}`, reference };
  } finally {
    addon.freeBatch(handle);
  }
}

/** A program that tests one set on every column of a table. */
export function setCase(table: TableName, rows: number, seed: number, members: BigUint64Array): BatchCase {
  return {
    table,
    rows,
    seed,
    parameters: [],
    program: {
      table,
      columns: COLUMNS[table],
      operations: Uint32Array.from([0, 1, 2, 3, 4].flatMap((at) => [BATCH_CODE.inSet, at, at, 0, 0])),
      values: new BigUint64Array(0),
      parameters: 0,
      sets: [members],
      bitmaps: [],
      registers: 5,
      outputs: Uint32Array.of(0, 1, 2, 3, 4),
      kept: 5,
    },
  };
}

/** Sets of the sizes at which the kernel changes its algorithm, up to 10^5. */
export function setCases(): BatchCase[] {
  return [0, 1, 2, 3, 4, 8, 9, 16, 17, 1000, 100_000].flatMap((size) => {
    const random = randomFrom(size + 3);
    const wide = BigUint64Array.from({ length: size }, () => (BigInt(random()) << 32n) | BigInt(random()));
    const low = BigUint64Array.from({ length: size }, (_, at) => BigInt(at));
    const high = BigUint64Array.from({ length: size }, (_, at) => (BigInt(at) << 48n) | 5n);
    return [wide, low, high].map((members) =>
      setCase(size % 2 === 0 ? 'processes' : 'listeners', size > 100 ? 65 : 4097, size, members),
    );
  });
}
