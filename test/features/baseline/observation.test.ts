import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listenerKey } from '../../../src/checks/subjects.ts';
import { loadNative } from '../../../src/engine/native/load.ts';
import { broughtBy } from '../../../src/features/baseline/contents.ts';
import {
  blindTwins,
  namesOf,
  observe,
  rowsBy,
  underLearnedNames,
  union,
} from '../../../src/features/baseline/observation.ts';
import {
  residueOf,
  untaken,
  withoutResidue,
  withoutUnconfirmed,
} from '../../../src/features/baseline/residue.ts';
import { isSystemOwned } from '../../../src/features/baseline/system-owned.ts';
import type { Suppressed } from '../../../src/findings/finding.ts';
import { rowFrom } from '../../support/baseline.ts';
import { expect } from '../../support/expect.ts';
import { SMALL_MACHINE, snapshotFrom } from '../../support/snapshot.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';
import type { ProcessRow } from '../../support/table.ts';
import { law } from '../../support/world.ts';

const { addon } = loadNative();
const foreign = { holders: [{ pid: 500, start: '500', fd: 3 }], executable: '/usr/sbin/sshd' };

const observed = (parts: Parameters<typeof stateFrom>[0], suppressed: readonly Suppressed[] = []) => {
  const state = stateFrom(parts);
  const judged = { ...state, judgement: { ...state.judgement, suppressed } };
  return [...observe(judged, addon, law.bannedPorts).values()];
};
const textsOf = (rows: readonly { kind: string; text: string }[], kind: string): string[] =>
  rows
    .filter((row) => row.kind === kind)
    .map(({ text }) => text)
    .sort();

test('identities are unique user-space programs; interpreters include their name, unreadable ones name and uid', () => {
  const processes = [
    ...SMALL_MACHINE,
    { pid: 901, comm: 'node', exe: '/usr/bin/node' },
    { pid: 902, comm: 'worker', exe: '/usr/bin/node' },
    { pid: 903, comm: 'hidden', exe: '', uid: 7, refused: 4 },
    { pid: 905, comm: 'ending', exe: '', uid: 7 },
    { pid: 904, comm: 'gone', exe: '', state: 'Z', identity: 0n },
  ].map((row: ProcessRow): ProcessRow => ({ ...row, identity: row.identity ?? identityOf(row) }));
  assert.equal(textsOf(observed({ snapshot: { processes } }), 'identity'), [
    '/usr/bin/bash:bash',
    '/usr/bin/node:node',
    '/usr/bin/node:worker',
    '/usr/lib/systemd/systemd',
    '/usr/lib/systemd/systemd-resolved',
    '/usr/sbin/sshd',
    'hidden?7',
  ]);
});

/** A different number for each identity, as the native hash gives. */
function identityOf({ comm = '', exe = '', flags = 0 }: ProcessRow): bigint {
  if (flags !== 0) return 0n;
  const interpreter = /\/(node|bash)$/.test(String(exe));
  return addon.hashIdentity(Buffer.from(interpreter ? `${exe}:${comm}` : String(exe || comm)));
}

test('an identity lists the identity it has when its executable cannot be read', () => {
  const rows = observed({
    snapshot: { processes: [{ pid: 5, uid: 7, comm: 'sshd', exe: '/usr/sbin/sshd' }] },
  });
  expect(
    rows
      .filter(({ kind }) => kind === 'identity')
      .flatMap(blindTwins)
      .map((twin) => Buffer.from(twin).toString()),
  ).equals(['sshd?7']);
  const name = Uint8Array.of(0xff, 0x41);
  const odd = observed({ snapshot: { processes: [{ pid: 5, uid: 7, comm: name, exe: '/x' }] } });
  expect(
    odd
      .filter(({ kind }) => kind === 'identity')
      .flatMap(blindTwins)
      .map((twin) => [...twin]),
  ).equals([[0xff, 0x41, 0x3f, 0x37]]);
});

