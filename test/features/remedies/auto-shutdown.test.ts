/** Automatic shutdown: once, with growing pauses after refusals, after its grace period, and never against the policy. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  AutoShutdown,
  GRACE_MS,
  MOST_OF_USER,
  MOST_RUNNING,
  UDP_STAY_MS,
} from '../../../src/features/remedies/auto-shutdown.ts';
import type { ShutdownOutcome } from '../../../src/features/remedies/shutdown.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import type { Law } from '../../../src/policy/law.ts';
import type { DeskState } from '../../../src/records/state.ts';
import { SMALL_MACHINE } from '../../support/snapshot.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';

const test = suite('automatic shutdown');
const CLOSED: ShutdownOutcome = { result: 'closed', text: 'it is down', advice: '', signals: [] };
const REFUSED: ShutdownOutcome = {
  result: 'refused',
  text: 'pid 1 holds it',
  advice: 'stop UNIT.socket',
  signals: [],
};
const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

const banned = (inode = 18766): Finding =>
  findingFrom({
    id: `banned-${inode}`,
    check: 'banned-listener',
    severity: 'critical',
    subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port: 8766, inode },
  });

/** A state `afterMs` after AT whose listener is held by a process that is `ageSec` old. */
function deskState(findings: readonly Finding[], afterMs = 0, ageSec = 100): DeskState {
  const uptimeSec = 86_400;
  const start = String(Math.round((uptimeSec - ageSec) * 100));
  return stateFrom({
    findings,
    snapshot: {
      at: { epochMs: AT + afterMs, offsetMin: 0 },
      machine: { uptimeSec },
      listeners: [{ port: 8766, inode: 18766, holders: [{ pid: 500, start, fd: 3 }] }],
    },
  });
}

function order(
  outcome: ShutdownOutcome,
  {
    policy = 'auto' as 'auto' | 'ask' | 'never',
    firstStartMs = null as number | null,
    suppressions = [] as Law['suppressions'],
  } = {},
) {
  const state = { clock: 0, tried: [] as string[], updates: 0, lines: [] as string[] };
  const refusals = new Map<string, ShutdownOutcome>();
  const made = new AutoShutdown({
    policy,
    remedies: {
      shutDown: async ({ id }, by) => {
        state.tried.push(`${id} by ${by}`);
        if (outcome.result === 'refused') refusals.set(id, outcome);
        return outcome;
      },
      refusal: (id) => refusals.get(id),
      keepOnly: (open) => {
        for (const id of refusals.keys()) if (!open.has(id)) refusals.delete(id);
      },
    },
    law: () => ({ suppressions }),
    firstStartMs,
    clockMs: () => state.clock,
    log: { line: (_uid, _kind, _fields, line) => void state.lines.push(line) },
    tried: () => {
      state.updates++;
    },
  });
  return { made, state };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a confirmed banned listener is shut down once, and nothing else is', async () => {
  const { made, state } = order(CLOSED);
  const other = findingFrom({ id: 'other', check: 'traced' });
  made.observe(deskState([other]));
  made.observe(deskState([banned(), other]));
  made.observe(deskState([banned(), other]));
  await settled();
  made.observe(deskState([banned(), other]));
  assert.equal(state.tried, ['banned-18766 by policy']);
  assert.is(state.updates, 1);
});

test('an exempt listener is neither shut down nor announced', async () => {
  const suppression = { checks: ['banned-listener'], why: 'ours', source: 'law', name: '' } as const;
  const suppressions = [{ ...suppression, port: 8766, expiresMs: AT + 10_000 }];
  const { made, state } = order(CLOSED, { firstStartMs: AT - 1_000, suppressions });
  made.observe(deskState([banned()]));
  made.observe(deskState([banned()], 5_000, 1));
  await settled();
  assert.equal([state.tried, state.lines], [[], []]);
  const { judgement, snapshot } = deskState([banned()]);
  assert.equal(made.facts(judgement, snapshot), { pending: [], refused: [] });
  made.observe(deskState([banned()], GRACE_MS));
  await settled();
  assert.equal(state.tried, ['banned-18766 by policy'], 'it is shut down after the exemption ends');
});

