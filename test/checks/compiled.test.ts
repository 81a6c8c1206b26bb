/** The compiled checks, judged by the native batch, against the same checks judged row by row. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckContext, Known } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { Judge } from '../../src/checks/judge.ts';
import { ProgramBuilder } from '../../src/checks/program.ts';
import { all, always, any, type Expression, equals, member, never, not } from '../../src/checks/rule.ts';
import { listenerKey } from '../../src/checks/subjects.ts';
import { configSchema } from '../../src/config/schema.ts';
import { FACT, PF_KTHREAD } from '../../src/engine/native/types.ts';
import type { Listener, Snapshot } from '../../src/engine/snapshot.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { AllowedListener, Law } from '../../src/policy/law.ts';
import { forAllOf } from '../support/for-all.ts';
import { hashText, judgeBy, runInline } from '../support/judge.ts';
import { judgeNaively, NAIVE_CHECKS } from '../support/naive-checks.ts';
import { SMALL_MACHINE, snapshotFrom } from '../support/snapshot.ts';
import type { ProcessRow } from '../support/table.ts';

const TICKS = 100;
const UPTIME = 86_400;
/** Around the age limits of the law. */
const startOf = (ageTicks: number): bigint => BigInt(UPTIME * TICKS - ageTicks);
const law = lawOf(configSchema.parse({ banned: { also: [31337] } }));

const row = fc.record({
  ppid: fc.constantFrom(0, 1, 2, 3, 40, 7777),
  state: fc.constantFrom('R', 'S', 'I', 'Z', 'X', 'x', '?', ''),
  flags: fc.constantFrom(0, 0, PF_KTHREAD),
  start: fc.constantFrom(
    0n,
    startOf(0),
    ...[60, 300].flatMap((sec) => [-1, 0, 1].map((by) => startOf(sec * TICKS + by))),
  ),
  tracer: fc.constantFrom(0, 0, 3),
  seen: fc.constantFrom(0, FACT.stat, FACT.status, 0x7ff, 0x7ff, 0x7ff),
  identity: fc.bigInt({ min: 1n, max: 12n }),
  refused: fc.constantFrom(0, 0, 0, FACT.exe),
  exe: fc.constantFrom(
    ...[
      '/usr/bin/sleep',
      '/usr/bin/sh',
      '/usr/bin/python3.11',
      '/opt/a name of twenty letters',
      '/usr/bin/x (deleted)',
    ],
    ...[
      '/memfd:a (deleted)',
      '/memfd:b',
      '/tmp/sleep',
      '/var/tmp/.x/y (deleted)',
      '/home/u/.cargo/bin/sleep',
      '/run',
      '',
    ],
  ),
  comm: fc.constantFrom(
    'sleep',
    'a name of twent',
    'sh',
    '[kworker/0:1]',
    'kworker/u8',
    'kworkerd',
    'rcu_3',
    '[',
    'kthreadd',
  ),
});
const processes = fc
  .uniqueArray(fc.constantFrom(1, 2, 3, 4, 40, 41, 900), { maxLength: 7 })
  .chain((pids) => fc.tuple(...pids.map((pid) => row.map((one): ProcessRow => ({ ...one, pid })))));
const listener = fc.record({
  port: fc.constantFrom(22, 80, 8766, 31337, 32768, 40_000, 61_000),
  address: fc.constantFrom('127.0.0.1', '0.0.0.0', '::1', '::'),
  protocol: fc.constantFrom<Listener['protocol']>('tcp', 'udp'),
  owner: fc.constantFrom<Listener['owner']>('held', 'ownerless', 'blind'),
  executable: fc.constantFrom('/usr/bin/a', '/usr/bin/b', ''),
  holders: fc.constantFrom([], [900], [41], [900, 41]),
  inode: fc.nat(1000),
});
const PROBES = ['proc', 'sock_diag tcp4', 'sock_diag udp6', 'descriptors'];

