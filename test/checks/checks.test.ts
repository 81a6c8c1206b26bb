import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AVENUE_IDS, type BaselineState, type Known } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { UNKNOWN } from '../../src/checks/peek-facts.ts';
import { listenerKey } from '../../src/checks/subjects.ts';
import { configSchema } from '../../src/config/schema.ts';
import { FACT } from '../../src/engine/native/types.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { classKey, isSuppressed } from '../../src/findings/finding-class.ts';
import { checkOf, explained, judgeBy as judge } from '../support/judge.ts';
import { SMALL_MACHINE, type SnapshotParts, snapshotFrom } from '../support/snapshot.ts';

const law = lawOf(configSchema.parse({}));
const nothingKnown: Known = { identities: new Set(), listeners: new Set(), classes: new Set<string>() };

const verdictsOf = (id: string, parts: SnapshotParts, known: Known | null = null) =>
  judge([checkOf(id)], { snapshot: snapshotFrom(parts), law, known });

const pidsOf = (verdicts: ReturnType<typeof verdictsOf>): number[] =>
  verdicts.fails.map(({ subject }) => (subject.kind === 'process' ? subject.pid : -1));

const portsOf = (verdicts: ReturnType<typeof verdictsOf>): number[] =>
  verdicts.fails.map(({ subject }) => (subject.kind === 'listener' ? subject.port : -1));

test('every check has its texts, one of the six avenues, and no semicolon in its remedy', () => {
  for (const check of CHECKS) {
    assert.ok(AVENUE_IDS.includes(check.avenue), check.id);
    for (const words of Object.values(check.text)) assert.ok(words.length > 3, check.id);
    assert.not.match(check.text.remedy, /;/);
  }
  assert.is(new Set(CHECKS.map(({ id }) => id)).size, CHECKS.length);
});

test('every pair is counted exactly once, as pass, fail or blind', () => {
  const snapshot = snapshotFrom({});
  for (const known of [null, nothingKnown]) {
    const all = judge(CHECKS, { snapshot, law, known });
    const sum = CHECKS.map((check) => judge([check], { snapshot, law, known }));
    const pairs = sum.reduce((total, { pass, fail, blind }) => total + pass + fail + blind, 0);
    assert.is(all.pass + all.fail + all.blind, pairs);
    assert.is(all.fail, all.fails.length);
  }
});

test('banned-listener: port 8766 fails on any address and protocol, with or without a holder, and its neighbours pass', () => {
  const listeners = [
    { port: 8766 },
    { port: 8766, address: '::', family: 6 as const },
    { port: 8766, protocol: 'udp' as const, address: '10.1.1.1' },
    { port: 8766, holders: [], owner: 'blind' as const, executable: '' },
    { port: 8765 },
    { port: 18766 },
  ];
  const verdicts = verdictsOf('banned-listener', { listeners });
  assert.equal(portsOf(verdicts), [8766, 8766, 8766, 8766]);
  assert.equal(
    verdicts.fails.map(({ avenue }) => avenue),
    ['unknown_local', 'public_listen', 'public_listen', 'unknown_local'],
  );
  assert.ok(verdicts.fails.every(({ severity }) => severity === 'critical'));
  assert.is(verdicts.pass, 2);
});

test('banned-listener: [banned] also adds ports', () => {
  const strict = lawOf(configSchema.parse({ banned: { also: [31337] } }));
  const verdicts = judge([checkOf('banned-listener')], {
    snapshot: snapshotFrom({ listeners: [{ port: 31337 }] }),
    law: strict,
    known: null,
  });
  assert.equal(portsOf(verdicts), [31337]);
});

const stranger = { holders: [{ pid: 500, start: '500', fd: 3 }], executable: '/usr/sbin/sshd' };

test('public-listener: blind before learning, fails after it, our own and learned ones pass', () => {
  const listeners = [
    { port: 22, address: '0.0.0.0', ...stranger },
    { port: 5353, address: '0.0.0.0', protocol: 'udp' as const, ...stranger },
    { port: 45000, address: '0.0.0.0', protocol: 'udp' as const, ...stranger },
    { port: 18770, address: '0.0.0.0' },
    { port: 23 },
  ];
  const blind = verdictsOf('public-listener', { listeners });
  assert.equal([blind.pass, blind.fail, blind.blind, blind.notes.length], [1, 0, 2, 1]);

  const learned = verdictsOf('public-listener', { listeners }, nothingKnown);
  assert.equal(portsOf(learned), [22, 5353]);

  const snapshot = snapshotFrom({ listeners });
  const keys = new Set(snapshot.listeners.map((listener) => listenerKey(snapshot, listener)));
  const known = verdictsOf(
    'public-listener',
    { listeners },
    { identities: new Set(), listeners: keys, classes: new Set<string>() },
  );
  assert.equal([known.pass, known.fail], [3, 0]);
});

