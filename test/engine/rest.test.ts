/** The pause between rechecks, on a simulated clock. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Rest } from '../../src/engine/rest.ts';

test('a calm machine has no pauses', () => {
  const rest = new Rest();
  let now = 1000;
  for (let second = 0; second < 100; second++) {
    for (let recheck = 0; recheck < 4; recheck++) {
      assert.is(rest.after(now, now + 9), now + 9);
      now += 9;
    }
    now += 1000;
  }
});

test('under constant events, rechecks take at most a fifth of the time plus a small initial credit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 300 }), (durations) => {
      const rest = new Rest();
      let now = 0;
      let worked = 0;
      for (const ms of durations) {
        worked += ms;
        now = rest.after(now, now + ms);
        assert.ok(worked <= 40 + now / 5 + 1e-6, `${worked} of ${now}`);
      }
    }),
  );
});

test('no pause is longer than five seconds', () => {
  const rest = new Rest();
  assert.is(rest.after(0, 60_000), 65_000);
});

test.run();
