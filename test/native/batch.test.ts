import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BATCH_CODE, type BatchProgram } from '../../src/engine/native/batch-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { testedMarks } from '../support/marks.ts';
import { answersOf, batchCase, columnsFor, setCases } from './batch-cases.ts';

const addons = testedMarks().map((mark) => loadNative(mark).addon);
const [addon] = addons;
if (addon === undefined) throw new Error('no mark runs here');

test('the kernel and the naive implementation give the same answers, on every CPU build', () => {
  fc.assert(
    fc.property(batchCase, (one) => {
      const [first] = addons.map((each) => {
        const { kernel, reference } = answersOf(each, one);
        assert.is(kernel, reference, `${each.mark}, ${one.rows} rows of ${one.table}`);
        return kernel;
      });
      for (const each of addons) assert.is(answersOf(each, one).kernel, first, each.mark);
    }),
    { numRuns: 300 },
  );
});

test('sets of every form work, from empty to 10^5 members', () => {
  for (const one of setCases()) {
    for (const each of addons) {
      const { kernel, reference } = answersOf(each, one);
      assert.is(kernel, reference, `${each.mark}, ${one.program.sets[0]?.length} members`);
    }
  }
});

const valid: BatchProgram = {
  table: 'processes',
  columns: ['state', 'ppid', 'flags'],
  operations: Uint32Array.of(BATCH_CODE.masked, 0, 0, 0, 0, BATCH_CODE.not, 1, 0, 0, 0),
  values: BigUint64Array.of(1n),
  parameters: 1,
  sets: [],
  bitmaps: [],
  registers: 2,
  outputs: Uint32Array.of(1),
  kept: 1,
};

test('an invalid program is refused with a message that names the place and the error', () => {
  const refused = (parts: Partial<Record<keyof BatchProgram, unknown>>, message: RegExp): void => {
    assert.throws(() => addon.compileBatch({ ...valid, ...parts } as BatchProgram), message);
  };
  addon.freeBatch(addon.compileBatch(valid));
  refused({ table: 'holders' }, /table must be "processes" or "listeners"/);
  refused({ columns: ['state', 'nonsense'] }, /no column "nonsense"/);
  refused({ columns: ['comm'] }, /"comm" has more than one element/);
  refused({ columns: 'state' }, /columns must be an array/);
  refused({ operations: [1] }, /operations must be a Uint32Array/);
  refused({ operations: Uint32Array.of(1, 2, 3) }, /5 words each/);
  refused({ operations: Uint32Array.of(11, 0, 0, 0, 0) }, /operation 0: no operation has code 11/);
  refused({ operations: Uint32Array.of(BATCH_CODE.all, 2, 0, 0, 0) }, /no register 2/);
  refused({ operations: Uint32Array.of(BATCH_CODE.not, 0, 1, 0, 0) }, /register 1 is read before/);
  refused({ operations: Uint32Array.of(BATCH_CODE.masked, 0, 3, 0, 0) }, /no column 3/);
  refused({ operations: Uint32Array.of(BATCH_CODE.masked, 0, 0, 1, 0) }, /no value 1/);
  refused({ operations: Uint32Array.of(BATCH_CODE.range, 0, 0, 0, 0x8000_0001) }, /no parameter 1/);
  refused({ operations: Uint32Array.of(BATCH_CODE.inSet, 0, 0, 0, 0) }, /no set 0/);
  refused({ operations: Uint32Array.of(BATCH_CODE.inBitmap, 0, 0, 0, 0) }, /type u16/);
  refused({ outputs: Uint32Array.of(2) }, /output register 2 is never written/);
  refused({ kept: 2 }, /kept must be at most/);
  refused({ bitmaps: [new Uint8Array(5)] }, /a bitmap must have 8192 bytes, not 5/);
  refused({ sets: [[1n]] }, /sets must be a BigUint64Array/);
  refused({ registers: 5000 }, /registers must be/);
});

test('an invalid run throws and writes nothing', () => {
  const handle = addon.compileBatch(valid);
  const { bytes, capacity } = columnsFor(addon, 130, 1, []);
  const none = new BigUint64Array(1);
  const room = new Uint8Array(24);
  const run = (...parts: readonly unknown[]) => {
    const all = [handle, bytes, capacity, 130, 0, 0, 130, none, room];
    parts.forEach((part, at) => {
      if (part !== undefined) all[at] = part as never;
    });
    return () => addon.runBatch(...(all as Parameters<typeof addon.runBatch>));
  };
  const at = (index: number, part: unknown) => run(...Array<undefined>(index).fill(undefined), part);
  assert.throws(at(0, handle + 1000), /does not exist/);
  assert.throws(at(1, new Uint8Array(8)), /buffer holds/);
  assert.throws(at(3, 131), /processes must be a whole number from 0 to 130/);
  assert.throws(at(5, 1), /multiples of 64/);
  assert.throws(at(6, 100), /multiples of 64/);
  assert.throws(at(6, 131), /to must be/);
  assert.throws(at(7, new BigUint64Array(0)), /1 parameters, 0 were given/);
  assert.throws(at(8, new Uint8Array(23)), /verdicts holds 23 bytes/);
  assert.ok(room.every((byte) => byte === 0));
  run()();
  assert.ok(room.some((byte) => byte !== 0));
  addon.freeBatch(handle);
  assert.throws(run(), /does not exist/);
  assert.throws(() => addon.freeBatch(handle), /does not exist/);
});

test.run();
