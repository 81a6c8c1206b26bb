/** The checks of executables, on hand-made tables: what fails, what the default law explains, and the severity. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Known } from '../../src/checks/check.ts';
import { isStarter, oddFolder } from '../../src/checks/executables.ts';
import { configSchema } from '../../src/config/schema.ts';
import { FACT } from '../../src/engine/native/types.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { Law } from '../../src/policy/law.ts';
import { expect } from '../support/expect.ts';
import { checkOf, explained, judgeBy } from '../support/judge.ts';
import { SMALL_MACHINE, type SnapshotParts, snapshotFrom } from '../support/snapshot.ts';
import type { ProcessRow } from '../support/table.ts';

const law = lawOf(configSchema.parse({}));

/** The verdict of one check on rows added to the small machine, without what the law explains. */
function say(
  id: string,
  rows: readonly ProcessRow[],
  parts: SnapshotParts = {},
  known: Known | null = null,
  by: Law = law,
) {
  const snapshot = snapshotFrom({ processes: [...SMALL_MACHINE, ...rows], ...parts });
  const judged = judgeBy([checkOf(id)], { snapshot, law: by, known });
  const { verdicts, suppressed } = explained(judged, by, known, snapshot.at.epochMs);
  const pids = verdicts.fails.map(({ subject }) => (subject.kind === 'process' ? subject.pid : -1));
  return { verdicts, suppressed: suppressed.map(({ name }) => name), pids };
}

const EXECUTABLE_CHECKS = ['deleted-executable', 'memfd-executable', 'odd-executable-path', 'name-mismatch'];

test('a process whose executable cannot be read is blind, a process without one passes', () => {
  for (const id of EXECUTABLE_CHECKS) {
    const refused = say(id, [{ pid: 1000, exe: '', refused: FACT.exe }]);
    const none = say(id, [{ pid: 1000, exe: '' }]);
    assert.equal([refused.verdicts.blind, refused.pids], [1, []], id);
    assert.equal([none.verdicts.blind, none.pids], [0, []], id);
    assert.ok(
      refused.verdicts.hidden(id, {
        kind: 'process',
        pid: 1000,
        start: '1000',
        comm: '',
        executable: '',
        identity: '',
        uid: 0,
      }),
    );
  }
});

test('the small machine has no fails', () => {
  for (const id of EXECUTABLE_CHECKS) assert.equal(say(id, []).pids, [], id);
});

test('deleted-executable: a deleted file fails, and a replaced file of the system asks for a restart', () => {
  const rows = [
    { pid: 1000, comm: 'a', exe: '/opt/a (deleted)' },
    { pid: 1001, comm: 'nginx', exe: '/usr/sbin/nginx (deleted)' },
    { pid: 1002, comm: 'b', exe: '/opt/b' },
    { pid: 1003, comm: 'c', exe: '/memfd:c (deleted)' },
  ];
  const { verdicts, pids } = say('deleted-executable', rows, {
    host: { fates: new Map([[1001, 'replaced']]) },
  });
  assert.equal(pids, [1000, 1001]);
  expect(verdicts.fails.map(({ severity }) => severity)).equals(['medium', 'low']);
  assert.match(verdicts.fails[1]?.remedy ?? '', /^restart nginx \(process 1001\)/);
  assert.not.match(verdicts.fails[0]?.remedy ?? '', /restart/);
  assert.is(verdicts.fails[0]?.evidence.executable, '/opt/a');
});

test('deleted-executable: a name that ends in "(deleted)" and a container layer are explained, a file deleted in the container is not', () => {
  const rows = [
    { pid: 1000, exe: '/opt/really (deleted)' },
    { pid: 1001, exe: '/usr/bin/app (deleted)', container: true },
    { pid: 1002, exe: '/usr/bin/app (deleted)', container: true },
    { pid: 1003, exe: '/opt/hard-linked (deleted)' },
  ];
  const fates = new Map([
    [1000, 'own name'],
    [1001, 'linked'],
    [1002, 'unlinked'],
    [1003, 'linked'],
  ] as const);
  const { pids, suppressed } = say('deleted-executable', rows, { host: { fates } });
  assert.equal(pids, [1002, 1003]);
  assert.equal(suppressed, ['own-name', 'other-mount-namespace']);
});

test('deleted-executable: while what became of the file is not known, the fail waits', () => {
  const rows = [
    { pid: 1000, exe: '/usr/sbin/app (deleted)' },
    { pid: 1001, exe: '/usr/sbin/app (deleted)' },
  ];
  const { fails } = say('deleted-executable', rows, {
    host: { fates: new Map([[1001, 'unlinked']]) },
  }).verdicts;
  assert.equal(
    fails.map(({ evidence, severity, unattributed }) => [evidence.fate, severity, unattributed]),
    [
      ['unknown', 'medium', true],
      ['unlinked', 'medium', false],
    ],
  );
});

