import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { instantAt, sightComplete } from '../../src/engine/assemble.ts';
import { CURES, cureFor } from '../../src/engine/cures.ts';
import { connectionsFrom, holdersByInode, listenersFrom } from '../../src/engine/listeners.ts';
import { FACT } from '../../src/engine/native/types.ts';
import { PROBE_GROUPS, probesOf, type Sight } from '../../src/engine/probes.ts';
import { tableFrom } from '../support/table.ts';

const table = tableFrom([
  { pid: 1, comm: 'init', exe: '/sbin/init' },
  { pid: 50, start: 5000n, exe: '/usr/bin/first' },
  { pid: 60, start: 6000n, exe: '/usr/bin/second' },
  { pid: 70, state: '' },
]);

/** Rows (inode, pid, fd), the last one left over from an earlier sweep. */
const holderColumns = {
  inode: Uint32Array.of(900, 900, 901, 900, 900, 7),
  pid: Int32Array.of(60, 50, 70, 50, 999, 1),
  fd: Int32Array.of(3, 9, 4, 4, 5, 1),
};
const rows = 5;

function listenerColumns(
  rows: readonly {
    family?: 4 | 6;
    address: number[];
    inode: number;
    protocol?: number;
    scope?: number;
    owner?: number;
  }[],
) {
  const columns = {
    family: Uint8Array.from(rows, ({ family }) => family ?? 4),
    protocol: Uint8Array.from(rows, ({ protocol }) => protocol ?? 6),
    address: new Uint8Array(16 * rows.length),
    port: Uint16Array.from(rows, (_, at) => 1000 + at),
    inode: Uint32Array.from(rows, ({ inode }) => inode),
    uid: new Uint32Array(rows.length),
    v6only: new Uint8Array(rows.length),
    scope: Uint8Array.from(rows, ({ scope }) => scope ?? 0),
    owner: Uint8Array.from(rows, ({ owner }) => owner ?? 0),
    own: new Uint8Array(rows.length),
    service: new Uint8Array(rows.length),
    key: new BigUint64Array(rows.length),
  };
  rows.forEach(({ address }, at) => {
    columns.address.set(address, 16 * at);
  });
  return columns;
}

test('holders are joined by inode in ascending order, and holders that are gone are left out', () => {
  const holders = holdersByInode(holderColumns, rows, table);
  assert.equal(holders.get(900), [
    { pid: 50, start: '5000', fd: 4 },
    { pid: 50, start: '5000', fd: 9 },
    { pid: 60, start: '6000', fd: 3 },
  ]);
  assert.is(holders.get(901), undefined);
  assert.is(holders.get(7), undefined);
});

test('a listener has scope, owner and the executable of its first holder', () => {
  const holders = holdersByInode(holderColumns, rows, table);
  const columns = listenerColumns([
    { address: [127, 0, 0, 1], inode: 900 },
    { address: [0, 0, 0, 0], inode: 902, protocol: 17, scope: 1, owner: 1 },
    { family: 6, address: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], inode: 903, owner: 2 },
  ]);
  const [first, second, third] = listenersFrom(columns, 3, holders, table);
  assert.is(first?.owner, 'held');
  assert.is(first?.executable, '/usr/bin/first');
  assert.is(first?.scope, 'loopback');
  assert.is(second?.owner, 'ownerless');
  assert.is(second?.scope, 'public');
  assert.is(second?.protocol, 'udp');
  assert.is(second?.executable, '');
  assert.is(third?.address, '::1');
  assert.is(third?.owner, 'blind');
});