test('a learned program is known after its file was replaced if its content was learned', () => {
  const names = (text: string, executable: string, contents: readonly unknown[]) =>
    namesOf({ key: Buffer.from(text), detail: JSON.stringify({ executable, contents }) }).map((name) =>
      Buffer.from(name).toString(),
    );
  const content = { inode: '1' };
  assert.equal(names('/usr/sbin/sshd', '/usr/sbin/sshd', [content]), [
    '/usr/sbin/sshd',
    '/usr/sbin/sshd (deleted)',
  ]);
  assert.equal(names('/usr/bin/node@container:worker', '/usr/bin/node', [content]), [
    '/usr/bin/node@container:worker',
    '/usr/bin/node (deleted)@container:worker',
  ]);
  assert.equal(names('/usr/sbin/sshd', '/usr/sbin/sshd', []), ['/usr/sbin/sshd']);
  assert.equal(names('sshd?7', '', []), ['sshd?7']);
});

test('a program running from a replaced file keeps its learned name if its content was learned', () => {
  const content = (inode: string) => ({ inode, sha256: inode.repeat(64) });
  const row = (text: string, executable: string, contents: readonly unknown[] = [content('1')]) => ({
    ...{ kind: 'identity' as const, key: Buffer.from(text), text, review: false },
    detail: JSON.stringify({ executable, contents }),
  });
  const shown = rowsBy([
    row('/usr/bin/node@container:worker', '/usr/bin/node', [content('3')]),
    row('/usr/bin/node (deleted)@container:worker', '/usr/bin/node (deleted)', [content('2')]),
    row('/usr/sbin/nginx (deleted)', '/usr/sbin/nginx (deleted)', [content('2')]),
    row('/usr/sbin/sshd (deleted)', '/usr/sbin/sshd (deleted)'),
    row('/usr/sbin/cron (deleted)', '/usr/sbin/cron (deleted)'),
  ]);
  const held = rowsBy([
    row('/usr/bin/node@container:worker', '/usr/bin/node'),
    row('/usr/sbin/nginx', '/usr/sbin/nginx'),
    row('/usr/sbin/sshd', '/usr/sbin/sshd', []),
  ]);
  const named = underLearnedNames(shown, held);
  expect(
    [...named.values()].map(({ text, detail }) => [
      text,
      JSON.parse(detail).executable,
      (JSON.parse(detail).contents ?? []).map(({ inode }: { inode: string }) => inode).join(),
    ]),
  ).equals([
    ['/usr/bin/node@container:worker', '/usr/bin/node', '3,2'],
    ['/usr/sbin/nginx', '/usr/sbin/nginx', '2'],
    ['/usr/sbin/sshd (deleted)', '/usr/sbin/sshd (deleted)', '1'],
    ['/usr/sbin/cron (deleted)', '/usr/sbin/cron (deleted)', '1'],
  ]);
  assert.is(broughtBy(named, held).length, 4, 'the old content that runs is learned too');
});

test('an unconfirmed finding about a replaced program removes the row of its learned name', () => {
  const text = '/usr/sbin/nginx (deleted)';
  const subject = {
    kind: 'process' as const,
    pid: 5,
    start: '5',
    comm: 'nginx',
    identity: text,
    executable: text,
    uid: 0,
  };
  const state = stateFrom({});
  const unconfirmed = [findingFrom({ severity: 'high', subject })];
  const rows = rowsBy([rowFrom('/usr/sbin/nginx'), rowFrom('/usr/sbin/sshd')]);
  const left = withoutUnconfirmed(rows, { ...state, judgement: { ...state.judgement, unconfirmed } }, false);
  expect([...left.values()].map((row) => row.text)).equals(['/usr/sbin/sshd']);
});

