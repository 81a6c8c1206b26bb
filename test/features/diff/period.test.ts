/** The times that a question about changes takes, and what it refuses. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../../src/base/desk-error.ts';
import { periodOf } from '../../../src/features/diff/period.ts';
import { forAll } from '../../support/for-all.ts';

const test = suite('diff period');

const NOW = new Date(2026, 0, 3, 8, 30).getTime();
const BOOT = NOW - 5_000_000;
const now = { nowMs: NOW, bootedMs: BOOT };
const day = (offset: number): number => new Date(2026, 0, 3 + offset).getTime();

test('words, durations, dates and times are taken', () => {
  const cases: readonly [string, string, number, number][] = [
    ['24h', 'now', NOW - 86_400_000, NOW],
    ['yesterday', 'today', day(-1), day(0)],
    ['3d', '90m', NOW - 3 * 86_400_000, NOW - 5_400_000],
    ['boot', 'now', BOOT, NOW],
    [' Boot ', 'NOW', BOOT, NOW],
    ['2026-01-01', '2026-01-02T03:04:05', day(-2), new Date(2026, 0, 2, 3, 4, 5).getTime()],
    ['2026-01-01T00:00:00+01:00', '2026-01-01T00:00:00Z', Date.UTC(2025, 11, 31, 23), Date.UTC(2026, 0, 1)],
  ];
  for (const [since, until, sinceMs, untilMs] of cases)
    assert.equal(periodOf(since, until, now), { sinceMs, untilMs }, `${since} ${until}`);
});

const refusal = (since: string, until: string, of = now): DeskError => {
  try {
    periodOf(since, until, of);
  } catch (error) {
    if (error instanceof DeskError) return error;
  }
  throw new Error(`"${since}" "${until}" was taken`);
};

test('what is not a time, in the future or in the wrong order is refused, with what to do', () => {
  assert.match(refusal('soon', 'now').message, 'since "soon" is not a time.');
  assert.match(refusal('24h', '2026-02-31').message, 'until "2026-02-31" is not a time.');
  assert.match(refusal('24h', '2026-01-04').message, 'until "2026-01-04" is in the future.');
  assert.match(refusal('now', 'now').message, 'since "now" is not before until "now".');
  assert.match(refusal('1d', '2d').message, 'since "1d" is not before until "2d".');
  for (const [since, until] of [
    ['soon', 'now'],
    ['1d', '2d'],
  ] as const)
    assert.is(refusal(since, until).code, 'usage');
  assert.is(refusal('boot', 'now', { ...now, bootedMs: null as never }).code, 'unavailable');
});

test('any text gives times in order that are not in the future, or is refused', () => {
  forAll(fc.tuple(fc.string({ maxLength: 12 }), fc.constantFrom('now', '1h', 'today')), ([since, until]) => {
    try {
      const { sinceMs, untilMs } = periodOf(since, until, now);
      assert.ok(sinceMs < untilMs && untilMs <= NOW);
    } catch (error) {
      assert.instance(error, DeskError);
    }
  });
});

test.run();
