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
      assert.is(rest.after(now, now + 2), now + 2);
      now += 2;
    }
    now += 1000;
  }
});

/** Rechecks of these durations, each as soon as it may start; calls `each` with what they have taken so far, and when. */
function run(durations: readonly number[], each: (worked: number, now: number) => void): void {
  const rest = new Rest();
  let now = 0;
  let worked = 0;
  for (const ms of durations) {
    worked += ms;
    now = rest.after(now, now + ms);
    each(worked, now);
  }
}

test('under constant events, rechecks take at most a fifth of the time plus a small initial credit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 300 }), (durations) => {
      run(durations, (worked, now) => assert.ok(worked <= 10 + now / 5 + 1e-6, `${worked} of ${now}`));
    }),
  );
});

test('short ones take at most a thirtieth, follow each other within 80 ms', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.1, max: 2.5, noNaN: true }), { minLength: 1, maxLength: 300 }),
      (durations) => {
        let before = 0;
        run(durations, (worked, now) => {
          assert.ok(worked <= 10 + now / 30 + 1e-6, `${worked} of ${now}`);
          assert.ok(now - before <= 80, `${now - before}`);
          before = now;
        });
      },
    ),
  );
});

test('rechecks of 2 ms that go on come 13 times a second', () => {
  let count = 0;
  run(new Array(2000).fill(2), (_, now) => {
    if (now > 10_000 && now <= 20_000) count += 1;
  });
  assert.ok(count >= 129 && count <= 131, `${count} in ten seconds`);
});

test('a long one in between does not slow down those after it for more than a pause', () => {
  const rest = new Rest();
  let now = rest.after(0, 1000);
  for (let recheck = 0; recheck < 100; recheck++) now = rest.after(now, now + 1);
  const idle = now + 10_000;
  assert.is(rest.after(idle, idle + 1), idle + 1);
});

test('no pause is longer than five seconds, and the remainder is added to the next', () => {
  const rest = new Rest();
  assert.is(rest.after(0, 60_000), 65_000);
  assert.is(rest.after(65_000, 65_001), 70_001);
});

test.run();