const snapshots = fc
  .record({
    processes,
    listeners: fc.array(listener, { maxLength: 8 }),
    broken: fc.subarray(PROBES, { maxLength: 2 }),
    uptimeSec: fc.constantFrom<number | null>(UPTIME, UPTIME, null, 30, 86_400.37),
    ephemeral: fc.constantFrom<readonly [number, number] | null>([32768, 60999], null),
  })
  .map(({ processes: rows, listeners, broken, uptimeSec, ephemeral }) =>
    snapshotFrom({
      processes: rows,
      listeners: listeners.map(({ holders, owner, ...rest }) => ({
        ...rest,
        owner: holders.length > 0 ? 'held' : owner === 'held' ? 'blind' : owner,
        holders: holders.map((pid) => ({ pid, start: '1', fd: 3 })),
      })),
      machine: { uptimeSec, ephemeral },
      probes: PROBES.map((id) => ({
        id,
        works: !broken.includes(id),
        reason: broken.includes(id) ? 'why: cure' : '',
        cure: broken.includes(id) ? 'cure' : '',
      })),
    }),
  );

/** Ends around the time of the snapshots. */
const NOW = snapshotFrom().at.epochMs;
const allowedListener: fc.Arbitrary<AllowedListener> = fc.record({
  ports: fc.uniqueArray(fc.constantFrom(22, 80, 32768, 40_000, 61_000), { minLength: 1, maxLength: 3 }),
  protocol: fc.constantFrom<AllowedListener['protocol']>('tcp', 'udp'),
  scope: fc.constantFrom<AllowedListener['scope']>('loopback', 'public', 'any'),
  executable: fc.constantFrom('', '/usr/bin/a', '/usr/bin/b'),
  why: fc.constant('known'),
  expiresMs: fc.constantFrom(null, NOW - 1, NOW, NOW + 1),
});
const laws: fc.Arbitrary<Law> = fc
  .array(allowedListener, { maxLength: 4 })
  .map((allowedListeners) => ({ ...law, allowedListeners }));

/** Learned from a part of the snapshot, and from elsewhere. */
const knowledge = (snapshot: Snapshot, how: number): Known | null => {
  if (how === 0) return null;
  const learned = <T>(list: readonly T[]) => list.filter((_, at) => (at * 7 + how) % 3 !== 0);
  const identities = [...snapshot.processes.columns.identity];
  const more = how === 3 ? Array.from({ length: 40 }, (_, at) => BigInt(at * at + 100)) : [];
  return {
    identities: new Set([...learned(identities), ...more]),
    listeners: new Set([
      ...learned(snapshot.listeners.map((one) => listenerKey(snapshot, one))),
      ...more.map((value) => `loopback tcp ${value} /x`),
    ]),
    classes: new Set<string>(),
    lost: new Set(identities.filter((_, at) => (at + how) % 2 === 0)),
  };
};

test('every check about rows has a naive version', () => {
  const rules = CHECKS.filter((check) => 'rule' in check).map(({ id }) => id);
  assert.equal([...rules].sort(), [...NAIVE_CHECKS].sort());
});

test('compiled checks agree with the naive ones, row by row and reason by reason', () => {
  forAllOf(120)(snapshots, laws, fc.nat(3), (snapshot, judged, how) => {
    const context: CheckContext = { snapshot, law: judged, known: knowledge(snapshot, how) };
    for (const check of CHECKS.filter(({ id }) => NAIVE_CHECKS.includes(id))) {
      const naive = judgeNaively(check.id, context);
      const verdicts = judgeBy([check], context);
      assert.equal(
        [verdicts.pass, verdicts.fail, verdicts.blind],
        [naive.pass, naive.fails.length, naive.blind],
        check.id,
      );
      const reasons = Object.fromEntries(verdicts.notes.map(({ reason, subjects }) => [reason, subjects]));
      assert.equal(reasons, naive.reasons, check.id);
      const ofListeners = check.id.endsWith('listener') || check.id.endsWith('socket');
      assert.equal(
        verdicts.fails.map(({ subject }) =>
          subject.kind === 'process' ? subject.pid : subject.kind === 'listener' ? subject.inode : -1,
        ),
        naive.fails.map((at) =>
          ofListeners ? snapshot.listeners[at]?.inode : snapshot.processes.columns.pid[at],
        ),
        check.id,
      );
    }
    const whole = judgeBy(CHECKS, context);
    const parts = CHECKS.map((check) => judgeBy([check], context));
    for (const key of ['pass', 'fail', 'blind'] as const)
      assert.is(
        whole[key],
        parts.reduce((sum, part) => sum + part[key], 0),
        key,
      );
  });
});