test('memfd-executable: a process counts as root by either uid, or when a uid could not be read', () => {
  const exe = '/memfd:x (deleted)';
  const severityOf = (parts: Partial<ProcessRow>) =>
    say('memfd-executable', [{ pid: 1000, exe, uid: 1000, ...parts }]).verdicts.fails[0]?.severity;
  assert.is(severityOf({}), 'high');
  assert.is(severityOf({ euid: 0 }), 'critical');
  assert.is(severityOf({ uid: 0, euid: 1000 }), 'critical');
  assert.is(severityOf({ seen: FACT.stat | FACT.exe }), 'critical');
});

test('memfd-executable: runc and lxc-attach of root are explained, other programs under their names are not', () => {
  const rows = [
    { pid: 1000, exe: '/memfd:x (deleted)' },
    { pid: 1001, exe: '/memfd:runc_cloned:/proc/self/exe (deleted)', uid: 0 },
    { pid: 1002, exe: '/memfd:runc_cloned:/proc/self/exe (deleted)', uid: 1000 },
    { pid: 1003, exe: '/memfd:lxc-attach (deleted)', uid: 0 },
    { pid: 1004, exe: '/memfd:plain' },
  ];
  const { verdicts, pids, suppressed } = say('memfd-executable', rows);
  assert.equal(pids, [1000, 1002]);
  assert.equal(suppressed, ['runc', 'lxc-attach']);
  assert.ok(verdicts.fails.every(({ severity }) => severity === 'high'));
});

test('odd-executable-path: temporary and hidden folders fail, version managers of a home are explained', () => {
  const odd = ['/tmp/x', '/var/tmp/x', '/dev/shm/x', '/run/x', '/opt/.x/y', '/home/u/.hidden/x'];
  const managers = ['/home/u/.nvm/versions/node/v20/bin/node', '/root/.cargo/bin/rg', '/home/u/.local/bin/x'];
  const fine = ['/usr/bin/.x', '/tmpfs/x', '/home/u/bin/x', '/runner/x', '/opt/a.b/c'];
  const rows = [...odd, ...managers, ...fine].map((exe, at) => ({ pid: 1000 + at, exe }));
  const { pids, suppressed } = say('odd-executable-path', rows);
  assert.equal(
    pids,
    odd.map((_, at) => 1000 + at),
  );
  assert.equal(
    suppressed,
    managers.map(() => 'version-managers'),
  );
});

test('the odd folder of a path: a hidden folder inside a hidden folder is not a version manager', () => {
  assert.is(oddFolder('/home/u/.cargo/bin/x'), '~/.cargo');
  assert.is(oddFolder('/var/home/u/.cargo/bin/x'), '~/.cargo');
  assert.is(oddFolder('/root/.local/share/x'), '~/.local');
  assert.is(oddFolder('/home/u/.local/.x/y'), 'hidden folder');
  assert.is(oddFolder('/home/u/.local/share/.x/y'), 'hidden folder');
  assert.is(oddFolder('/home/u/src/.git/x'), 'hidden folder');
  assert.is(oddFolder('/srv/.cargo/bin/x'), 'hidden folder');
  assert.is(oddFolder('/tmp/.cargo/x'), '/tmp');
  assert.is(oddFolder('/dev/shm/x'), '/dev/shm');
});

test('shells and build tools are recognized with version suffixes', () => {
  for (const path of ['/usr/bin/bash', '/usr/bin/python3.11', '/usr/bin/make', '/usr/bin/dash (deleted)'])
    assert.ok(isStarter(path), path);
  for (const path of ['/usr/sbin/nginx', '/usr/bin/makes', '', '/usr/bin/3.11'])
    assert.not.ok(isStarter(path), path);
});

