/** The tables of processes and listeners: the values of each column, for honest and hostile machines. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FACT, WRAP, WRAP_STATE } from '../../src/engine/native/types.ts';
import type { DeskState } from '../../src/records/state.ts';
import { listenerTable, processTable } from '../../src/records/tables.ts';
import { forAllOf } from '../support/for-all.ts';
import { findingFrom, type StateParts, stateFrom } from '../support/state.ts';
import type { ProcessRow } from '../support/table.ts';

const test = suite('tables');
const KTHREAD = 0x0020_0000;
const tableOf = (deskState: DeskState) => processTable.assemble(deskState);
const processes = (rows: readonly ProcessRow[], parts: StateParts = {}) =>
  tableOf(stateFrom({ ...parts, snapshot: { processes: rows, ...parts.snapshot } }));

/** Every list of a table, with its name. */
const listsOf = (table: object): [string, readonly unknown[]][] =>
  Object.entries(table).filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]));

test('each column has the known value of a process', () => {
  const table = processes(
    [
      { pid: 1, uid: 0, comm: 'init', exe: '/sbin/init', start: 100n },
      { pid: 2, ppid: 0, uid: 0, comm: 'kthreadd', flags: KTHREAD, start: 100n },
      {
        pid: 400,
        uid: 101,
        comm: 'web',
        exe: '/usr/bin/web',
        wrap: WRAP.seccomp | WRAP.nsUser,
        threads: 7,
        start: 360_000n,
      },
      { pid: 500, comm: 'shy', wrapState: WRAP_STATE.blind, refused: FACT.nsPid | FACT.threads, wrap: 1 },
      { pid: 600, comm: 'dead', exe: '', state: 'Z' },
      { pid: 700, comm: 'gone', state: '' },
      { pid: 900, comm: 'node' },
    ],
    {
      snapshot: {
        at: { epochMs: Date.UTC(2026, 0, 2, 3, 4, 5), offsetMin: 60 },
        machine: { uptimeSec: 7200 },
      },
      findings: [
        findingFrom(),
        findingFrom({ id: '1', subject: { ...process400, start: '360000' } }),
        findingFrom({ id: '2', subject: { ...process400, start: '360000' } }),
        findingFrom({ id: '3', subject: { ...process400, start: '1' } }),
      ],
    },
  );
  assert.is(table.total, 6);
  assert.equal(table.pid, [1, 2, 400, 500, 600, 900]);
  assert.equal(table.ppid, [0, 0, 1, 1, 1, 1]);
  assert.equal(table.kind, ['process', 'kernel', 'process', 'process', 'fried', 'process']);
  assert.equal(table.state, ['S', 'S', 'S', 'S', 'Z', 'S']);
  assert.equal(table.wrap, ['free', 'none', 'wrapped', 'blind', 'none', 'free']);
  assert.equal(table.by, ['', '', 'seccomp, user ns', 'refused: namespaces, threads', '', '']);
  assert.equal(table.executable.slice(0, 3), ['/sbin/init', '', '/usr/bin/web']);
  assert.is(table.threads[2], 7);
  assert.equal(table.start.slice(0, 3), [
    '2026-01-02T02:04:06.000+01:00',
    '2026-01-02T02:04:06.000+01:00',
    '2026-01-02T03:04:05.000+01:00',
  ]);
  assert.equal(table.own, [0, 0, 0, 0, 0, 1]);
  // One finding is about an earlier process with the same pid.
  assert.equal(table.findings, [0, 0, 2, 1, 0, 0]);
});

const process400 = {
  kind: 'process',
  pid: 400,
  comm: 'web',
  executable: '/usr/bin/web',
  identity: '/usr/bin/web',
  uid: 101,
} as const;

test('a value that was not read is null, never 0', () => {
  const refused = FACT.stat | FACT.status;
  const table = processes([{ pid: 5, comm: 'x', refused, state: '?', wrapState: WRAP_STATE.blind }]);
  assert.equal(
    [table.ppid, table.uid, table.start, table.threads, table.state, table.by],
    [[null], [null], [null], [null], ['?'], ['refused: stat, status']],
  );
  const unread = processes([{ pid: 5 }], { snapshot: { machine: { uptimeSec: null } } });
  assert.equal(unread.start, [null]);
});

