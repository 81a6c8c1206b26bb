/** Checks of store, state folder and law files: when they run, and what they report. */
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

/** Runs `work` with the clock set forward. */
async function later(ms: number, work: () => unknown): Promise<void> {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
  try {
    await work();
  } finally {
    performance.now = now;
  }
}

test('a request makes a round, unless the last one was less than a second ago', async () => {
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

test('the start and the end of a failure are reported; at the end the gate writes first', async () => {
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

test('while a client follows the event stream, rounds run within a second', async () => {
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

test('a law file that has just changed is polled again within a second', async () => {
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