test('two listeners are shut down separately', async () => {
  const { made, state } = order(CLOSED);
  made.observe(deskState([banned(1), banned(2)]));
  await settled();
  assert.equal(state.tried, ['banned-1 by policy', 'banned-2 by policy']);
});

test('repeated sockets on one endpoint are tried once a second, another endpoint is tried at once', async () => {
  for (const outcome of [REFUSED, { ...CLOSED, result: 'gone' } as const]) {
    const { made, state } = order(outcome);
    for (state.clock = 0; state.clock < 3_000; state.clock += 10) {
      made.observe(deskState([banned(state.clock)]));
      await settled();
    }
    assert.equal(state.tried, ['banned-0 by policy', 'banned-1000 by policy', 'banned-2000 by policy']);
    const other = banned(7);
    const { subject } = other;
    made.observe(
      deskState([{ ...other, subject: subject.kind === 'listener' ? { ...subject, port: 9_999 } : subject }]),
    );
    await settled();
    assert.is(state.tried.at(-1), 'banned-7 by policy');
  }
});

test('a listener that returns after a shutdown is tried at once', async () => {
  const { made, state } = order(CLOSED);
  for (state.clock = 0; state.clock < 50; state.clock += 10) {
    made.observe(deskState([banned(state.clock)]));
    await settled();
  }
  assert.is(state.tried.length, 5);
});

const udp = (inode: number): Finding => {
  const found = banned(inode);
  const { subject } = found;
  return { ...found, subject: subject.kind === 'listener' ? { ...subject, protocol: 'udp' } : subject };
};

test('a UDP listener is shut down only after one socket was open for 10 s without a gap', async () => {
  const { made, state } = order(CLOSED);
  // A thousand clients, each with its own socket for one state.
  for (let client = 0; client < 1_000; client++) {
    made.observe(deskState([udp(client)]));
    state.clock += 20 + ((client * 7) % 281);
    made.observe(deskState([udp(client)]));
  }
  await settled();
  assert.equal(state.tried, []);
  // After 9.9 s and a gap of one sweep the 10 s start again.
  for (const stay of [9_900, 9_900, 10_000]) {
    made.observe(deskState([]));
    for (const end = state.clock + stay; ; state.clock += 100) {
      made.observe(deskState([udp(5_000)]));
      if (state.clock >= end) break;
    }
    await settled();
    assert.equal(state.tried, stay < UDP_STAY_MS ? [] : ['banned-5000 by policy']);
  }
});

test('the shutdown of a UDP socket is announced with its time', () => {
  const { made, state } = order(CLOSED);
  const seen = deskState([udp(1)]);
  made.observe(seen);
  state.clock += 4_000;
  const later = deskState([udp(1)], 4_000);
  const [pending] = made.facts(later.judgement, later.snapshot).pending;
  assert.is(pending?.at, '2026-01-02T03:04:15.000+00:00');
  assert.match(pending?.advice ?? '', /unless it is closed before, to keep it: desk accept banned-1 --why/);
  assert.equal(made.facts(deskState([banned()]).judgement, seen.snapshot).pending, []);
});

test('a shutdown in another network namespace is never announced', () => {
  const inOtherNamespace = (protocol: 'tcp' | 'udp'): Finding => ({
    ...banned(3),
    subject: {
      kind: 'listener',
      protocol,
      address: '127.0.0.1',
      port: 8766,
      inode: 3,
      namespace: 4026532000,
    },
  });
  for (const protocol of ['tcp', 'udp'] as const) {
    const { made, state } = order(REFUSED, { firstStartMs: AT });
    const seen = deskState([inOtherNamespace(protocol)]);
    made.observe(seen);
    assert.equal(made.facts(seen.judgement, seen.snapshot).pending, [], protocol);
    assert.is(state.tried.length, 1, 'tried at once, which reports why it is refused');
  }
});

