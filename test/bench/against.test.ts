import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { against, grid, ownSide, type Side } from '../../bench/cases/against.ts';
import { atLeast, atMost, CannotRun, type Options } from '../../bench/cases/case.ts';
import { isMeasured } from '../../bench/print.ts';
import { expect } from '../support/expect.ts';

const options: Options = {
  processes: 1,
  listeners: 1,
  established: 0,
  rounds: 3,
  passes: 2,
  full: false,
  smoke: false,
  peers: false,
};

/** Records every round in `order`. */
const noted = (name: string, us: number, order: string[]): Side => ({
  does: name,
  warmUp: 1,
  round: (passes) => {
    order.push(`${name} ${passes}`);
    return { us: Array.from({ length: passes }, () => us), facts: {} };
  },
});
const refusing: Side = {
  does: 'refuses',
  warmUp: 0,
  round: () => {
    throw new CannotRun('no rights');
  },
};

test('each side runs once per round, however many rivals it has', async () => {
  const order: string[] = [];
  const forms = [
    { name: 'one', side: noted('one', 10, order), goals: [atMost('value', 20)], against: {} },
    { name: 'two', side: noted('two', 20, order), goals: [], against: { peer: [atLeast('speedup', 2)] } },
  ];
  const found = await grid(forms, [{ name: 'peer', side: noted('peer', 100, order), passes: 1 }], options);
  const round = ['one 2', 'two 2', 'peer 1'];
  assert.equal(order, [...round, ...round, ...round]);
  expect(found.map(({ name }) => name)).equals(['one', 'one against peer', 'two against peer']);
  assert.ok(found.every(isMeasured));
  const [, first] = found.filter(isMeasured);
  assert.equal(first?.rawA, [
    [10, 10],
    [10, 10],
    [10, 10],
  ]);
  assert.equal(first?.rawB, [[100], [100], [100]]);
});

test('a side that does not run leaves its goals open, with the reason', async () => {
  const order: string[] = [];
  const goals = [atMost('value', 20)];
  const forms = [
    { name: 'one', side: refusing, goals, against: { peer: [atLeast('speedup', 2)] } },
    { name: 'two', side: noted('two', 20, order), goals, against: { gone: [atLeast('speedup', 3)] } },
  ];
  const rivals = [
    { name: 'peer', side: refusing, passes: 1 },
    { name: 'gone', absent: 'not installed' },
  ];
  const found = await grid(forms, rivals, options);
  expect(found.map((one) => [one.name, isMeasured(one) ? 'measured' : one.notRun, one.goals.length])).equals([
    ['one', 'no rights', 2],
    ['two', 'measured', 1],
    ['two against gone', 'not installed', 1],
  ]);
});

test('values have the units of a second and of a call', async () => {
  const side = ownSide('work', 0, () => ({ us: [5000], facts: { seen: 1 } }));
  const share = await against({ name: 'x', unit: '% of a core' }, side, null, options);
  assert.equal(isMeasured(share) && share.rawA, [[0.5], [0.5], [0.5]]);
  const ms = await against({ name: 'x', unit: 'ms' }, side, null, options);
  assert.equal(isMeasured(ms) && ms.rawA, [[5], [5], [5]]);
  assert.is(side.facts.seen, 1);
});

test.run();
