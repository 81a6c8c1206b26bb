import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { atLeast, atMost, type Measured } from '../../bench/cases/case.ts';
import { figuresOf, goalText, judge, rivalry, short } from '../../bench/figures.ts';

const measured = (change: Partial<Measured> = {}): Measured => ({
  name: 'work',
  goals: [],
  a: 'ours',
  unit: 'µs',
  rawA: [
    [10, 11, 9],
    [20, 21, 19],
    [12, 12, 12],
  ],
  b: 'theirs',
  rawB: [
    [100, 100],
    [400, 400],
    [120, 120],
  ],
  warmUp: 1,
  ...change,
});

test('figures are medians of medians, and ratios are those of neighbouring rounds', () => {
  const { a, b, ratio } = figuresOf(measured());
  assert.equal(a, { median: 12, lowest: 10, highest: 20 });
  assert.equal(b, { median: 120, lowest: 100, highest: 400 });
  assert.equal(ratio, { median: 0.1, lowest: 0.05, highest: 0.1 });
  const { rawB: _, ...alone } = measured();
  assert.is(figuresOf(alone).ratio, null);
});

test('a goal is reached or missed by the median', () => {
  const of = (...goals: Measured['goals']) => judge(measured({ goals })).map(({ reached }) => reached);
  assert.equal(of(atMost('value', 12), atMost('value', 11.9)), [true, false]);
  assert.equal(of(atMost('ratio', 0.1), atMost('ratio', 0.09)), [true, false]);
  assert.equal(of(atLeast('speedup', 10), atLeast('speedup', 10.1)), [true, false]);
  assert.equal(of(atLeast('ratio', 0.05), atLeast('ratio', 0.2)), [true, false]);
});

test('a goal against a peer that was not measured is a bug, not a success', () => {
  const { rawB: _, ...alone } = measured({ goals: [atLeast('speedup', 2)] });
  assert.throws(() => judge(alone), /no peer/);
});

test('a name reports the form and its rival', () => {
  assert.equal(rivalry('against ps'), { form: '', rival: 'ps' });
  assert.equal(rivalry('iterator and list against our procfs backend'), {
    form: 'iterator and list',
    rival: 'our procfs backend',
  });
  for (const name of ['gate alone', 'avx512_mark against x86_64: batch']) assert.is(rivalry(name), null);
});

test('numbers and goals are formatted as text', () => {
  assert.equal([0, 0.01234, 1.005, 12.345, 999.6, 1234.5, 123_456].map(short), [
    '0',
    '0.0123',
    '1',
    '12.3',
    '1000',
    '1230',
    '123,000',
  ]);
  assert.is(goalText(atMost('value', 600), 'µs'), '≤ 600 µs');
  assert.is(goalText(atLeast('speedup', 70), 'µs'), '≥ 70 times faster than B');
  assert.is(goalText(atMost('ratio', 1.15), 'µs'), '≤ 1.15 × B');
});

test.run();