/** Listeners of several users; each attempt runs until `end` is called. */
function crowd(counts: Readonly<Record<number, number>>) {
  const listeners = Object.entries(counts).flatMap(([uid, count]) =>
    Array.from({ length: count }, (_, at) => ({
      port: 8766,
      inode: Number(uid) * 10_000 + at,
      creatorUid: Number(uid),
      holders: [{ pid: 500, start: '500', fd: 3 }],
    })),
  );
  const findings = listeners.map(({ inode }) => banned(inode));
  const seen = stateFrom({
    findings,
    snapshot: { listeners, processes: [...SMALL_MACHINE, { pid: 1500, uid: 2, exe: '/tmp/evil' }] },
  });
  const running: { readonly id: string; end(): void }[] = [];
  const state = { tried: [] as string[], updates: 0, most: 0, mostOfUser: 0, clock: 0 };
  const userOf = (id: string) => Math.floor(Number(id.slice('banned-'.length)) / 10_000);
  const made = new AutoShutdown({
    policy: 'auto',
    remedies: {
      shutDown: ({ id }) =>
        new Promise((resolve) => {
          state.tried.push(id);
          const one = {
            id,
            end: () => {
              running.splice(running.indexOf(one), 1);
              resolve(REFUSED);
            },
          };
          running.push(one);
          state.most = Math.max(state.most, running.length);
          const own = running.filter((other) => userOf(other.id) === userOf(id)).length;
          state.mostOfUser = Math.max(state.mostOfUser, own);
        }),
      refusal: () => undefined,
      keepOnly: () => undefined,
    },
    law: () => ({ suppressions: [] }),
    firstStartMs: null,
    clockMs: () => state.clock,
    log: { line: () => undefined },
    tried: () => {
      state.updates++;
    },
  });
  return { made, seen, running, state, userOf };
}

test('of 2,000 listeners of one user a few are tried at a time, each once', async () => {
  const { made, seen, running, state } = crowd({ 1: 2_000 });
  made.observe(seen);
  assert.is(running.length, MOST_OF_USER);
  while (running.length > 0) {
    running[0]?.end();
    await settled();
  }
  assert.is(state.most, MOST_OF_USER);
  assert.is(new Set(state.tried).size, 2_000);
  assert.is(state.tried.length, 2_000);
  assert.ok(state.updates <= 2, `${state.updates} updates`);
});

test("another user's single listener is tried at once despite one user's thousands", async () => {
  const { made, seen, state, userOf } = crowd({ 1: 2_000, 2: 1 });
  made.observe(seen);
  assert.ok(state.tried.some((id) => userOf(id) === 2));
});

test('users take turns, and capacity is left for users with no running attempt', async () => {
  const { made, seen, running, state, userOf } = crowd({ 1: 90, 2: 90, 3: 90, 4: 90, 5: 90, 6: 1 });
  made.observe(seen);
  assert.ok(state.tried.slice(0, 6).map(userOf).includes(6));
  assert.ok(running.length < MOST_RUNNING, 'capacity is left');
  for (let ended = 0; ended < 120; ended++) {
    running[0]?.end();
    await settled();
  }
  assert.ok(state.most <= MOST_RUNNING && state.mostOfUser <= MOST_OF_USER);
  const tried = [1, 2, 3, 4, 5].map((uid) => state.tried.filter((id) => userOf(id) === uid).length);
  assert.ok(Math.max(...tried) - Math.min(...tried) <= 2, `${tried}`);
});

test('a listener held by a process of its creator is tried before those without a responsible holder', () => {
  const { made, seen, state } = crowd({ 2: 2_000 });
  const listeners = seen.snapshot.listeners.map((one) =>
    one.inode === 21_999 ? { ...one, holders: [{ pid: 1500, start: '1500', fd: 3 }] } : one,
  );
  made.observe({ ...seen, snapshot: { ...seen.snapshot, listeners } });
  assert.is(state.tried[0], 'banned-21999');
});

