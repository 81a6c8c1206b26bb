import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Loop } from '../../src/engine/loop.ts';

const test = suite('loop');

/** What a cycle asserts fails the test. */
const failed = (error: unknown): never => {
  throw error;
};

/** A loop that counts its rechecks and can hold one open. */
function counted(periodMs: number) {
  let rechecks = 0;
  let release: (() => void) | undefined;
  const waiters: (() => void)[] = [];
  let held = false;
  const loop = new Loop({
    failed,
    periodMs,
    cycle: async () => {
      rechecks += 1;
      for (const notify of waiters.splice(0)) notify();
      if (held)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
    },
  });
  return {
    loop,
    rechecks: () => rechecks,
    /** Resolves at the next recheck. */
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

test('rechecks once at the start and again every period', async () => {
  const { loop, rechecks, next } = counted(5);
  loop.start();
  for (let i = 0; i < 4; i++) await next();
  assert.ok(rechecks() >= 4);
  await loop.stop();
  const ended = rechecks();
  await delay(30);
  assert.is(rechecks(), ended, 'none after stop');
});

test('with a period shorter than a recheck, rechecks take at most a fifth of the time', async () => {
  let worked = 0;
  let beganMs = 0;
  const loop = new Loop({
    failed,
    periodMs: 1,
    cycle: () => {
      const startedMs = performance.now();
      if (beganMs === 0) beganMs = startedMs;
      // The first 10 ms, and the running recheck, cause no pause.
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

test('a polling loop takes at most half of the time, and counts the periods that it missed', async () => {
  let worked = 0;
  let began = 0;
  let count = 0;
  const loop = new Loop({
    failed,
    periodMs: 5,
    polls: () => true,
    cycle: () => {
      const startedMs = performance.now();
      if (began === 0) began = startedMs;
      assert.ok(worked <= (startedMs - began) / 2 + 1, `${worked} ms of ${startedMs - began}`);
      while (performance.now() - startedMs < 20);
      worked += performance.now() - startedMs;
      count += 1;
    },
  });
  loop.start();
  await delay(500);
  await loop.stop();
  // Every recheck but the first comes 40 ms after the one before: seven of eight periods have none.
  assert.ok(count > 1);
  assert.ok(loop.missed >= 7 * (count - 1), `${loop.missed} missed before ${count} rechecks`);
});

test('a loop that events drive misses nothing', async () => {
  const { loop, next } = counted(1);
  loop.start();
  for (let i = 0; i < 3; i++) await next();
  await loop.stop();
  assert.is(loop.missed, 0);
});

test('the loop continues after a cycle that throws, at once or later, and reports what it threw', async () => {
  const reported: unknown[] = [];
  let cycles = 0;
  let ended: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const loop = new Loop({
    periodMs: 1,
    failed: (error) => reported.push(error),
    cycle: () => {
      cycles += 1;
      if (cycles === 1) throw 'at once';
      if (cycles === 2) return Promise.reject('later');
      ended();
    },
  });
  loop.start();
  await enough;
  await loop.stop();
  assert.equal(reported, ['at once', 'later']);
});

test('a wake starts a recheck long before the period is over', async () => {
  const { loop, rechecks, next } = counted(3_600_000);
  const first = next();
  loop.start();
  await first;
  const woken = next();
  loop.wake();
  await woken;
  assert.is(rechecks(), 2);
  await loop.stop();
});

test('many wakes during a recheck cause one more recheck, after it has ended', async () => {
  const { loop, rechecks, next, hold, letGo } = counted(3_600_000);
  hold();
  const first = next();
  loop.start();
  await first;
  for (let i = 0; i < 10; i++) loop.wake();
  await delay(20);
  assert.is(rechecks(), 1, 'no second recheck at the same time');
  const second = next();
  letGo();
  await second;
  await delay(20);
  assert.is(rechecks(), 2);
  await loop.stop();
});

test('many wakes before a recheck starts cause one recheck', async () => {
  const { loop, rechecks, next } = counted(3_600_000);
  const first = next();
  loop.start();
  loop.wake();
  loop.wake();
  await first;
  await delay(20);
  assert.is(rechecks(), 1);
  await loop.stop();
});

test('stop waits for the running recheck, and a later wake starts none', async () => {
  const { loop, rechecks, next, hold, letGo } = counted(1);
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
  assert.is(rechecks(), 1);
});

test('CPU time is that of the rechecks and of the event source; its share is null until a minute has been sampled', async () => {
  const usedUs = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return user + system;
  };
  let cycles = 0;
  const cycle = (): void => {
    cycles += 1;
    const before = process.cpuUsage();
    while (usedUs(before) < 5_000);
  };
  const loop = new Loop({ failed, periodMs: 3_600_000, cycle, sourceCpuUs: () => 250 });
  assert.is(loop.cpuUs(), 250);
  assert.is(loop.cpuShare(), null);
  loop.start();
  while (cycles === 0) await delay(1);
  await loop.stop();
  assert.ok(loop.cpuUs() >= 5_250);
  assert.is(loop.cpuShare(), null);
});

test('a polling loop runs at the ticks of its ticker, less those that come too soon, and stops it', async () => {
  let tick = (): void => undefined;
  let stopped = 0;
  let rechecks = 0;
  let workMs = 0;
  /** When it has paused for as long as it worked. */
  let restedMs = 0;
  const loop = new Loop({
    failed,
    periodMs: 20,
    polls: () => true,
    ticker: (periodMs, ring) => {
      assert.is(periodMs, 20);
      tick = ring;
      return {
        stop: () => {
          stopped++;
        },
      };
    },
    cycle: () => {
      rechecks++;
      const startedMs = performance.now();
      while (performance.now() < startedMs + workMs);
      restedMs = 2 * performance.now() - startedMs;
    },
  });
  loop.start();
  await delay(60);
  assert.is(rechecks, 1, 'only the first one comes by itself');
  tick();
  await delay(1);
  assert.is(rechecks, 2);
  workMs = 100;
  tick();
  await delay(1);
  tick();
  assert.is(rechecks, 3, 'it takes half of the time at most');
  // The loop's own measurement ends later.
  while (performance.now() < restedMs + 20) await delay(5);
  workMs = 0;
  tick();
  await delay(1);
  assert.is(rechecks, 4);
  assert.ok(loop.missed > 0);
  await loop.stop();
  tick();
  assert.equal([rechecks, stopped], [4, 1]);
});

test('where looks are enough, a polling loop rechecks at ticks and once a second, and misses only what had neither', async () => {
  let tick = (): void => undefined;
  let held = 0;
  let rechecks = 0;
  const loop = new Loop({
    failed,
    periodMs: 1,
    polls: () => true,
    ticker: (_, ring) => {
      tick = ring;
      return { stop: () => undefined, held: () => held };
    },
    cycle: () => {
      rechecks++;
    },
  });
  loop.start();
  await delay(20);
  assert.is(rechecks, 1);
  held = 1_000_000;
  tick();
  await delay(1);
  assert.equal([rechecks, loop.missed], [2, 0]);
  // By itself, after a second.
  while (rechecks < 3) await delay(20);
  assert.ok(loop.missed > 0, 'no look since the last one');
  await loop.stop();
});

test.run();