test('a subject is blind because of its own row, not because of another row', () => {
  const rows = [...SMALL_MACHINE, { pid: 1000, seen: 0 }, { pid: 1001 }];
  const verdicts = judgeBy(CHECKS, { snapshot: snapshotFrom({ processes: rows }), law, known: null });
  const subject = (pid: number) =>
    ({ kind: 'process', pid, start: '1', comm: '', executable: '', identity: '', uid: 0 }) as const;
  assert.ok(verdicts.hidden('traced', subject(1000)));
  assert.not.ok(verdicts.hidden('traced', subject(1001)));
  assert.not.ok(verdicts.hidden('traced', subject(5)));
  assert.not.ok(verdicts.hidden('banned-listener', subject(1000)));
});

test('without fails and blind rows, JavaScript reads no row', () => {
  const snapshot = snapshotFrom({ processes: SMALL_MACHINE });
  const known: Known = {
    identities: new Set(snapshot.processes.columns.identity),
    listeners: new Set(snapshot.listeners.map((one) => listenerKey(snapshot, one))),
    classes: new Set<string>(),
  };
  const judge = new Judge(CHECKS, law, known, hashText);
  const closed = new Proxy(snapshot.processes.columns, {
    get: () => {
      throw new Error('a column was read');
    },
  });
  const counted = { ...snapshot.processes, columns: closed };
  const { answers } = runInline(judge.jobs(snapshot), snapshot);
  assert.ok(answers.every(({ counts }) => counts.length > 0));
  const verdicts = judge.verdicts({ snapshot: { ...snapshot, processes: counted }, law, known }, answers);
  assert.equal([verdicts.fail, verdicts.blind], [0, 0]);
  assert.ok(verdicts.pass > 20);
});

test('the maximum of allowed listeners of a law fits into one program', () => {
  const many = Array.from(
    { length: 256 },
    (_, at): AllowedListener => ({
      ports: [at + 1, at + 1000],
      protocol: at % 2 === 0 ? 'tcp' : 'udp',
      scope: 'any',
      executable: at % 3 === 0 ? '' : `/usr/bin/${at}`,
      why: 'known',
      expiresMs: NOW + at,
    }),
  );
  const stranger = { holders: [{ pid: 500, start: '500', fd: 3 }], executable: '/usr/bin/x' };
  const snapshot = snapshotFrom({ listeners: [1, 4, 7, 2].map((port) => ({ port, ...stranger })) });
  const known: Known = { identities: new Set(), listeners: new Set(), classes: new Set() };
  const verdicts = judgeBy(CHECKS, { snapshot, law: { ...law, allowedListeners: many }, known });
  const ports = verdicts.fails.flatMap(({ check, subject }) =>
    check.id === 'unknown-local-listener' && subject.kind === 'listener' ? [subject.port] : [],
  );
  // The first has ended at the time of the snapshot, the last one is of another program and protocol.
  assert.equal(ports, [1, 4, 2]);
});

test('equal conditions become one operation, and constants are folded', () => {
  const state = equals('state', 0n);
  const build = (...expressions: Expression[]) => {
    const builder = new ProgramBuilder('processes');
    return builder.build(
      expressions.map((one) => builder.node(one)),
      0,
    );
  };
  const operations = (...expressions: Expression[]) => build(...expressions).operations.length / 5;
  assert.is(
    operations(state, equals('state', 0n), all(state, always), any(never, state), not(not(state))),
    1,
  );
  assert.is(operations(all(state, never)), 1);
  assert.is(operations(member('state', [])), 1);
  assert.is(operations(all(not(state), equals('seen', 1n))), 3);
  const { registers } = build(all(state, equals('seen', 1n), equals('tty', 1n), equals('uid', 2n)));
  assert.ok(registers <= 2, `${registers} registers`);
});

test.run();