test('the policies ask and never start no automatic shutdown', async () => {
  for (const policy of ['ask', 'never'] as const) {
    const { made, state } = order(CLOSED, { policy });
    made.observe(deskState([banned()]));
    await settled();
    assert.equal(state.tried, []);
    assert.equal(made.facts(deskState([banned()]).judgement, deskState([]).snapshot).pending, []);
  }
});

test('a refused attempt is repeated with doubling pauses and reported until the listener is gone', async () => {
  const { made, state } = order(REFUSED);
  const at: number[] = [];
  for (state.clock = 0; state.clock <= 40_000; state.clock += 500) {
    const before = state.tried.length;
    made.observe(deskState([banned()]));
    await settled();
    if (state.tried.length > before) at.push(state.clock);
  }
  assert.equal(at, [0, 1_000, 3_000, 7_000, 15_000, 31_000]);
  const { judgement, snapshot } = deskState([banned()]);
  assert.equal(made.facts(judgement, snapshot).refused, [
    { finding: 'banned-18766', reason: 'pid 1 holds it', advice: 'stop UNIT.socket' },
  ]);
  made.observe(deskState([]));
  assert.equal(made.facts(judgement, snapshot).refused, []);
  made.observe(deskState([banned()]));
  await settled();
  assert.is(state.tried.length, 7, 'a listener that comes back is tried at once');
});

test('at the first start an older program has 30 s, announced once with the command that exempts it', async () => {
  const { made, state } = order(CLOSED, { firstStartMs: AT });
  for (const after of [0, 1_000, GRACE_MS - 1]) {
    const now = deskState([banned()], after);
    made.observe(now);
    const { pending } = made.facts(now.judgement, now.snapshot);
    assert.is(pending.length, 1);
    assert.match(pending[0]?.advice ?? '', /desk accept banned-18766 --why/);
    assert.is(pending[0]?.at, '2026-01-02T03:04:35.000+00:00');
  }
  await settled();
  assert.equal(state.tried, []);
  assert.is(state.lines.filter((line) => line.includes('desk accept')).length, 1);
  const over = deskState([banned()], GRACE_MS);
  made.observe(over);
  await settled();
  assert.is(state.tried.length, 1);
  assert.equal(made.facts(over.judgement, over.snapshot).pending, []);
});

test('programs started after the first start, or any long after it, have no grace period', async () => {
  const late = order(CLOSED, { firstStartMs: AT });
  late.made.observe(deskState([banned()], 10_000, 5));
  const old = order(CLOSED, { firstStartMs: AT - GRACE_MS });
  old.made.observe(deskState([banned()]));
  const backwards = order(CLOSED, { firstStartMs: AT + 60_000 });
  backwards.made.observe(deskState([banned()]));
  await settled();
  for (const { state } of [late, old, backwards]) assert.is(state.tried.length, 1);
});

test('after stop no attempt begins, and an attempt that throws is repeated later', async () => {
  const { made, state } = order(CLOSED);
  made.stop();
  made.observe(deskState([banned()]));
  await settled();
  assert.equal(state.tried, []);

  let calls = 0;
  const failing = new AutoShutdown({
    policy: 'auto',
    remedies: {
      shutDown: () => {
        calls++;
        return Promise.reject(new Error('no'));
      },
      refusal: () => undefined,
      keepOnly: () => undefined,
    },
    law: () => ({ suppressions: [] }),
    firstStartMs: null,
    clockMs: () => state.clock,
    log: { line: (_uid, _kind, _fields, line) => void state.lines.push(line) },
    tried: () => undefined,
  });
  failing.observe(deskState([banned()]));
  await settled();
  failing.observe(deskState([banned()]));
  state.clock += 1_000;
  failing.observe(deskState([banned()]));
  await settled();
  assert.is(calls, 2);
  assert.ok(state.lines.includes('shutdown failed'));
});

test.run();
