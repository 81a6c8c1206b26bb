import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Loop } from '../../src/engine/loop.ts';

const test = suite('loop');

/** A loop whose turns are counted and can be held open. */
function counted(periodMs: number) {
  let turns = 0;
  let release: (() => void) | undefined;
  const waiters: (() => void)[] = [];
  let held = false;
  const loop = new Loop({
    periodMs,
    cycle: async () => {
      turns += 1;
      for (const told of waiters.splice(0)) told();
      if (held)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
    },
  });
  return {
    loop,
    turns: () => turns,
    /** Resolves at the next turn. */
    next: () => new Promise<void>((resolve) => waiters.push(resolve)),
    hold: () => {
      held = true;
    },
    letGo: () => {
      held = false;
      release?.();
    },
  };
}

test('turns once at the start and again every period', async () => {
  const { loop, turns, next } = counted(5);
  loop.start();
  for (let i = 0; i < 4; i++) await next();
  assert.ok(turns() >= 4);
  await loop.stop();
  const ended = turns();
  await delay(30);
  assert.is(turns(), ended, 'none after stop');
});

test('a period shorter than its turns leaves four fifths of the time to others', async () => {
  let worked = 0;
  let beganMs = 0;
  const loop = new Loop({
    periodMs: 1,
    cycle: () => {
      const startedMs = performance.now();
      if (beganMs === 0) beganMs = startedMs;
      // The first 40 ms are not paid for at once.
      assert.ok(worked <= 40 + (startedMs - beganMs) / 5, `${worked} ms of ${startedMs - beganMs}`);
      while (performance.now() - startedMs < 30);
      worked += performance.now() - startedMs;
    },
  });
  loop.start();
  await delay(1000);
  await loop.stop();
  assert.ok(worked > 0);
});

test('a wake starts a turn long before the period is over', async () => {
  const { loop, turns, next } = counted(3_600_000);
  const first = next();
  loop.start();
  await first;
  const woken = next();
  loop.wake();
  await woken;
  assert.is(turns(), 2);
  await loop.stop();
});

test('wakes during a turn are one turn more, after it has ended', async () => {
  const { loop, turns, next, hold, letGo } = counted(3_600_000);
  hold();
  const first = next();
  loop.start();
  await first;
  for (let i = 0; i < 10; i++) loop.wake();
  await delay(20);
  assert.is(turns(), 1, 'no turn beside another');
  const second = next();
  letGo();
  await second;
  await delay(20);
  assert.is(turns(), 2);
  await loop.stop();
});

test('many wakes before a turn starts are one turn', async () => {
  const { loop, turns, next } = counted(3_600_000);
  const first = next();
  loop.start();
  loop.wake();
  loop.wake();
  await first;
  await delay(20);
  assert.is(turns(), 1);
  await loop.stop();
});

test('stop waits for the running turn, and a wake after it starts none', async () => {
  const { loop, turns, next, hold, letGo } = counted(1);
  hold();
  const first = next();
  loop.start();
  await first;
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await delay(10);
  assert.not.ok(stopped);
  letGo();
  await stopping;
  loop.wake();
  await delay(20);
  assert.is(turns(), 1);
});

test('its CPU counts turns and event source; the share waits for a minute of samples', async () => {
  const loop = new Loop({ periodMs: 3_600_000, cycle: () => undefined, sourceCpuUs: () => 250 });
  assert.is(loop.cpuUs(), 250);
  assert.is(loop.cpuShare(), null);
  loop.start();
  await delay(5);
  assert.is(loop.cpuShare(), null);
  await loop.stop();
});

test.run();
