import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rechecked } from '../../src/findings/recheck.ts';
import { NONE_SHORT_LIVED } from '../../src/findings/short-lived.ts';
import { Moments } from '../../src/service/moments.ts';
import { momentFrom } from '../support/moment.ts';

/** Moments over rechecks that a test plays. */
function played({ settled = true, us = 4000, fresh = true } = {}) {
  const at = { epochMs: Date.now() - 2000, monotonicMs: performance.now() - 2000 };
  const { snapshot, judgement, desk } = momentFrom({ snapshot: { at }, loop: { fresh } });
  const rechecked: Rechecked = {
    ...{ snapshot, judgement, opened: [], closed: [], described: [], unlearned: 0, shards: 1, us },
    shortLived: NONE_SHORT_LIVED,
    settlesMs: null,
  };
  const state = { runs: 0, failing: '' };
  const moments = new Moments({
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
  return { moments, state };
}

test('a recheck that found nothing changed is the last one, and keeps the numbers of the batch', async () => {
  const { moments } = played();
  const made = await moments.youngerThan(0);
  assert.equal([made.desk.recheck.lastUs, made.desk.recheck.p50Us], [4000, 4000]);
  moments.confirm(6.2);
  const held = moments.latest;
  assert.is(held?.desk.recheck.lastUs, 7);
  assert.is(held?.judgement, made.judgement);
  assert.is(held?.snapshot.generation, made.snapshot.generation);
  assert.ok((held?.snapshot.at.epochMs ?? 0) > made.snapshot.at.epochMs);
});

test('a moment that is confirmed is later by the clock of the boot too: nothing has started at another time', async () => {
  const { moments } = played();
  const made = await moments.youngerThan(0);
  moments.confirm(6.2);
  const held = moments.latest;
  const booted = (moment: typeof held) =>
    (moment?.snapshot.at.epochMs ?? 0) / 1000 - (moment?.snapshot.machine.uptimeSec ?? 0);
  assert.ok((held?.snapshot.machine.uptimeSec ?? 0) > (made.snapshot.machine.uptimeSec ?? 0));
  // Whole milliseconds of the wall clock.
  assert.ok(Math.abs(booted(held) - booted(made)) < 0.002);
});

test('what is stale is measured by the recheck that made the moment, not by a quick one after it', async () => {
  const { moments } = played({ us: 5_000_000 });
  await moments.youngerThan(0);
  moments.confirm(5);
  assert.is(moments.staleAfterMs, 50_000);
});

test('a moment that a stale loop confirms is that of a loop that looks', async () => {
  const { moments } = played({ fresh: false });
  assert.not((await moments.youngerThan(0)).desk.loop.fresh);
  moments.confirm(5);
  assert.ok(moments.latest?.desk.loop.fresh);
});

test('before the listeners stand nobody is answered from what was seen', async () => {
  const { moments, state } = played({ settled: false });
  await moments.youngerThan(0);
  await moments.youngerThan(60_000);
  assert.is(state.runs, 2);
  moments.settle();
  await moments.youngerThan(60_000);
  assert.is(state.runs, 2);
});

test('a look starts a run of its own, callers share the one that runs', async () => {
  const { moments, state } = played();
  await Promise.all([moments.youngerThan(0), moments.youngerThan(0), moments.look(null)]);
  assert.is(state.runs, 2);
});

test('a recheck that fails is told until one succeeds', async () => {
  const { moments, state } = played();
  state.failing = 'no sweep';
  assert.is(await moments.look(null).catch((error: Error) => error.message), 'no sweep');
  assert.is(moments.trouble, 'no sweep');
  state.failing = '';
  await moments.look(null);
  assert.is(moments.trouble, '');
});

test.run();