test('hostile names are plain text, and every list has one entry per process', () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  const row = fc.record({
    pid: fc.integer({ min: 1, max: 4_000_000 }),
    uid: fc.integer({ min: 0, max: 0xffff_ffff }),
    comm: bytes.map((name) => name.filter((byte) => byte !== 0)),
    exe: bytes,
    start: fc.bigInt({ min: 0n, max: 1n << 62n }),
    state: fc.constantFrom('S', 'Z', 'X', '?', ''),
    flags: fc.constantFrom(0, KTHREAD),
    threads: fc.nat(),
    wrap: fc.nat({ max: 127 }),
    wrapState: fc.nat({ max: 3 }),
    refused: fc.nat({ max: 2047 }),
  });
  const rows = fc.uniqueArray(row, { selector: ({ pid }) => pid, maxLength: 8 });
  forAllOf(150)(rows, (rows) => {
    const living = rows.filter(({ state }) => state !== '').length;
    const table = JSON.parse(JSON.stringify(processTable.schema.parse(processes(rows)))) as object;
    for (const [name, list] of listsOf(table)) assert.is(list.length, living, name);
  });
  assert.equal(processes([{ pid: 9, comm: Uint8Array.of(0x61, 0xff, 0x1b, 0x0a) }]).comm, [
    'a\ufffd\u001b\n',
  ]);
});

test('a listener lists each holder once, its allow source, and its findings', () => {
  const subject = (port: number, protocol: 'tcp' | 'udp' = 'tcp') =>
    ({ kind: 'listener', protocol, address: '0.0.0.0', port, inode: 10_000 + port }) as const;
  const suppressed = (port: number, source: 'accepted' | 'benign' | 'law', check = 'public-listener') =>
    ({
      check,
      avenue: 'public_listen',
      severity: 'high',
      subject: subject(port),
      summary: '',
      source,
      name: '',
      why: '',
    }) as const;
  const sshd = {
    executable: '/usr/sbin/sshd',
    address: '0.0.0.0',
    holders: [{ pid: 500, start: '5', fd: 3 }],
  };
  const deskState = stateFrom({
    snapshot: {
      listeners: [
        { port: 18772 },
        { ...sshd, port: 22, holders: [500, 500, 900].map((pid, fd) => ({ pid, start: '5', fd })) },
        { ...sshd, port: 23 },
        { ...sshd, port: 24 },
        { ...sshd, port: 25 },
        { ...sshd, port: 26 },
        { ...sshd, port: 27, protocol: 'udp', holders: [] },
      ],
    },
    findings: [
      findingFrom({ id: 'a', subject: subject(26) }),
      findingFrom({ id: 'b', subject: subject(26) }),
      findingFrom({ id: 'c', subject: subject(27) }),
      findingFrom({ id: 'd', subject: { ...subject(26), namespace: 4 } }),
    ],
    suppressed: [
      suppressed(24, 'accepted'),
      suppressed(25, 'benign'),
      suppressed(26, 'law', 'ownerless-socket'),
    ],
  });
  const table = listenerTable.assemble({
    state: deskState,
    allowSources: ['', 'baseline', 'law', '', '', '', ''],
  });
  assert.equal(table.port, [18772, 22, 23, 24, 25, 26, 27]);
  assert.equal(table.pids, [[900], [500, 900], [500], [500], [500], [500], []]);
  assert.equal(table.allowed, ['desk', 'baseline', 'law', 'accepted', 'benign', '', '']);
  assert.equal(table.findings, [[], [], [], [], [], ['a', 'b'], []]);
  assert.equal(table.owner.slice(-2), ['held', 'ownerless']);
  for (const [name, list] of listsOf(table)) assert.is(list.length, table.total, name);
});

test.run();
