/** The checks of tier 3, with prepared scans. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isScan, type ScanCheck } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { Gathering } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { DeviceScan } from '../../src/engine/native/host-types.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { expect } from '../support/expect.ts';
import { explained } from '../support/judge.ts';
import { looksThat, NO_HIDDEN_PIDS, NO_HIDDEN_PORTS } from '../support/looks.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const law = lawOf(configSchema.parse({}));

/** Answers one after the other. */
function inTurn<T>(...answers: T[]): () => Promise<T> {
  return async () => {
    const next = answers.shift();
    if (next === undefined) throw new Error('asked more often than twice');
    return next;
  };
}

async function say(id: string, scans: Parameters<typeof looksThat>[0]) {
  const check = CHECKS.filter(isScan).find((one) => one.id === id) as ScanCheck;
  const gathering = new Gathering({ confirmed: true });
  const context = { snapshot: snapshotFrom(), law, known: null, scans: looksThat(scans) };
  await check.scan(context, gathering.report(check), new AbortController().signal);
  const { verdicts, suppressed } = explained(gathering.verdicts(), law, null, 0);
  return { ...verdicts, suppressed: suppressed.map(({ name }) => name) };
}

const SLOW = ['hidden-process', 'hidden-port', 'kernel-taint', 'module-views', 'device-node'];

test('a clean machine passes every one of them once', async () => {
  expect(
    CHECKS.filter(isScan)
      .map(({ id }) => id)
      .filter((id) => SLOW.includes(id))
      .sort(),
  ).equals([...SLOW].sort());
  for (const id of SLOW) {
    const { pass, fail, blind } = await say(id, {});
    assert.equal([pass, fail, blind], [1, 0, 0], id);
  }
});

test('a scan that the machine refuses is blind', async () => {
  const refusal = { errno: 13, code: 'EACCES', source: 'test' };
  const refuse = async () => refusal;
  const closed = { taint: refuse, modules: refuse, devices: refuse, hiddenPids: refuse };
  for (const id of SLOW.filter((one) => one !== 'hidden-port')) {
    const { pass, fail, blind, notes } = await say(id, closed);
    assert.equal([pass, fail, blind], [0, 0, 1], id);
    assert.match(notes[0]?.reason ?? '', /EACCES/);
  }
  const unjudged = { judged: false, blind: ['bind is refused: allow it'] };
  const ports = await say('hidden-port', { hiddenPorts: async () => ({ ...NO_HIDDEN_PORTS, ...unjudged }) });
  assert.equal([ports.pass, ports.blind], [0, 1]);
  assert.equal([ports.notes[0]?.reason, ports.notes[0]?.cure], ['bind is refused', 'allow it']);
});

test('hidden-process: each process is reported with its pid, and what could not be read is blind', async () => {
  const evil = {
    ...({ pid: 77, form: 'unlisted', seenBy: ['getsid', 'pidfd_open'], folder: 'closed' } as const),
    ...{ comm: 'evil', exe: '/opt/evil', start: '123', throughFreshProc: true },
  };
  const report = { ...NO_HIDDEN_PIDS, found: [evil], blind: ['3 processes are left out: run as root'] };
  const found = await say('hidden-process', { hiddenPids: async () => report });
  assert.equal([found.fail, found.blind, found.pass], [1, 1, 0]);
  const [fail] = found.fails;
  assert.equal([fail?.severity, fail?.confirmed, fail?.evidenceClass], ['critical', true, 'unlisted']);
  assert.is(fail?.subject.kind === 'process' && fail.subject.pid, 77);
});

test('hidden-port: a port beyond loopback opens the avenue of public listeners', async () => {
  const port = (number: number, scope: 'public' | 'loopback') =>
    ({ protocol: 'tcp', port: number, addresses: ['0.0.0.0'], scope }) as const;
  const report = { ...NO_HIDDEN_PORTS, found: [port(31337, 'public'), port(31338, 'loopback')] };
  const found = await say('hidden-port', { hiddenPorts: async () => report });
  expect(found.fails.map(({ avenue, evidence }) => [avenue, evidence.port])).equals([
    ['public_listen', 31337],
    ['unknown_local', 31338],
  ]);
});

test('kernel-taint: one finding per bit, common modules are explained, an unknown bit has a name', async () => {
  const bits = (1n << 0n) | (1n << 7n) | (1n << 12n) | (1n << 13n) | (1n << 40n);
  const found = await say('kernel-taint', { taint: async () => bits });
  expect(found.fails.map(({ evidenceClass }) => evidenceClass)).equals(['died', 'bit-40']);
  assert.equal(found.suppressed, ['proprietary-module', 'out-of-tree-module', 'unsigned-module']);
  assert.is(new Set(found.fails.map(({ subject }) => JSON.stringify(subject))).size, 2);
});

test('module-views: only modules that both readings show are reported', async () => {
  const modules = inTurn(
    { onlyListed: ['loading', 'rootkit'], onlyInSys: ['gone'], both: 90 },
    { onlyListed: ['rootkit'], onlyInSys: ['other'], both: 90 },
  );
  const found = await say('module-views', { modules });
  expect(
    found.fails.map(({ evidence, severity }) => [evidence.module, evidence.missing_in, severity]),
  ).equals([['rootkit', '/sys/module', 'high']]);
});

test('device-node: files and unknown devices that both readings show are reported, and what could not be read', async () => {
  const node = (path: string, kind: 'regular file' | 'unknown device') => ({
    ...{ path, kind, bytes: 5, uid: 0, mode: 0o100644, major: 250, minor: 7 },
  });
  const scanOf = (...strange: DeviceScan['strange']): DeviceScan => ({
    ...{ strange, strangeCount: strange.length, entries: 200, unseen: [], cut: false, majors: null },
  });
  const file = node('.x/config', 'regular file');
  const devices = inTurn(
    scanOf(file, node('passing', 'regular file')),
    scanOf(file, node('ptyx', 'unknown device')),
  );
  const found = await say('device-node', { devices });
  expect(
    found.fails.map(({ subject, evidence }) => [subject.kind === 'file' && subject.path, evidence.mode]),
  ).equals([['/dev/.x/config', '0644']]);
  const kubernetes = await say('device-node', {
    devices: async () => scanOf(node('termination-log', 'regular file')),
  });
  assert.equal([kubernetes.fail, kubernetes.suppressed], [0, ['kubernetes']]);
  const refusal = { errno: 2, code: 'ENOENT', source: 'devices' };
  const partly = { ...scanOf(), unseen: ['a', 'b'], cut: true, majors: refusal };
  const blind = await say('device-node', { devices: async () => partly });
  assert.equal([blind.blind, blind.notes.length, blind.pass], [4, 3, 1]);
});

test.run();
