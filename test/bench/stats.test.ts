import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  growthExponent,
  mannWhitney,
  median,
  quantile,
  ratioInterval,
  ratios,
  slope,
  spread,
} from '../../bench/stats.ts';

const near = (value: number, wanted: number, within: number) =>
  assert.ok(Math.abs(value - wanted) <= within, `${value} is not ${wanted} within ${within}`);

test('median and quantile of a list', () => {
  assert.is(median([3, 1, 2]), 2);
  assert.is(median([4, 1, 2, 3]), 2.5);
  assert.is(quantile([10, 20, 30, 40, 50], 0.25), 20);
  assert.is(quantile([1, 2], 0.75), 1.75);
  assert.equal(spread([5, 1, 9]), { median: 5, lowest: 1, highest: 9 });
  assert.throws(() => median([]), RangeError);
});

test('ratios are computed from neighbouring rounds', () => {
  // The machine is ten times slower after the first pair: the ratio is not affected.
  assert.equal(ratios([1, 10, 20], [2, 20, 40]), [0.5, 0.5, 0.5]);
  assert.throws(() => ratios([1], []), RangeError);
});

test('Mann–Whitney agrees with published exact values', () => {
  // Complete separation of 5 and 5: 2 of 252 subsets; of 3 and 3: 2 of 20.
  near(mannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), 2 / 252, 1e-12);
  near(mannWhitney([1, 2, 3], [4, 5, 6]), 0.1, 1e-12);
  // U = 4 and U = 6 with n = m = 5 (the exact table, both sides).
  near(mannWhitney([1, 2, 3, 5, 8], [4, 6, 7, 9, 10]), 0.0952, 0.0001);
  near(mannWhitney([1, 2, 3, 7, 8], [4, 5, 6, 9, 10]), 0.2222, 0.0001);
  assert.is(mannWhitney([1, 1, 1], [1, 1, 1]), 1);
  assert.is(mannWhitney([], [1]), 1);
});

test('Mann–Whitney: the exact and the approximate value are close, and the test is symmetric', () => {
  const small = Array.from({ length: 9 }, (_, index) => index * 2);
  const shifted = small.map((value) => value + 3);
  const exact = mannWhitney(small, shifted);
  const many = Array.from({ length: 14 }, (_, index) => index * 2);
  const approximate = mannWhitney(
    many,
    many.map((value) => value + 3),
  );
  assert.ok(exact > 0.05 && exact < 1 && approximate > 0.05 && approximate < 1);
  assert.is(mannWhitney(small, shifted), mannWhitney(shifted, small));
  near(
    mannWhitney(
      many,
      many.map((value) => value + 1000),
    ),
    7e-6,
    2e-6,
  );
});

test('Mann–Whitney and the interval have their properties for any rounds', () => {
  const rounds = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(rounds, rounds, (a, b) => {
      const p = mannWhitney(a, b);
      assert.ok(p > 0 && p <= 1 + 1e-9, String(p));
      // Any increasing transformation keeps the ranks.
      near(
        mannWhitney(
          a.map((value) => 3 * value + 1),
          b.map((value) => 3 * value + 1),
        ),
        p,
        1e-6,
      );
    }),
    { numRuns: 200, seed: 1 },
  );
  fc.assert(
    fc.property(rounds, rounds, (a, b) => {
      const [low, high] = ratioInterval(a, b);
      assert.ok(low <= high && low > 0);
    }),
    { numRuns: 10, seed: 2 },
  );
});

test('the bootstrap interval contains the true ratio and is reproducible', () => {
  const before = [100, 101, 99, 102, 98, 100, 101];
  const after = before.map((value) => value * 1.5);
  const [low, high] = ratioInterval(before, after);
  assert.ok(low > 1.4 && low <= 1.5 && high >= 1.5 && high < 1.6, `${low} ${high}`);
  assert.equal(ratioInterval(before, after), [low, high]);
});

test('growth: flat is 0, linear is 1', () => {
  near(
    growthExponent([
      [100, 5],
      [1000, 5],
      [5000, 5],
    ]),
    0,
    1e-12,
  );
  near(
    growthExponent([
      [100, 2],
      [1000, 20],
      [5000, 100],
    ]),
    1,
    1e-12,
  );
  near(
    growthExponent([
      [10, 1],
      [1000, 10_000],
    ]),
    2,
    1e-12,
  );
});

test('slope: per unit of x, whatever the offset', () => {
  near(
    slope([
      [1, 5],
      [2, 7],
      [4, 11],
    ]),
    2,
    1e-12,
  );
  near(
    slope([
      [0, 3],
      [1, 5],
      [2, 1],
    ]),
    -1,
    1e-12,
  );
});

test.run();
