/** What is checked beside the machine: seldom where nobody watches or asks. */
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Rounds } from '../../src/service/rounds.ts';

function played() {
  const calls: string[] = [];
  const state = { changed: false, failure: '', lost: false, restless: false };
  const rounds = new Rounds({
    store: {
      get failure() {
        return state.failure;
      },
      probe: () => {
        calls.push('probe');
        return state.changed;
      },
    },
    surroundings: { glance: () => state.lost },
    book: {
      poll: () => {
        calls.push('poll');
        return state.restless;
      },
    },
    recovered: () => calls.push('recovered'),
    changed: () => calls.push('changed'),
    paced: () => calls.push(`watched ${rounds.watched}`),
  });
  return { rounds, calls, state };
}

/** Time passes at once. */
async function later(ms: number, work: () => unknown): Promise<void> {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
  try {
    await work();
  } finally {
    performance.now = now;
  }
}

test('who asks has all checked, unless they were checked just before', async () => {
  const { rounds, calls } = played();
  rounds.ask();
  assert.equal(calls, [], 'not started');
  rounds.start();
  rounds.ask();
  rounds.ask();
  assert.equal(calls, ['probe', 'poll']);
  await later(900, () => rounds.ask());
  assert.equal(calls, ['probe', 'poll', 'probe', 'poll']);
  rounds.stop();
  await later(1800, () => rounds.ask());
  assert.is(calls.length, 4);
});

test('a failure that begins or ends is reported, and the end of one first to the gate', async () => {
  const { rounds, calls, state } = played();
  rounds.start();
  Object.assign(state, { changed: true, failure: 'locked' });
  rounds.ask();
  assert.equal(calls, ['probe', 'changed', 'poll']);
  calls.length = 0;
  state.failure = '';
  await later(900, () => rounds.ask());
  assert.equal(calls, ['probe', 'recovered', 'changed', 'poll']);
  calls.length = 0;
  Object.assign(state, { changed: false, lost: true });
  await later(1800, () => rounds.ask());
  assert.equal(calls, ['probe', 'changed', 'poll']);
  rounds.stop();
});

test('while somebody watches, rounds come by themselves within a second', async () => {
  const { rounds, calls } = played();
  // The timer of the rounds does not keep the process running.
  const alive = setInterval(() => undefined, 1000);
  rounds.start();
  await delay(1000);
  assert.equal(calls, []);
  const [one, other] = [rounds.attend(), rounds.attend()];
  while (calls.length < 3) await delay(10);
  assert.equal(calls, ['watched true', 'probe', 'poll']);
  one();
  assert.ok(rounds.watched);
  other();
  assert.is(calls.at(-1), 'watched false');
  const seen = calls.length;
  await delay(1000);
  assert.is(calls.length, seen);
  rounds.stop();
  clearInterval(alive);
});

test('a file of the law that has just changed is polled again soon', async () => {
  const { rounds, calls, state } = played();
  const alive = setInterval(() => undefined, 1000);
  rounds.start();
  state.restless = true;
  rounds.ask();
  assert.is(calls.length, 2);
  state.restless = false;
  while (calls.length < 4) await delay(10);
  await delay(1000);
  assert.is(calls.length, 4);
  rounds.stop();
  clearInterval(alive);
});

test.run();
