/** The rest between turns that events ask for, on a clock made by hand. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Rest } from '../../src/engine/rest.ts';

test('on a calm machine there is no rest', () => {
  const rest = new Rest();
  let now = 1000;
  for (let second = 0; second < 100; second++) {
    for (let turn = 0; turn < 4; turn++) {
      assert.is(rest.after(now, now + 9), now + 9);
      now += 9;
    }
    now += 1000;
  }
});

test('in a storm the turns take a fifth of the time, but for a moment at its begin', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 300 }), (turns) => {
      const rest = new Rest();
      let now = 0;
      let worked = 0;
      for (const ms of turns) {
        worked += ms;
        now = rest.after(now, now + ms);
        assert.ok(worked <= 40 + now / 5 + 1e-6, `${worked} of ${now}`);
      }
    }),
  );
});

test('no single rest is longer than five seconds', () => {
  const rest = new Rest();
  assert.is(rest.after(0, 60_000), 65_000);
});

test.run();
