/** When a stream that was lost is asked for again: soon while the loss is young, never in a storm. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { waitMs } from '../../src/pages/browser/again.ts';

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const MINUTE = 60_000;

test('whoever leaves a page open waits at most 2.5 s in the first five minutes, and 10 s after that', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.integer({ min: 0, max: 24 * 60 * MINUTE }),
      chance,
      (failed, lostMs, at) => {
        const ms = waitMs(failed, lostMs, at);
        assert.ok(ms >= 375 && ms <= (lostMs < 5 * MINUTE ? 2_500 : 10_000), `${ms} ms`);
      },
    ),
  );
});

test('waits grow with the tries that failed, up to their longest, and are spread by a quarter', () => {
  const waits = [0, 1, 2, 3, 4, 5];
  assert.equal(
    waits.map((failed) => waitMs(failed, 0, 0.5)),
    [500, 1_000, 2_000, 2_000, 2_000, 2_000],
  );
  assert.equal(
    waits.map((failed) => waitMs(failed, 5 * MINUTE, 0.5)),
    [500, 1_000, 2_000, 4_000, 8_000, 8_000],
  );
  assert.equal(
    [0, 1].map((at) => waitMs(0, 0, at)),
    [375, 625],
  );
});

test.run();