test('listeners of the desk and on banned ports are not learned; public and ownerless ones need review', () => {
  const listeners = [
    { port: 18772 },
    { port: 22, address: '0.0.0.0', ...foreign },
    { port: 5432, ...foreign },
    { port: 40_000, ...foreign },
    { port: 51_820, address: '0.0.0.0', protocol: 'udp' as const, holders: [], executable: '' },
    { port: 111, holders: [], owner: 'blind' as const, executable: '' },
    { port: 8766, ...foreign },
  ];
  const rows = observed({ snapshot: { listeners } }).filter(({ kind }) => kind === 'listener');
  assert.equal(textsOf(rows, 'listener'), [
    'loopback tcp 111 uid 1000',
    'loopback tcp 5432 /usr/sbin/sshd',
    'loopback tcp ephemeral /usr/sbin/sshd',
    'public tcp 22 /usr/sbin/sshd',
    'public udp ephemeral ownerless',
  ]);
  expect(rows.filter(({ review }) => review).map(({ text }) => text)).equals([
    'public tcp 22 /usr/sbin/sshd',
    'public udp ephemeral ownerless',
  ]);
});

test('a listener whose holder is not known is learned by its own port and its user, so that it explains no other', () => {
  const unseen = { holders: [], owner: 'blind' as const, executable: '' };
  const listeners = [
    { port: 40_010, address: '0.0.0.0', ...unseen },
    { port: 40_011, creatorUid: 1234, ...unseen },
    // Its holder is known, and not its executable.
    { port: 40_012, holders: [{ pid: 500, start: '500', fd: 3 }], executable: '' },
  ];
  const rows = observed({ snapshot: { listeners } });
  assert.equal(textsOf(rows, 'listener'), [
    'loopback tcp 40011 uid 1234',
    'loopback tcp 40012 uid 1000',
    'public tcp 40010 uid 1000',
  ]);
});

test('classes are findings up to medium, except those about the baseline or with their own rows', () => {
  const findings = [
    findingFrom({ id: '1', severity: 'low', check: 'name-mismatch' }),
    findingFrom({ id: '2', severity: 'medium', evidenceClass: 'x' }),
    findingFrom({ id: '3', severity: 'high' }),
    findingFrom({ id: '4', severity: 'critical' }),
    findingFrom({ id: '5', severity: 'low', check: 'unlearned-process' }),
    findingFrom({ id: '6', severity: 'medium', check: 'lost-sight' }),
    findingFrom({ id: '7', severity: 'low', check: 'learning-open', subject: { kind: 'desk' } }),
  ];
  const rows = observed({ findings }).filter(({ kind }) => kind === 'class');
  expect(rows.map(({ text, review }) => [text, review])).equals([
    ['name-mismatch, low: /usr/sbin/sshd of uid 0', false],
    ['traced (x), medium: /usr/sbin/sshd of uid 0', true],
  ]);
});

test('a listener that only the law explains is not learned, since it would outlive its exception', () => {
  const snapshot = { listeners: [{ port: 22, address: '0.0.0.0', ...foreign }] };
  const listener = snapshotFrom(snapshot).listeners[0];
  if (listener === undefined) throw new Error('no listener');
  const { protocol, address, port, inode } = listener;
  const suppressed = (source: Suppressed['source']): Suppressed => ({
    check: 'public-listener',
    avenue: 'public_listen',
    severity: 'high',
    subject: { kind: 'listener', protocol, address, port, inode },
    summary: '',
    source,
    name: '',
    why: '',
  });
  assert.equal(textsOf(observed({ snapshot }, [suppressed('accepted')]), 'listener'), []);
  assert.is(textsOf(observed({ snapshot }, [suppressed('baseline')]), 'listener').length, 1);
});

test('the residue of a listener scar has its class, its listener key and the identity of its holders', () => {
  const snapshot = snapshotFrom({ listeners: [{ port: 8767, ...foreign }] });
  const [listener] = snapshot.listeners;
  if (listener === undefined) throw new Error('no listener');
  const { protocol, address, port, inode } = listener;
  const scar = findingFrom({
    severity: 'critical',
    check: 'banned-listener',
    subject: { kind: 'listener', protocol, address, port, inode },
  });
  const residue = residueOf([scar], snapshot);
  const keys = residue.map(({ kind, key }) => `${kind} ${Buffer.from(key).toString().replaceAll('\0', '|')}`);
  assert.equal(keys, [
    'class banned-listener|tcp 8767 ||||critical',
    'identity /usr/sbin/sshd',
    `listener ${listenerKey(snapshot, listener)}`,
  ]);
  const rows = rowsBy([rowFrom('/usr/sbin/sshd'), rowFrom('/usr/bin/a')]);
  expect([...withoutResidue(rows, residue).values()].map(({ text }) => text)).equals(['/usr/bin/a']);
  const odd = rowsBy([rowFrom('/usr/sbin/sshd', { key: Uint8Array.of(0xff) })]);
  assert.is(withoutResidue(odd, residue).size, 0, 'bytes that read the same count as the same');
});