test('odd-executable-path: low when started by the learned shell of a logged-in user, else medium', () => {
  const shell = { pid: 1000, comm: 'bash', exe: '/usr/bin/bash', uid: 1000, identity: 77n };
  const child = { pid: 1001, ppid: 1000, comm: 'x', exe: '/tmp/x', uid: 1000 };
  const knows = (...identities: bigint[]): Known => ({
    identities: new Set(identities),
    listeners: new Set(),
    classes: new Set(),
  });
  const severity = (rows: readonly ProcessRow[], parts: SnapshotParts, known: Known | null) =>
    say('odd-executable-path', rows, parts, known).verdicts.fails.map((fail) => fail.severity);
  const session = { host: { sessionUids: new Set([1000]) } };
  const rowsOf = (shellParts: Partial<ProcessRow>, childParts: Partial<ProcessRow> = {}) => [
    { ...shell, ...shellParts },
    { ...child, ...childParts },
  ];
  assert.equal(severity(rowsOf({}), session, knows(77n)), ['low']);
  // A terminal counts as a session.
  assert.equal(severity(rowsOf({ tty: 34816 }), {}, knows(77n)), ['low']);
  // Not logged in; not learned; not a shell; root; nothing learned at all.
  const quiet = SMALL_MACHINE.filter(({ tty }) => tty === undefined);
  assert.equal(severity([], { processes: [...quiet, ...rowsOf({})] }, knows(77n)), ['medium']);
  assert.equal(severity(rowsOf({}), session, knows(78n)), ['medium']);
  assert.equal(severity(rowsOf({ exe: '/usr/sbin/nginx' }), session, knows(77n)), ['medium']);
  assert.equal(severity(rowsOf({}, { uid: 0 }), { host: { sessionUids: new Set([0, 1000]) } }, knows(77n)), [
    'medium',
  ]);
  assert.equal(severity(rowsOf({}), session, null), ['medium']);
});

test('odd-executable-path: a program that a learned shell started through build tools, runners and forks is low too', () => {
  const known: Known = {
    identities: new Set([77n]),
    listeners: new Set(),
    classes: new Set(),
    executables: new Set(['/usr/bin/dash']),
  };
  const host = { sessionUids: new Set([1000]) };
  /** Severities of the findings about the last of these executables, each started by the one before. */
  const severities = (...executables: string[]) => {
    const rows = executables.map((exe, at) => ({
      ...{ pid: 1000 + at, ppid: at === 0 ? 1 : 999 + at, comm: 'x', exe, uid: 1000 },
      identity: exe === '/usr/bin/bash' ? 77n : BigInt(900 + at),
    }));
    const { fails } = say('odd-executable-path', rows, { host }, known).verdicts;
    return fails.map(({ severity }) => severity);
  };
  assert.equal(severities('/usr/bin/bash', '/usr/bin/make', '/usr/bin/timeout', '/tmp/x'), ['low']);
  assert.equal(severities('/usr/bin/bash', '/tmp/x', '/tmp/x'), ['low', 'low']);
  assert.equal(severities('/usr/bin/dash', '/tmp/x'), ['low']);
  assert.equal(severities('/usr/bin/perl', '/usr/bin/make', '/tmp/x'), ['medium']);
  assert.equal(severities('/usr/bin/bash', '/usr/sbin/nginx', '/usr/bin/make', '/tmp/x'), ['medium']);
  // A program that only has the name, and one that another odd program started.
  assert.equal(severities('/usr/bin/bash', '/usr/sbin/nginx', '/tmp/bash', '/tmp/x'), ['medium', 'medium']);
  assert.equal(severities('/usr/bin/bash', '/tmp/y', '/tmp/x'), ['low', 'low']);
  assert.equal(severities('/usr/bin/bash', '/tmp/b/y', '/tmp/x'), ['low', 'medium']);
  assert.equal(severities('/tmp/x'), ['medium']);
});

test('name-mismatch: a different name fails; scripts, browsers and systemd are explained; long names are truncated', () => {
  const rows = [
    { pid: 1000, comm: 'sshd', exe: '/opt/miner' },
    { pid: 1001, comm: 'script.py', exe: '/usr/bin/python3.11' },
    { pid: 1002, comm: 'Web Content', exe: '/usr/lib/firefox-esr/firefox-esr' },
    { pid: 1003, comm: '(sd-pam)', exe: '/usr/lib/systemd/systemd' },
    { pid: 1004, comm: 'a name of twent', exe: '/opt/a name of twenty letters' },
    { pid: 1005, comm: 'x', exe: '/memfd:y (deleted)' },
    { pid: 1006, comm: 'gone', exe: '/opt/gone (deleted)' },
  ];
  const { verdicts, pids, suppressed } = say('name-mismatch', rows);
  assert.equal(pids, [1000]);
  assert.is(verdicts.fails[0]?.severity, 'low');
  assert.equal(suppressed, ['browsers', 'systemd']);
});

test('name-mismatch: with the cause disabled, interpreters fail too', () => {
  const strict = { ...law, suppressions: law.suppressions.filter(({ name }) => name !== 'interpreters') };
  const rows = [{ pid: 1001, comm: 'script.py', exe: '/usr/bin/python3.11' }];
  assert.equal(say('name-mismatch', rows, {}, null, strict).pids, [1001]);
});