test('public-listener: UDP of an installed browser is explained on any port; its TCP, and UDP of other programs, are not', () => {
  const chromium = { ...stranger, executable: '/usr/lib/chromium/chromium' };
  const listeners = [
    { port: 16039, address: '0.0.0.0', protocol: 'udp' as const, ...chromium },
    { port: 16040, address: '0.0.0.0', ...chromium },
    { port: 16041, address: '0.0.0.0', protocol: 'udp' as const, ...stranger },
    { port: 16042, address: '0.0.0.0', protocol: 'udp' as const, ...stranger, executable: '/tmp/chromium' },
  ];
  const judged = verdictsOf('public-listener', { listeners }, nothingKnown);
  const left = explained(judged, law, nothingKnown, 0);
  assert.equal(
    left.suppressed.map(({ name }) => name),
    ['browser-udp'],
  );
  assert.equal(portsOf(left.verdicts), [16040, 16041, 16042]);
});

test('unknown-local-listener: the key is scope, protocol, port and executable', () => {
  const listeners = [{ port: 5432, ...stranger }];
  const snapshot = snapshotFrom({ listeners });
  const keys = new Set(snapshot.listeners.map((listener) => listenerKey(snapshot, listener)));
  const known = { identities: new Set<bigint>(), listeners: keys, classes: new Set<string>() };
  assert.is(verdictsOf('unknown-local-listener', { listeners }, known).fail, 0);
  const other = [{ ...listeners[0], executable: '/tmp/other' }];
  assert.equal(portsOf(verdictsOf('unknown-local-listener', { listeners: other }, known)), [5432]);
  assert.is(verdictsOf('unknown-local-listener', { listeners }).blind, 1);
});

test('ownerless-socket: a socket whose holder cannot be read is blind, not ownerless', () => {
  const listeners = [
    { port: 1, holders: [], owner: 'ownerless' as const, executable: '' },
    { port: 2, holders: [], owner: 'blind' as const, executable: '' },
    { port: 3 },
  ];
  const verdicts = verdictsOf('ownerless-socket', { listeners });
  assert.equal(portsOf(verdicts), [1]);
  assert.equal([verdicts.pass, verdicts.blind], [1, 1]);
});

test('unlearned-process: each process has its own verdict', () => {
  const processes = [...SMALL_MACHINE, { pid: 901, exe: '/usr/bin/node' }, { pid: 902, exe: '/opt/new' }];
  const blind = verdictsOf('unlearned-process', { processes });
  assert.equal([blind.fail, blind.blind], [0, snapshotFrom({ processes }).counts.userSpace]);
  const table = snapshotFrom({ processes }).processes;
  const identities = new Set(SMALL_MACHINE.map(({ pid }) => table.columns.identity[table.rowOf(pid)] ?? 0n));
  const twice = [...processes, { pid: 903, exe: '/opt/new' }];
  const verdicts = verdictsOf(
    'unlearned-process',
    { processes: twice },
    { identities, listeners: new Set(), classes: new Set<string>() },
  );
  assert.equal(pidsOf(verdicts), [902, 903]);
  assert.is(verdicts.fail, 2);
});

test('fried-process: a zombie fails only after its time limit', () => {
  const processes = [
    ...SMALL_MACHINE,
    { pid: 1000, state: 'Z', start: 86_400n * 100n - 5900n },
    { pid: 1001, state: 'Z', start: 86_400n * 100n - 6100n },
    { pid: 1002, state: 'X', start: 1n },
    { pid: 1003, state: '' },
  ];
  assert.equal(pidsOf(verdictsOf('fried-process', { processes })), [1001, 1002]);
});

test('orphan-parent: a missing parent fails after its time limit, ppid 0 never, and a partial /proc is blind', () => {
  const old = 1n;
  const young = 86_400n * 100n - 100n;
  const processes = [
    ...SMALL_MACHINE,
    { pid: 1000, ppid: 7777, start: old },
    { pid: 1001, ppid: 7777, start: young },
    { pid: 1002, ppid: 0, start: old },
  ];
  assert.equal(pidsOf(verdictsOf('orphan-parent', { processes })), [1000]);
  const probes = [{ id: 'proc', works: false, reason: 'hidepid: run as root', cure: 'run as root' }];
  const partial = verdictsOf('orphan-parent', { processes, probes });
  assert.equal([partial.pass, partial.fail], [0, 0]);
  assert.is(partial.blind, processes.length);
});

