/** Pauses between attempts: they double up to a maximum, are jittered, and are reset by a success. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Backoff, backoffMs, spreadMs } from '../../src/base/retry.ts';
import { expect } from '../support/expect.ts';

test('a pause doubles with each failed attempt, up to the maximum', () => {
  expect([0, 1, 2, 3, 4, 1e6].map((failed) => backoffMs(failed, 500, 3_000))).equals([
    500, 1_000, 2_000, 3_000, 3_000, 3_000,
  ]);
  assert.is(backoffMs(1e6, 0, 3_000), 0);
});

test('a pause is jittered by a share of its length', () => {
  expect([0, 0.5, 1].map((chance) => spreadMs(1_000, 0.25, chance))).equals([750, 1_000, 1_250]);
});

test('a success resets the count of attempts', () => {
  const backoff = new Backoff();
  const about = (ms: number) => {
    const pause = backoff.next();
    assert.ok(pause >= 0.9 * ms && pause <= Math.min(300_000, 1.1 * ms), `${pause} for ${ms}`);
  };
  for (const sec of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]) about(sec * 1000);
  backoff.reset();
  about(1000);
});

test.run();
