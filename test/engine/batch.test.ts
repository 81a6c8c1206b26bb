import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Batch, type BatchJob, type BatchRows, hasRow, rowsIn, shardsOf } from '../../src/engine/batch.ts';
import { BATCH_CODE, type BatchProgram } from '../../src/engine/native/batch-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { Pool, type TaskPool } from '../../src/engine/pool.ts';
import { type ArgsOf, perform, type ResultOf, type Task } from '../../src/engine/tasks.ts';
import { columnsFor } from '../native/batch-cases.ts';

const { addon } = loadNative();

const programOf = (table: BatchProgram['table'], column: string): BatchProgram => ({
  table,
  columns: [column],
  operations: Uint32Array.of(BATCH_CODE.range, 0, 0, 0, 1, BATCH_CODE.not, 1, 0, 0, 0),
  values: BigUint64Array.of(0n, 0x7fn),
  parameters: 0,
  sets: [],
  bitmaps: [],
  registers: 2,
  outputs: Uint32Array.of(1, 0),
  kept: 1,
});
const jobs: readonly BatchJob[] = [
  { program: programOf('processes', 'flags'), parameters: new BigUint64Array(0) },
  { program: programOf('listeners', 'inode'), parameters: new BigUint64Array(0) },
];

const rowsOf = (processes: number, listeners: number): BatchRows => ({
  columns: columnsFor(addon, Math.max(processes, listeners), 5, []),
  processes,
  listeners,
});

/** Counts and rows of every answer, as plain values. */
const plain = (answers: Awaited<ReturnType<Batch['run']>>['answers']) =>
  answers.map((answer) => {
    const rows = rowsIn(answer.bitmap(0));
    return { table: answer.table, counts: [...answer.counts], rows };
  });

/** Runs tasks in this thread, asynchronously. */
class LatePool implements TaskPool {
  readonly workers: number;
  readonly tasks: Task[] = [];
  constructor(workers: number) {
    this.workers = workers;
  }
  async run<T extends Task>(task: T, ...args: ArgsOf<T>): Promise<ResultOf<T>> {
    this.tasks.push(task);
    await Promise.resolve();
    return perform(addon, task, args);
  }
  async close(): Promise<void> {}
}

test('shards cover every row once and are split at word boundaries', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.integer({ min: 1, max: 9 }), (rows, shards) => {
      let at = 0;
      for (const [from, to] of shardsOf(rows, shards)) {
        assert.is(from, at);
        assert.is(from % 64, 0);
        assert.ok(to > from);
        at = to;
      }
      assert.is(at, rows);
    }),
  );
});

test('shards on workers give the same answer as one call in this thread', async () => {
  const rows = rowsOf(1000, 70);
  const inline = new Batch(addon);
  const alone = plain(inline.runInline(jobs, rows).answers);
  assert.ok(alone.every(({ counts, rows: hit }) => counts[0] === hit.length && hit.length > 0));
  for (const workers of [1, 2, 3, 16]) {
    const pool = new LatePool(workers);
    const batch = new Batch(addon, 1);
    const outcome = await batch.run(jobs, rows, pool);
    assert.equal(plain(outcome.answers), alone);
    assert.is(outcome.shards, workers);
    assert.ok(pool.tasks.length >= Math.min(workers, 2));
    batch.close();
  }
  inline.close();
});

test('real workers write into the shared bitmaps', async () => {
  const pool = new Pool(2, addon.mark);
  const batch = new Batch(addon, 1);
  try {
    const rows = rowsOf(3000, 100);
    const outcome = await batch.run(jobs, rows, pool);
    assert.equal(plain(outcome.answers), plain(new Batch(addon).runInline(jobs, rows).answers));
  } finally {
    batch.close();
    await pool.close(2000);
  }
});

test('few rows, or rows without a pool, are evaluated inline', async () => {
  const pool = new LatePool(2);
  const batch = new Batch(addon, 1001);
  assert.is((await batch.run(jobs, rowsOf(1000, 70), pool)).shards, 1);
  assert.is((await batch.run(jobs, rowsOf(1001, 70), null)).shards, 1);
  assert.is(pool.tasks.length, 0);
  assert.is((await batch.run(jobs, rowsOf(1001, 70), pool)).shards, 2);
  batch.close();
});

test('a program is compiled once and freed when it is no longer used', () => {
  const compiled: number[] = [];
  const freed: number[] = [];
  const counting = {
    ...addon,
    compileBatch: (program: BatchProgram) => {
      const handle = addon.compileBatch(program);
      compiled.push(handle);
      return handle;
    },
    freeBatch: (handle: number) => {
      freed.push(handle);
      addon.freeBatch(handle);
    },
  };
  const batch = new Batch(counting);
  const rows = rowsOf(10, 3);
  batch.runInline(jobs, rows);
  batch.runInline(jobs, rows);
  assert.is(compiled.length, 2);
  batch.runInline([jobs[0] as BatchJob], rows);
  assert.equal(freed, [compiled[1]]);
  batch.close();
  assert.equal([...freed].sort(), [...compiled].sort());
});

test('a failing worker rejects the run after every shard has ended', async () => {
  class Failing extends LatePool {
    ended = 0;
    override async run<T extends Task>(task: T, ...args: ArgsOf<T>): Promise<ResultOf<T>> {
      const first = this.tasks.push(task) === 1;
      if (first) throw new Error('the worker died');
      await new Promise((done) => setImmediate(done));
      this.ended++;
      return perform(addon, task, args);
    }
  }
  const pool = new Failing(4);
  const batch = new Batch(addon, 1);
  let message = '';
  try {
    await batch.run(jobs, rowsOf(1000, 300), pool);
  } catch (error) {
    message = (error as Error).message;
  }
  assert.is(message, 'the worker died');
  assert.is(pool.ended, pool.tasks.length - 1);
  batch.close();
});

test('the rows of a bitmap are listed and tested', () => {
  const bitmap = Uint8Array.of(0b1000_0001, 0, 0b10);
  const rows = rowsIn(bitmap);
  assert.equal(rows, [0, 7, 17]);
  for (let row = -1; row < 30; row++) assert.is(hasRow(bitmap, row), rows.includes(row));
  const batch = new Batch(addon);
  const [answer] = batch.runInline(jobs, rowsOf(3, 3)).answers;
  assert.throws(() => answer?.bitmap(1), /keeps no bitmap/);
  batch.close();
});

test.run();
