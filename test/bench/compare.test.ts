import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changesBetween, compareFolders } from '../../bench/compare.ts';
import { measured, row } from './rows.ts';

const scaled = (raw: readonly (readonly number[])[], by: number) =>
  raw.map((each) => each.map((v) => v * by));
const only = (...changes: ReturnType<typeof changesBetween>) => {
  assert.is(changes.length, 1);
  return changes[0] as (typeof changes)[number];
};

test('the same rounds twice are within noise', () => {
  const found = only(...changesBetween([row([measured()])], [row([measured()])]));
  assert.is(found.verdict, 'within noise');
  assert.is(found.change, 1);
});

test('a machine that is half as fast in the second run is not a change where a peer was measured too', () => {
  const slow = measured({ rawA: scaled(measured().rawA, 2), rawB: scaled(measured().rawB ?? [], 2) });
  const found = only(...changesBetween([row([measured()])], [row([slow])]));
  assert.is(found.of, 'A/B');
  assert.is(found.verdict, 'within noise');
});

test('a side that takes 1.5 times as long against the same peer is a change', () => {
  const before = measured({
    rawA: [[10], [11], [9], [10.5], [9.5], [10.2]],
    rawB: [[99], [101], [100], [99], [102], [98]],
  });
  const after = { ...before, rawA: scaled(before.rawA, 1.5) };
  const found = only(...changesBetween([row([before])], [row([after])]));
  assert.is(found.verdict, 'changed');
  assert.ok(Math.abs(found.change - 1.5) < 1e-9);
  assert.ok(found.interval[0] > 1 && found.chance < 0.01);
});

test('another version of the peer is another peer, so the values are compared', () => {
  const other = measured({ b: 'peer 2.0', rawB: scaled(measured().rawB ?? [], 9) });
  assert.is(only(...changesBetween([row([measured()])], [row([other])])).of, 'A in µs');
});

test('three rounds are too few to report a change, however large the difference', () => {
  const few = measured({ rawA: [[10], [10], [10]], rawB: [[100], [100], [100]] });
  const far = { ...few, rawA: [[90], [90], [90]] };
  assert.is(only(...changesBetween([row([few])], [row([far])])).verdict, 'too few rounds to tell');
});

test('a case that only one run has is counted, and each load is compared separately', () => {
  const elsewhere = row([measured()], { point: { processes: 100, listeners: 20, established: 0 } });
  assert.equal(changesBetween([row([measured()])], [elsewhere]), []);
  assert.match(compareFolders([row([measured()])], [elsewhere]).join('\n'), /1 without counterpart/);
});

test('a run on another machine is reported', () => {
  const there = row([measured()]);
  const other = { ...there, machine: { ...there.machine, cpu: 'another' } };
  assert.match(compareFolders([there], [other]).join('\n'), /differ in cpu/);
});

test.run();
