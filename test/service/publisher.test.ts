import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Held, Rechecked } from '../../src/findings/recheck.ts';
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
  const state = {
    runs: 0,
    failing: '',
    fresh,
    gathered: 0,
    holds: false,
    held: 0,
    made: 0,
    unchanged: 0,
    counts: null as Held['counts'],
    lookedMs: null as number | null,
    asked: 0,
    confirms: false,
    known: 1,
    meanwhile: (): void => undefined,
  };
  const published: Publisher = new Publisher({
    recheck: {
      run: async () => {
        state.runs += 1;
        state.meanwhile();
        if (state.failing !== '') throw new Error(state.failing);
        if (!state.holds) return rechecked;
        const newer = { epochMs: Date.now(), offsetMin: 0, monotonicMs: performance.now() };
        const next = { ...snapshot, generation: snapshot.generation + 1, at: newer };
        return { held: true, snapshot: next, counts: state.counts, unlearned: 0, us };
      },
    },
    log: pino({ level: 'silent' }),
    periodMs: 1,
    lookedMs: () => state.lookedMs,
    ask: async () => {
      state.asked += 1;
      if (state.confirms) published.confirm(5);
    },
    rechecked: () => undefined,
    made: () => {
      state.made += 1;
    },
    held: () => {
      state.held += 1;
    },
    unchanged: () => {
      state.unchanged += 1;
    },
    factsOf: (_, p50Us) => {
      state.gathered += 1;
      const loop = { ...desk.loop, fresh: state.fresh };
      return { ...desk, loop, recheck: { ...desk.recheck, p50Us } };
    },
    baselineGeneration: () => state.known,
    settled,
  });
  return { published, state };
}

test('a state that was judged by an earlier baseline is not given out, and a run of before is not joined', async () => {
  const { published, state } = played();
  const first = await published.youngerThan(10_000);
  assert.is(await published.youngerThan(10_000), first);
  state.known = 2;
  assert.is.not(await published.youngerThan(10_000), first);
  assert.is(state.runs, 2);
  state.meanwhile = () => {
    state.known = 3;
  };
  const [one, other] = await Promise.all([published.youngerThan(0), published.youngerThan(0)]);
  assert.is(state.runs, 4);
  assert.is.not(one, other);
  assert.is(published.latest, other);
});

test('what must be judged again waits for a run that began earlier, and callers share the next one', async () => {
  const { published, state } = played();
  const earlier = published.youngerThan(0);
  const both = [published.again(), published.again()];
  await earlier;
  assert.is(state.runs, 1);
  await Promise.all(both);
  assert.is(state.runs, 2);
  const judgedMs = published.judgedMs;
  assert.ok(judgedMs > Number.NEGATIVE_INFINITY);
  state.holds = true;
  await published.again();
  assert.is(published.judgedMs, judgedMs);
  state.holds = false;
  const beforeMs = performance.now();
  await published.again();
  assert.ok(published.judgedMs >= beforeMs);
});

test('a recheck without changes counts as the latest one, and keeps the counts of the batch', async () => {
  const { published } = played();
  const made = await published.youngerThan(0);
  assert.equal([made.recheckUs, made.desk.recheck.p50Us], [4000, 4000]);
  published.confirm(6.2);
  const held = published.latest;
  assert.is(held?.recheckUs, 7);
  assert.is(held?.judgement, made.judgement);
  assert.is(held?.snapshot.generation, made.snapshot.generation);
  assert.ok((held?.snapshot.at.epochMs ?? 0) > made.snapshot.at.epochMs);
});

test('while looks find everything as it was read, the last state is young', async () => {
  const { published, state } = played({ settled: true });
  const made = await published.youngerThan(0);
  await delay(10);
  state.lookedMs = 2;
  assert.is(await published.youngerThan(5), made);
  state.lookedMs = null;
  assert.is.not(await published.youngerThan(5), made);
});

test('for a state that is too old, changes are read first; a full sweep only if that does not help', async () => {
  const { published, state } = played();
  await published.youngerThan(0);
  assert.equal([state.runs, state.asked], [1, 0]);
  await delay(10);
  state.confirms = true;
  const held = await published.youngerThan(5);
  assert.equal([state.runs, state.asked], [1, 1]);
  assert.ok(performance.now() - held.snapshot.at.monotonicMs < 1000);
  await published.youngerThan(60_000);
  assert.equal([state.runs, state.asked], [1, 1]);
  await delay(10);
  state.confirms = false;
  await published.youngerThan(5);
  assert.equal([state.runs, state.asked], [2, 2]);
  await published.youngerThan(0);
  assert.equal([state.runs, state.asked], [3, 2], 'maxAgeMs 0 always sweeps');
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
  const { published, state } = played({ fresh: false });
  assert.not((await published.youngerThan(0)).desk.loop.fresh);
  state.fresh = true;
  published.confirm(5);
  assert.ok(published.latest?.desk.loop.fresh);
});

test('facts are gathered when a state is read, once', async () => {
  const { published, state } = played();
  const made = await published.youngerThan(0);
  assert.is(state.gathered, 0);
  assert.is(made.desk, made.desk);
  assert.is(state.gathered, 1);
});

test('a judgement that holds is published with the newer snapshot, but as an event at most once a second', async () => {
  const { published, state } = played();
  const made = await published.youngerThan(0);
  let events = 0;
  published.events.on('state', () => {
    events += 1;
  });
  state.holds = true;
  await published.recheck(null, { mayHold: true });
  const held = published.latest;
  assert.is(held?.snapshot.generation, made.snapshot.generation + 1);
  assert.equal(held?.judgement, { ...made.judgement, generation: made.snapshot.generation + 1 });
  assert.equal([events, state.made, state.held, state.unchanged], [0, 1, 1, 1]);
  state.holds = false;
  await published.recheck(null);
  assert.equal([events, state.made, state.held, state.unchanged], [1, 2, 1, 1]);
});

test('a judgement that holds while rows change is an event at once, with the new counts', async () => {
  const { published, state } = played();
  await published.youngerThan(0);
  let events = 0;
  published.events.on('state', () => {
    events += 1;
  });
  const counts = { megaN: 3, pass: 1, fail: 1, blind: 1, everyTier: { pass: 1, fail: 1, blind: 1 } };
  Object.assign(state, { holds: true, counts });
  await published.recheck(null, { mayHold: true });
  assert.is(published.latest?.judgement.megaN, 3);
  assert.equal([events, state.made, state.held, state.unchanged], [1, 2, 1, 0]);
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

test('once its listeners close it observes no more, and still answers', async () => {
  const { published, state } = played({ settled: true });
  await published.youngerThan(0);
  published.retire();
  assert.not(published.settled);
  await published.youngerThan(60_000);
  assert.is(state.runs, 1);
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