test('connections have their holders', () => {
  const holders = holdersByInode(holderColumns, rows, table);
  const [connection] = connectionsFrom(
    {
      family: Uint8Array.of(4),
      address: Uint8Array.of(192, 0, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      port: Uint16Array.of(443),
      inode: Uint32Array.of(900),
    },
    1,
    holders,
  );
  assert.is(connection?.address, '192.0.2.7');
  assert.is(connection?.holders.length, 3);
});

test('a listener is reported as ownerless only when every process could be read', () => {
  const all = [{ pid: 1 }, { pid: 50 }, { pid: 60 }];
  const sees = (rows: Parameters<typeof tableFrom>[0], self = 50, initialPid = 0xefff_fffc) =>
    sightComplete(tableFrom(rows), initialPid, self);
  assert.ok(sees(all));
  assert.not.ok(sees(all.slice(1)), 'hidepid hides pid 1');
  assert.not.ok(sees([{ pid: 1 }, { pid: 50, nsPid: 4026532000 }]), 'a container');
  assert.not.ok(sees(all, 51), 'we do not see ourselves');
  assert.not.ok(sees([{ pid: 1 }, { pid: 50, nsPid: 0 }], 50, 0), 'the initial namespace is unknown');
});

test('the offset of a start time is an integer, never -0', () => {
  const { offsetMin } = instantAt(Date.UTC(2026, 6, 1));
  assert.ok(Number.isInteger(offsetMin) && Math.abs(offsetMin) <= 14 * 60);
  assert.not.ok(Object.is(offsetMin, -0));
});

const sight = (parts: Partial<Sight> = {}): Sight => ({
  table,
  hiding: PROBE_GROUPS.map(() => 0),
  self: 50,
  euid: 1000,
  processes: null,
  root: '/proc',
  sockets: [],
  machine: [],
  ...parts,
});
const probe = (id: string, parts: Partial<Sight>) => probesOf(sight(parts)).find((state) => state.id === id);

test('probes: all work when nothing is refused, and a failing one has a reason', () => {
  const states = probesOf(sight());
  assert.equal(
    states.filter(({ works }) => !works),
    [],
  );
  assert.is(new Set(states.map(({ id }) => id)).size, states.length);
  const refusal = (source: string) => ({ errno: 13, code: 'EACCES', source });
  const blinded = probesOf(
    sight({
      table: tableFrom([{ pid: 50, refused: 0xffff }]),
      hiding: PROBE_GROUPS.map(() => 1),
      sockets: states.map(({ id }) => refusal(id)),
      machine: states.map(({ id }) => refusal(id)),
    }),
  );
  for (const { id, works, reason } of blinded) assert.ok(!works && reason.length > 20, id);
  assert.equal(
    blinded.map(({ id }) => id),
    states.map(({ id }) => id),
  );
});

test('probes: the cure depends on current privileges; root is never told to become root', () => {
  const hiding = (capEff: bigint, euid: number) => ({
    euid,
    table: tableFrom([{ pid: 1 }, { pid: 50, capEff }, { pid: 60, refused: FACT.nsMnt }]),
    hiding: PROBE_GROUPS.map((bits) => ((bits & FACT.nsMnt) !== 0 ? 1 : 0)),
  });
  const without = probe('namespaces', hiding(0n, 1000))?.reason ?? '';
  assert.match(without, /^1 process .*run as root or give CAP_SYS_PTRACE/);
  for (const [capEff, euid] of [
    [1n << 19n, 1000],
    [(1n << 41n) - 1n, 0],
    [0n, 0],
  ] as const)
    assert.not.match(probe('namespaces', hiding(capEff, euid))?.reason ?? '', /as root|CAP_/);
});

test('cures: root gets another cure than an ordinary user', () => {
  for (const cure of Object.values(CURES)) {
    assert.is(cureFor(1000, cure), cure);
    assert.not.match(cureFor(0, cure), /as root|CAP_/);
  }
  assert.is(cureFor(0, 'see desk doctor'), 'see desk doctor');
});

test('probes: a fixture root and an unreadable root are reported as such', () => {
  assert.is(probe('sock_diag tcp4', { sockets: null })?.works, false);
  assert.match(probe('sock_diag tcp4', { sockets: null })?.reason ?? '', /fixture/);
  const gone = { processes: { errno: 2, code: 'ENOENT', source: 'open' }, sockets: null };
  assert.match(probe('proc', gone)?.reason ?? '', /ENOENT/);
  assert.is(probe('descriptors', gone)?.works, false);
});

test('probes: a root without processes is not reported as a truncated list, and nothing is seen in it', () => {
  const empty = { table: tableFrom([]) };
  const proc = probe('proc', empty);
  assert.is(proc?.works, false);
  assert.is(proc?.cure, 'mount proc there');
  assert.not.match(proc?.reason ?? '', /hidepid/);
  for (const id of ['stat', 'executables', 'descriptors']) assert.is(probe(id, empty)?.works, false, id);
});

test.run();