test('traced: a debugger is explained only when a logged-in user debugs a process of their own', () => {
  const session = { host: { sessionUids: new Set([0, 1000, 1001]) } };
  const judged = (
    tracer: Partial<ProcessRow>,
    target: Partial<ProcessRow> = {},
    parts: Parameters<typeof say>[2] = session,
  ) =>
    say(
      'traced',
      [
        { pid: 1000, comm: 'strace', exe: '/usr/bin/strace', uid: 1000, tty: 34816, ...tracer },
        { pid: 1001, uid: 1000, tracer: 1000, ...target },
      ],
      parts,
    ).suppressed;
  assert.equal(judged({}), ['debuggers']);
  // A daemon: no terminal; no session; the sessions could not be read.
  assert.equal(judged({ tty: 0 }), []);
  assert.equal(judged({}, {}, { host: { sessionUids: new Set([1001]) } }), []);
  assert.equal(judged({}, {}, {}), []);
  // Root's process, another user's, and one that runs with other rights than its user's.
  assert.equal(judged({}, { uid: 0 }), []);
  assert.equal(judged({}, { uid: 1001 }), []);
  assert.equal(judged({}, { euid: 0 }), []);
  assert.equal(judged({ euid: 0 }), []);
  assert.equal(judged({ uid: 0, euid: 0 }, { uid: 0, euid: 0 }), []);
  // An unknown value does not explain it.
  assert.equal(judged({ seen: FACT.stat | FACT.exe }), []);
  assert.equal(judged({}, { tracer: 4711 }), []);
  assert.equal(judged({ exe: '/tmp/strace' }), []);
});

test('traced: crash handlers are explained, other programs under their names are not', () => {
  const rows = [
    { pid: 1000, comm: 'systemd-coredum', exe: '/usr/lib/systemd/systemd-coredump', uid: 0 },
    { pid: 1001, comm: 'systemd-coredum', exe: '/tmp/systemd-coredump' },
    { pid: 1002, tracer: 1000 },
    { pid: 1003, tracer: 1001 },
  ];
  const { pids, suppressed } = say('traced', rows);
  assert.equal([pids, suppressed], [[1003], ['crash-handlers']]);
});

test('kernel-thread-impostor: helpers that the kernel starts are explained, a program with the name of a kernel thread is not', () => {
  const rows = [
    { pid: 1000, ppid: 2, comm: 'modprobe', exe: '/usr/bin/kmod', uid: 0 },
    { pid: 1001, ppid: 2, comm: 'kworker/0:1', exe: '/usr/bin/kmod', uid: 0 },
    { pid: 1002, ppid: 2, comm: 'x', exe: '/tmp/kmod', uid: 0 },
  ];
  const { pids, suppressed } = say('kernel-thread-impostor', rows);
  assert.equal([pids, suppressed], [[1001, 1002], ['usermode-helpers']]);
});

test('unknown-local-listener: low for the learned program of a logged-in user, medium for others', () => {
  const executable = '/usr/bin/python3.11';
  const rows = [{ pid: 1000, comm: 'server', exe: executable, uid: 1000, identity: 77n }];
  const listeners = [{ port: 5000, holders: [{ pid: 1000, start: '1000', fd: 3 }], executable }];
  const severity = (known: Partial<Known>, sessionUids: number[], uid = 1000) =>
    say(
      'unknown-local-listener',
      [],
      {
        processes: [...SMALL_MACHINE.filter(({ tty }) => tty === undefined), { ...rows[0], pid: 1000, uid }],
        listeners,
        host: { sessionUids: new Set(sessionUids) },
      },
      { identities: new Set(), listeners: new Set(), classes: new Set(), ...known },
    ).verdicts.fails.map((fail) => {
      // A scar closes the gate, so nothing is learned: only a note advises to learn it.
      assert.is(/\blearn it\b/.test(fail.remedy), fail.severity === 'low', fail.remedy);
      return fail.severity;
    });
  assert.equal(severity({ identities: new Set([77n]) }, [1000]), ['low']);
  // Another script of a known interpreter.
  assert.equal(severity({ executables: new Set([executable]) }, [1000]), ['low']);
  assert.equal(severity({ identities: new Set([77n]) }, []), ['medium']);
  assert.equal(severity({}, [1000]), ['medium']);
  assert.equal(severity({ identities: new Set([77n]) }, [0], 0), ['medium']);
});

test.run();
