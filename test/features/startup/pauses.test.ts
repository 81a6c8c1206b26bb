/** Readings take at most one twentieth of the time in the long run, and some need no pause. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Pauses } from '../../../src/features/startup/pauses.ts';

const test = suite('pauses');

test('without free time a pause is twenty times as long as the reading, at most a minute', () => {
  const pauses = new Pauses(0);
  assert.is(pauses.untilMs(5), 5);
  pauses.took(100, 1_000);
  assert.is(pauses.untilMs(1_000), 3_000);
  assert.is(pauses.untilMs(2_000), 3_000);
  assert.is(pauses.untilMs(4_000), 4_000);
  pauses.took(50_000, 60_000);
  assert.is(pauses.untilMs(60_000), 120_000);
});

test('free time is used up by readings and comes back', () => {
  const pauses = new Pauses(2_000);
  for (let turn = 0; turn < 4; turn++) {
    assert.is(pauses.untilMs(1_000), 1_000);
    pauses.took(500, 1_000);
  }
  assert.is(pauses.untilMs(1_000), 1_000);
  pauses.took(100, 1_000);
  assert.is(pauses.untilMs(1_000), 3_000);
  assert.is(pauses.untilMs(50_000), 50_000);
});

test('whatever the readings take, they use their share and the free time at most', () => {
  const steps = fc.array(fc.record({ tookMs: fc.integer({ min: 1, max: 2_500 }), idleMs: fc.nat(30_000) }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.nat(3_000), (all, freeMs) => {
      const pauses = new Pauses(freeMs);
      let [nowMs, read, last] = [0, 0, 0];
      for (const { tookMs, idleMs } of all) {
        nowMs = pauses.untilMs(nowMs + idleMs);
        read += tookMs;
        last = tookMs;
        nowMs += tookMs;
        pauses.took(tookMs, nowMs);
      }
      // The last one has not been paid yet.
      assert.ok(read - last <= freeMs + nowMs / 20 + 2_500 + 1);
    }),
  );
});

test.run();
