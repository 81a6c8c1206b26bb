import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rechecked } from '../../src/findings/recheck.ts';
import { Publisher } from '../../src/service/publisher.ts';
import { NONE_SHORT_LIVED, stateFrom } from '../support/state.ts';

/** States over simulated rechecks. */
function played({ settled = true, us = 4000, fresh = true } = {}) {
  const at = { epochMs: Date.now() - 2000, monotonicMs: performance.now() - 2000 };
  const { snapshot, judgement, desk } = stateFrom({ snapshot: { at }, loop: { fresh } });
  const rechecked: Rechecked = {
    ...{ snapshot, judgement, opened: [], closed: [], described: [], unlearned: 0, shards: 1, us },
    shortLived: NONE_SHORT_LIVED,
    settlesMs: null,
  };
  const state = { runs: 0, failing: '' };
  const published = new Publisher({
    recheck: {
      run: async () => {
        state.runs += 1;
        if (state.failing !== '') throw new Error(state.failing);
        return rechecked;
      },
    },
    log: pino({ level: 'silent' }),
    periodMs: 1,
    rechecked: () => undefined,
    made: () => undefined,
    factsOf: (_, times) => ({ ...desk, recheck: { ...desk.recheck, ...times } }),
    settled,
  });
  return { published, state };
}

test('a recheck without changes counts as the latest one, and keeps the counts of the batch', async () => {
  const { published } = played();
  const made = await published.youngerThan(0);
  assert.equal([made.desk.recheck.lastUs, made.desk.recheck.p50Us], [4000, 4000]);
  published.confirm(6.2);
  const held = published.latest;
  assert.is(held?.desk.recheck.lastUs, 7);
  assert.is(held?.judgement, made.judgement);
  assert.is(held?.snapshot.generation, made.snapshot.generation);
  assert.ok((held?.snapshot.at.epochMs ?? 0) > made.snapshot.at.epochMs);
});

test('a confirmed snapshot is later by the boot clock too, so start times are unchanged', async () => {
  const { published } = played();
  const made = await published.youngerThan(0);
  published.confirm(6.2);
  const held = published.latest;
  const booted = (deskState: typeof held) =>
    (deskState?.snapshot.at.epochMs ?? 0) / 1000 - (deskState?.snapshot.machine.uptimeSec ?? 0);
  assert.ok((held?.snapshot.machine.uptimeSec ?? 0) > (made.snapshot.machine.uptimeSec ?? 0));
  // Whole milliseconds of the wall clock.
  assert.ok(Math.abs(booted(held) - booted(made)) < 0.002);
});

test('staleness is measured from the recheck that took the snapshot, not from a quick one after it', async () => {
  const { published } = played({ us: 5_000_000 });
  await published.youngerThan(0);
  published.confirm(5);
  assert.is(published.staleAfterMs, 20_000);
});

test('a snapshot that a stale loop confirms is fresh again', async () => {
  const { published } = played({ fresh: false });
  assert.not((await published.youngerThan(0)).desk.loop.fresh);
  published.confirm(5);
  assert.ok(published.latest?.desk.loop.fresh);
});

test('before the listeners are bound no caller gets a stored snapshot', async () => {
  const { published, state } = played({ settled: false });
  await published.youngerThan(0);
  await published.youngerThan(60_000);
  assert.is(state.runs, 2);
  published.settle();
  await published.youngerThan(60_000);
  assert.is(state.runs, 2);
});

test('a requested recheck starts a new run, other callers share the running one', async () => {
  const { published, state } = played();
  await Promise.all([published.youngerThan(0), published.youngerThan(0), published.recheck(null)]);
  assert.is(state.runs, 2);
});

test('a failed recheck is reported until one succeeds', async () => {
  const { published, state } = played();
  state.failing = 'no sweep';
  assert.is(await published.recheck(null).catch((error: Error) => error.message), 'no sweep');
  assert.is(published.trouble, 'no sweep');
  state.failing = '';
  await published.recheck(null);
  assert.is(published.trouble, '');
});

test.run();