test('the first use accepts findings up to medium and ownerless sockets; higher severities stay scars', () => {
  const scars = [
    findingFrom({ id: 'm' }),
    findingFrom({ id: 'o', severity: 'high', check: 'ownerless-socket' }),
    findingFrom({ id: 'h', severity: 'high' }),
    findingFrom({ id: 'c', severity: 'critical' }),
  ];
  expect(untaken(scars, true).map(({ id }) => id)).equals(['h', 'c']);
  expect(untaken(scars, false).map(({ id }) => id)).equals(['m', 'o', 'h', 'c']);
});

test('the union of two rows keeps the newer text and all alternative identities', () => {
  const older = rowsBy([
    rowFrom('/a', { detail: '{"executable":"/a","blind":["a?0","b?0"]}' }),
    rowFrom('/b'),
  ]);
  const newer = rowsBy([rowFrom('/a', { detail: '{"executable":"/a","blind":["a?1"]}' }), rowFrom('/c')]);
  const rows = [...union(older, newer).values()];
  assert.equal(rows.map(({ text }) => text).sort(), ['/a', '/b', '/c']);
  assert.is(
    rows.find(({ text }) => text === '/a')?.detail,
    '{"executable":"/a","blind":["a?0","a?1","b?0"]}',
  );
});

test('classes without a user from earlier versions are dropped in the next generation', () => {
  const rowOf = (...parts: readonly string[]) =>
    rowFrom(parts.join(' '), { kind: 'class', key: Buffer.from(parts.join('\0')) });
  const first = rowOf('traced', '/a', '', 'medium');
  const second = rowOf('traced', '/a', '', '["tracer_comm","gdb"]', 'medium');
  const today = rowOf('traced', '/a', 'uid 0', '', '', 'medium');
  const rows = union(rowsBy([first, second, today]), rowsBy([rowFrom('/b')]));
  assert.equal([...rows.values()].map(({ text }) => text).sort(), [today.text, '/b'].sort());
});

interface Fake {
  readonly uid?: number;
  readonly mode?: number;
  readonly kind?: 'file' | 'folder' | 'link';
}

test('a file is system-owned only if it and every parent folder belong to root and no one else can write them', () => {
  const statOf = (files: Readonly<Record<string, Fake>>) =>
    ((path: string) => {
      const { uid = 0, mode = 0o755, kind = path === '/usr/bin/a' ? 'file' : 'folder' } = files[path] ?? {};
      return { uid, mode, isFile: () => kind === 'file', isDirectory: () => kind === 'folder' };
    }) as never;
  assert.ok(isSystemOwned('/usr/bin/a', statOf({})));
  for (const files of [
    { '/usr/bin/a': { uid: 7 } },
    { '/usr/bin/a': { mode: 0o775 } },
    { '/usr/bin/a': { mode: 0o757 } },
    { '/usr/bin/a': { kind: 'link' } },
    { '/usr/bin': { mode: 0o775 } },
    { '/usr': { uid: 7 } },
    { '/usr/bin': { kind: 'link' } },
  ] as const)
    assert.not.ok(isSystemOwned('/usr/bin/a', statOf(files)), JSON.stringify(files));
  for (const path of ['/home/u/a', '/opt/a', '/usr/bin/../../tmp/a', '/usr/bin/a (deleted)', 'a'])
    assert.not.ok(isSystemOwned(path), path);
});

test.run();
