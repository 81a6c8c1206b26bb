import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Changes } from '../../src/engine/events.ts';
import type { WatchDelta, WatchStart } from '../../src/engine/native/watch-types.ts';
import { loopFactsOf } from '../../src/service/desk-facts.ts';
import { Metrics } from '../../src/service/metrics.ts';
import { Scheduler } from '../../src/service/scheduler.ts';
import { stateFrom } from '../support/state.ts';

const test = suite('scheduler');

const QUIET: WatchDelta = {
  count: 0,
  processes: false,
  broken: false,
  lost: 0,
  overruns: 0,
  listeners: false,
  connections: false,
  resync: false,
  all: false,
  events: { fork: 0, exec: 0, exit: 0, comm: 0, id: 0, ptrace: 0, other: 0, socket: 0 },
  polls: 0,
  pollRefusals: 0,
  oldestUs: 0,
};

/** Scheduler over a simulated watch. */
function played(
  parts: {
    mode?: 'event' | 'poll' | 'off';
    periodMs?: number;
    state?: Partial<WatchStart>;
    looks?: boolean;
    /** What neither events nor looks show. */
    holds?: boolean;
    watched?: boolean;
  } = {},
) {
  const queue: { delta: WatchDelta; pids: readonly number[] }[] = [];
  const partials: (Omit<Changes, 'dirty'> & { dirty: number[] })[] = [];
  const full: number[] = [];
  let confirmed = 0;
  let failing = 0;
  let stopped = 0;
  const after = { calls: 0, againMs: null as number | null };
  let { watched = false } = parts;
  let wake = (): void => undefined;
  const metrics = new Metrics(
    {
      latest: () => null,
      parts: () => ({}),
      events: () => null,
      loop: () => ({ cpuUs: () => 0, missed: 0 }),
      looks: () => null,
      loopFacts: () => ({ on: false, quietMs: 0 }),
      remoteCertificateEnds: () => null,
      peeks: () => ({ inspections: 0, killed: 0, broken: 0 }),
      checks: () => new Map(),
      egress: () => ({ connections: {}, refusals: {} }),
      memory: () => ({
        parts: { columns: 0, bitmaps: 0, table: 0, texts: 0 },
        workers: 0,
        workerHeapBytes: 0,
        malloc: null,
        group: [],
        storeCacheBytes: 0,
      }),
    },
    { version: '0', build: 'none', backend: 'procfs' },
  );
  const scheduler = new Scheduler({
    config: { mode: parts.mode ?? 'event', recheck_ms: parts.periodMs ?? 3_600_000, listen_poll_ms: 10 },
    native: {
      watchStart: (_options, onChange) => {
        wake = onChange;
        return {
          watch: 7,
          connector: '',
          tracepoint: '',
          udp: '',
          udpExits: '',
          makers: '',
          bufferBytes: 1,
          ...parts.state,
        };
      },
      watchTake: (watch, pids) => {
        assert.is(watch, 7);
        const next = queue.shift();
        if (next === undefined) return QUIET;
        pids.set(next.pids);
        return next.delta;
      },
      watchSaw: () => undefined,
      watchCpuUs: () => 0,
      tickerStart: () => ({ errno: 24, code: 'EMFILE', source: 'ticker' }),
      tickerStop: () => undefined,
      lookCounts: () => ({ held: 0, us: 0, ageMs: null }),
      watchStop: () => {
        stopped += 1;
      },
    },
    metrics,
    log: pino({ level: 'silent' }),
    recheck: async (changes) => {
      if (failing > 0) {
        failing -= 1;
        throw new Error('no sweep');
      }
      if (changes === null) full.push(partials.length);
      else partials.push({ ...changes, dirty: [...changes.dirty] });
    },
    confirm: () => {
      confirmed += 1;
    },
    look: () => (parts.looks === true ? 3 : null),
    besides: async () => (parts.holds === true ? stateFrom().snapshot.machine : null),
    watched: () => watched,
    after: async () => {
      after.calls += 1;
      return after.againMs;
    },
  });
  const pending = (delta: Partial<WatchDelta>, pids: readonly number[] = []): void => {
    queue.push({ delta: { ...QUIET, processes: true, ...delta, count: pids.length }, pids });
  };
  return {
    scheduler,
    metrics,
    partials,
    full,
    after,
    confirmed: () => confirmed,
    stopped: () => stopped,
    watch: (on: boolean) => {
      watched = on;
      scheduler.pace();
    },
    failNext: () => {
      failing += 1;
    },
    succeed: () => {
      failing = 0;
    },
    /** An event that has not woken the loop yet. */
    pending,
    /** Something happens, and the watch reports it. */
    async report(delta: Partial<WatchDelta>, pids: readonly number[] = []) {
      pending(delta, pids);
      wake();
      await delay(15);
    },
  };
}