test('kernel-thread-impostor: judged by name and parent; real kernel threads and the test command pass', () => {
  const processes = [
    ...SMALL_MACHINE,
    { pid: 1000, comm: '[kworker/0:1]' },
    { pid: 1001, comm: 'kworker/u8:2' },
    { pid: 1002, comm: 'innocent', ppid: 2 },
    { pid: 1003, comm: '[' },
    { pid: 1004, comm: 'kworkerd' },
    { pid: 1005, comm: 'kworker/0:2', flags: 0x0020_0000, ppid: 2 },
  ];
  assert.equal(pidsOf(verdictsOf('kernel-thread-impostor', { processes })), [1000, 1001, 1002]);
});

test('traced: names the tracer, and is blind where the status could not be read', () => {
  const processes = [...SMALL_MACHINE, { pid: 1000, tracer: 800 }, { pid: 1001, seen: 1 }];
  const verdicts = verdictsOf('traced', { processes });
  assert.equal(pidsOf(verdicts), [1000]);
  assert.is(verdicts.fails[0]?.evidence.tracer_comm, 'bash');
  assert.is(verdicts.blind, 1);
});

test('traced: a tracer that cannot be seen is unknown, which no class of a baseline covers', () => {
  const refused = { refused: FACT.exe, seen: FACT.stat | FACT.status, exe: '' };
  const processes = [...SMALL_MACHINE, { pid: 1000, tracer: 4711 }, { pid: 1001, tracer: 1002 }];
  const { fails } = verdictsOf('traced', {
    processes: [...processes, { pid: 1002, comm: 'hidden', ...refused }],
  });
  const shown = fails.map(({ evidence }) => [evidence.tracer_comm, evidence.tracer_executable]);
  assert.equal(shown, [
    [UNKNOWN, UNKNOWN],
    ['hidden', UNKNOWN],
  ]);
  for (const fail of fails) assert.not.ok(isSuppressed(new Set([classKey(fail)]), fail));
});

const LISTENER_CHECKS = ['public-listener', 'unknown-local-listener', 'banned-listener', 'ownerless-socket'];

test('a socket dump that the kernel refused is blind in every listener check, for its own listeners only', () => {
  const probes = [
    { id: 'sock_diag tcp6', works: false, reason: 'refused: allow netlink', cure: 'allow netlink' },
  ];
  const of = (protocol: 'tcp' | 'udp', address: string) =>
    ({ kind: 'listener', protocol, address, port: 8766, inode: 1 }) as const;
  for (const id of LISTENER_CHECKS) {
    const verdicts = verdictsOf(id, { listeners: [], probes });
    assert.equal([verdicts.blind, verdicts.notes[0]?.cure], [1, 'allow netlink'], id);
    assert.ok(verdicts.hidden(id, of('tcp', '::')));
    assert.not.ok(verdicts.hidden(id, of('tcp', '127.0.0.1')));
    assert.not.ok(verdicts.hidden(id, of('udp', '::')));
    assert.not.ok(verdicts.hidden('traced', of('tcp', '::')));
  }
});

const PROCESS_CHECKS = [
  'orphan-parent',
  'kernel-thread-impostor',
  'traced',
  'fried-process',
  'unlearned-process',
  'lost-sight',
];

test('a process whose facts were refused is blind in every process check, never a pass', () => {
  const processes = [{ pid: 1 }, { pid: 1000, state: '?', seen: 0, refused: 1 }];
  for (const id of PROCESS_CHECKS) {
    const all = verdictsOf(id, { processes }, nothingKnown);
    const without = verdictsOf(id, { processes: processes.slice(0, 1) }, nothingKnown);
    assert.is(all.pass, without.pass, id);
    assert.is(all.blind, without.blind + 1, id);
  }
});

test('a process list that could not be read is blind, not empty', () => {
  const probes = [{ id: 'proc', works: false, reason: 'EACCES: mount proc', cure: 'mount proc' }];
  for (const id of PROCESS_CHECKS)
    assert.ok(verdictsOf(id, { processes: [], probes }, nothingKnown).blind > 0, id);
});

test('while the boot clock is unread, every check that needs an age is blind', () => {
  const machine = { uptimeSec: null };
  const processes = [...SMALL_MACHINE, { pid: 1000, state: 'Z' }, { pid: 1001, ppid: 7777 }];
  for (const id of ['fried-process', 'orphan-parent']) {
    const verdicts = verdictsOf(id, { processes, machine });
    assert.equal([verdicts.fail, verdicts.blind], [0, 1], id);
  }
});

