/** When a lost stream is retried: soon at first, and spread over time. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { waitMs } from '../../src/pages/browser/again.ts';
import { expect } from '../support/expect.ts';
import { forAll } from '../support/for-all.ts';

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const MINUTE = 60_000;

test('an open page waits at most 2.5 s between retries in the first five minutes, and 10 s after that', () => {
  forAll(fc.nat(10_000), fc.integer({ min: 0, max: 24 * 60 * MINUTE }), chance, (failed, lostMs, at) => {
    const ms = waitMs(failed, lostMs, at);
    assert.ok(ms >= 375 && ms <= (lostMs < 5 * MINUTE ? 2_500 : 10_000), `${ms} ms`);
  });
});

test('the delay grows with failed retries up to a maximum, with a jitter of a quarter', () => {
  const waits = [0, 1, 2, 3, 4, 5];
  expect(waits.map((failed) => waitMs(failed, 0, 0.5))).equals([500, 1_000, 2_000, 2_000, 2_000, 2_000]);
  expect(waits.map((failed) => waitMs(failed, 5 * MINUTE, 0.5))).equals([
    500, 1_000, 2_000, 4_000, 8_000, 8_000,
  ]);
  expect([0, 1].map((at) => waitMs(0, 0, at))).equals([375, 625]);
});

test.run();