test('the first scheduler turn reads everything; later turns read only what changed', async () => {
  const p = played();
  p.scheduler.start();
  await delay(15);
  assert.is(p.full.length, 1);
  assert.is(p.scheduler.mode, 'event');
  await p.report({ oldestUs: 40, events: { ...QUIET.events, fork: 1 } }, [12, -13]);
  assert.equal(
    p.partials.map(({ dirty }) => dirty),
    [[12, -13]],
  );
  assert.is(p.full.length, 1);
  assert.is(p.scheduler.events?.totals.events.fork, 1);
  await p.scheduler.stop();
  assert.is(p.stopped(), 1);
});

test('UDP by cgroup hooks works, and its source says how and what is not reported', async () => {
  const source = async (state: Partial<WatchStart>) => {
    const p = played({ state });
    p.scheduler.start();
    await p.scheduler.stop();
    return p.scheduler.sources.find(({ id }) => id === 'UDP binds');
  };
  const udpExits = 'exit of udp_v4_get_port: the kernel refuses (EPERM)';
  assert.equal(await source({}), { id: 'UDP binds', works: true, reason: '' });
  const hooks = await source({ udpExits });
  assert.ok(hooks?.works && hooks.reason.includes(udpExits) && hooks.reason.includes('5 s'));
  const polled = await source({ udp: 'no hook', udpExits });
  assert.equal(polled, { id: 'UDP binds', works: false, reason: 'no hook' });
});

test('while a client follows the event stream, a period without changes confirms the snapshot', async () => {
  const p = played({ periodMs: 5, watched: true });
  p.scheduler.start();
  await delay(60);
  assert.is(p.full.length, 1);
  assert.is(p.partials.length, 0);
  assert.ok(p.confirmed() >= 2);
  await p.scheduler.stop();
});

test('without a client on the event stream, only events wake the loop; a request confirms the snapshot', async () => {
  const p = played({ periodMs: 5 });
  p.scheduler.start();
  await delay(60);
  assert.equal([p.full.length, p.partials.length, p.confirmed()], [1, 0, 0]);
  await p.scheduler.ask();
  assert.equal([p.full.length, p.partials.length, p.confirmed()], [1, 0, 1]);
  await p.report({}, [5]);
  assert.equal([p.full.length, p.partials.length, p.confirmed()], [1, 1, 1]);
  p.watch(true);
  while (p.confirmed() < 3) await delay(1);
  p.watch(false);
  await delay(20);
  const confirmed = p.confirmed();
  await delay(40);
  assert.is(p.confirmed(), confirmed);
  await p.scheduler.stop();
});

test('a request reads pending changes', async () => {
  const p = played();
  p.scheduler.start();
  await delay(15);
  p.pending({}, [5]);
  await p.scheduler.ask();
  assert.equal(
    p.partials.map(({ dirty }) => dirty),
    [[5]],
  );
  await p.scheduler.stop();
});

test('the callback after a recheck is called again after the delay it returns', async () => {
  const p = played();
  p.after.againMs = 5;
  p.scheduler.start();
  while (p.after.calls < 3) await delay(1);
  p.after.againMs = null;
  await delay(20);
  const { calls } = p.after;
  await delay(20);
  assert.equal([p.after.calls, p.full.length], [calls, 1]);
  await p.report({}, [5]);
  assert.is(p.after.calls, calls + 1);
  await p.scheduler.stop();
});

test('lost events make the next turn read everything, and are counted', async () => {
  const p = played();
  p.scheduler.start();
  await delay(15);
  await p.report({ resync: true }, [5]);
  assert.is(p.full.length, 2);
  assert.is(p.partials.length, 0);
  assert.is(p.scheduler.events?.totals.resyncs, 1);
  await p.scheduler.stop();
});

test('after a failed recheck the next turn reads everything', async () => {
  const p = played();
  p.scheduler.start();
  await delay(15);
  p.failNext();
  await p.report({}, [5]);
  assert.is(p.partials.length, 0);
  await p.report({}, [6]);
  assert.is(p.full.length, 2);
  await p.report({}, [7]);
  assert.equal(
    p.partials.map(({ dirty }) => dirty),
    [[7]],
  );
  await p.scheduler.stop();
});

test('a loop whose rechecks fail is stale; the next recheck makes it fresh again', async () => {
  const { scheduler, failNext, succeed } = played();
  for (let times = 0; times < 1000; times++) failNext();
  scheduler.start();
  await delay(40);
  const stale = loopFactsOf(scheduler, 20);
  assert.not(stale.fresh);
  assert.ok(stale.staleSec > 0);
  succeed();
  await scheduler.loop.ask();
  assert.ok(loopFactsOf(scheduler, 20).fresh);
  await scheduler.stop();
  assert.ok(loopFactsOf(scheduler, 20).fresh, 'off: nothing is due');
});

test('without process events every cycle reads everything, and the reason is reported', async () => {
  const p = played({ periodMs: 5, state: { connector: 'the kernel refuses (EPERM)' } });
  p.scheduler.start();
  await delay(60);
  assert.is(p.scheduler.mode, 'poll');
  assert.is(p.scheduler.reason, 'the kernel refuses (EPERM)');
  assert.ok(p.full.length >= 2);
  assert.is(p.confirmed(), 0);
  await p.scheduler.stop();
});