test('while the port range is unknown, every public UDP socket is judged', () => {
  const listeners = [{ port: 45000, address: '0.0.0.0', protocol: 'udp' as const, ...stranger }];
  assert.is(verdictsOf('public-listener', { listeners }, nothingKnown).fail, 0);
  assert.is(verdictsOf('public-listener', { listeners, machine: { ephemeral: null } }, nothingKnown).fail, 1);
});

const DAY_MS = 86_400_000;
const nowMs = snapshotFrom({}).at.epochMs;
const held: BaselineState = {
  generation: 3,
  learnedMs: nowMs - DAY_MS,
  privilege: 'uid 0, capabilities 1ff',
  privilegeNow: 'uid 0, capabilities 1ff',
  window: null,
  firstUse: false,
  integrity: 'sound',
  integrityDetail: '',
};
const about = (id: string, baseline: Partial<BaselineState>, known: Known | null = nothingKnown) =>
  judge([checkOf(id)], { snapshot: snapshotFrom({}), law, known, baseline: { ...held, ...baseline } });

test('learning-open: blind while nothing is learned, and says so at the first use', () => {
  assert.is(verdictsOf('learning-open', {}).blind, 1);
  assert.is(verdictsOf('learning-open', {}, nothingKnown).pass, 1);
  assert.match(about('learning-open', { firstUse: true }, null).notes[0]?.reason ?? '', 'first use');
});

test('learning-open: an open learning window, and a baseline that is too old or of other privileges, fail', () => {
  const classes = (baseline: Partial<BaselineState>) =>
    about('learning-open', baseline).fails.map(
      ({ evidenceClass, severity }) => `${evidenceClass} ${severity}`,
    );
  const window = (minutes: number) => ({ openedMs: nowMs - minutes * 60_000, untilMs: nowMs });
  assert.equal(classes({}), []);
  assert.equal(classes({ window: window(law.windowMin) }), []);
  assert.equal(classes({ window: window(law.windowMin + 1) }), ['window low']);
  assert.equal(classes({ learnedMs: nowMs - law.learningDays * DAY_MS }), []);
  assert.equal(classes({ learnedMs: nowMs - law.learningDays * DAY_MS - 1 }), ['age low']);
  assert.equal(classes({ privilegeNow: 'uid 7, capabilities 0' }), ['privilege low']);
  assert.equal(classes({ privilegeNow: '' }), []);
});

test('baseline-tampered: a baseline that could not be read is blind', () => {
  const { blind, pass, fail } = about('baseline-tampered', { integrity: 'unread' });
  assert.equal([blind, pass, fail], [1, 0, 0]);
});

test('baseline-tampered: the finding is critical, and a lost key is reported as a lost key', () => {
  assert.is(about('baseline-tampered', {}).pass, 1);
  const { pass, fail, blind } = verdictsOf('baseline-tampered', {});
  assert.equal([pass, fail, blind], [0, 0, 0], 'no store');
  const [tampered] = about('baseline-tampered', { integrity: 'tampered', integrityDetail: 'x' }).fails;
  assert.equal([tampered?.severity, tampered?.evidenceClass], ['critical', 'tampered']);
  const [lost] = about('baseline-tampered', { integrity: 'key-lost', integrityDetail: 'gone' }).fails;
  assert.equal([lost?.severity, lost?.evidenceClass], ['critical', 'key-lost']);
  assert.match(lost?.summary ?? '', /key/);
});

test('lost-sight: a program that was readable when it was learned and is not readable now fails', () => {
  const processes = [
    { pid: 1, comm: 'sshd', exe: '', refused: FACT.exe, identity: 77n },
    { pid: 2, identity: 78n },
    // About to end.
    { pid: 3, comm: 'sshd', exe: '', identity: 77n },
  ];
  const known = (identities: readonly bigint[]): Known => ({
    ...nothingKnown,
    identities: new Set(identities),
    lost: new Set([77n]),
  });
  assert.equal(pidsOf(verdictsOf('lost-sight', { processes }, known([78n]))), [1]);
  assert.equal(pidsOf(verdictsOf('lost-sight', { processes }, known([77n, 78n]))), []);
  assert.equal(pidsOf(verdictsOf('lost-sight', { processes }, nothingKnown)), []);
  assert.is(verdictsOf('lost-sight', { processes }).fail, 0);
});

test('ownerless-socket: a learned socket passes', () => {
  const listeners = [
    { port: 2049, address: '0.0.0.0', holders: [], owner: 'ownerless' as const, executable: '' },
  ];
  const known: Known = { ...nothingKnown, listeners: new Set(['public tcp 2049 ownerless']) };
  assert.is(verdictsOf('ownerless-socket', { listeners }, nothingKnown).fail, 1);
  assert.is(verdictsOf('ownerless-socket', { listeners }, known).fail, 0);
});

test.run();