test('when process events are lost for good, the loop polls and reports it', async () => {
  const p = played({ periodMs: 20 });
  p.scheduler.start();
  await delay(15);
  await p.report({ broken: true });
  assert.is(p.scheduler.mode, 'poll');
  assert.match(p.scheduler.reason, /ended/);
  assert.ok(p.scheduler.sources.some(({ id, works }) => id === 'proc connector' && !works));
  const before = p.full.length;
  await delay(80);
  assert.ok(p.full.length > before);
  await p.scheduler.stop();
});

test('mode poll does not start a watch, mode off does not start the loop', async () => {
  const poll = played({ mode: 'poll', periodMs: 5 });
  poll.scheduler.start();
  await delay(40);
  assert.is(poll.scheduler.events, null);
  assert.ok(poll.full.length >= 2);
  assert.is(poll.scheduler.reason, '');
  await poll.scheduler.stop();
  assert.is(poll.stopped(), 0);
  const off = played({ mode: 'off' });
  off.scheduler.start();
  await delay(15);
  assert.is(off.scheduler.mode, 'off');
  assert.not.ok(off.scheduler.loop.on);
  assert.is(off.full.length, 0);
  await off.scheduler.stop();
});

test('where a look finds every change, polls after the first one pass over everything and read what differs', async () => {
  const poll = played({ mode: 'poll', periodMs: 5, looks: true });
  poll.scheduler.start();
  await delay(40);
  await poll.scheduler.stop();
  assert.is(poll.full.length, 1);
  assert.ok(poll.partials.length >= 1);
  assert.ok(poll.partials.every(({ all, dirty }) => all && dirty.length === 0));
  assert.is(poll.confirmed(), 0);
});

for (const holds of [true, false])
  test(`where looks replace the passes, what they do not show is read every 5 s: ${holds ? 'nothing new' : 'a pass'}`, async () => {
    const now = performance.now.bind(performance);
    const p = played({ periodMs: 5, looks: true, holds, watched: true });
    try {
      p.scheduler.start();
      while (p.confirmed() === 0) await delay(1);
      assert.equal([p.full.length, p.partials.length], [1, 0]);
      performance.now = () => now() + 5000;
      const confirmed = p.confirmed();
      while (p.confirmed() < confirmed + 3) await delay(1);
      assert.equal(
        p.partials.map(({ all }) => all),
        holds ? [] : [true],
      );
    } finally {
      performance.now = now;
      await p.scheduler.stop();
    }
  });

test('what no event and no look shows is read every 5 s, also with a longer period', async () => {
  const p = played({ periodMs: 3_600_000, looks: true, holds: true });
  p.scheduler.start();
  while (p.confirmed() === 0) await delay(20);
  assert.equal([p.full.length, p.partials.length], [1, 0]);
  await p.scheduler.stop();
});

test('where looks replace the passes, constant events cause one every 5 s', async () => {
  const now = performance.now.bind(performance);
  const p = played({ looks: true, holds: true });
  try {
    p.scheduler.start();
    while (p.full.length === 0) await delay(1);
    await p.report({}, [5]);
    performance.now = () => now() + 5000;
    await p.report({}, [5]);
    await p.report({}, [5]);
    performance.now = () => now() + 9000;
    await p.report({ all: true }, [5]);
    performance.now = () => now() + 13_000;
    await p.report({}, [5]);
    assert.equal(
      p.partials.map(({ all }) => all),
      [false, true, false, true, false],
    );
  } finally {
    performance.now = now;
    await p.scheduler.stop();
  }
});

test('without a tracepoint connections are read once a second', async () => {
  const p = played({ periodMs: 20, state: { tracepoint: 'EPERM' } });
  p.scheduler.start();
  await delay(1300);
  assert.is(p.full.length, 1);
  assert.ok(p.partials.length >= 1, 'read again');
  assert.ok(p.partials.every(({ connections, dirty }) => connections && dirty.length === 0));
  assert.ok(p.confirmed() > p.partials.length, 'and confirmed in between');
  await p.scheduler.stop();
});

test('connections are also read once a second under constant events', async () => {
  const p = played({ state: { tracepoint: 'EPERM' } });
  p.scheduler.start();
  await delay(15);
  const until = performance.now() + 1500;
  while (performance.now() < until) await p.report({}, [5]);
  const asked = p.partials.filter(({ connections }) => connections).length;
  assert.ok(asked === 2 || asked === 3, `asked ${asked} times in ${p.partials.length} partial rechecks`);
  await p.scheduler.stop();
});

test('rechecks are counted by kind, and the latency from event to snapshot is reported', async () => {
  const p = played({ periodMs: 5, watched: true });
  p.scheduler.start();
  await delay(40);
  await p.report({ oldestUs: 40 }, [5]);
  const { text } = await p.metrics.read();
  assert.match(text, /desk_recheck_duration_seconds_count\{kind="full"\} 1/);
  assert.match(text, /desk_recheck_duration_seconds_count\{kind="partial"\} 1/);
  assert.match(text, /desk_recheck_duration_seconds_count\{kind="gated"\} [1-9]/);
  assert.match(text, /desk_change_to_snapshot_seconds_count 1/);
  await p.scheduler.stop();
});

test.run();
