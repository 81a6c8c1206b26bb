/** Derived columns compared with a row-by-row computation of the same facts. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isLoopback } from '../../src/base/addresses.ts';
import { listenerKey } from '../../src/checks/subjects.ts';
import { textOf } from '../../src/engine/bytes.ts';
import { holdersByInode, isService, listenersFrom } from '../../src/engine/listeners.ts';
import { OWNER, SCOPE, TRAIT } from '../../src/engine/native/batch-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { FACT, PF_KTHREAD, WRAP_STATE } from '../../src/engine/native/types.ts';
import { PROBE_GROUPS } from '../../src/engine/probes.ts';
import { tableOver } from '../../src/engine/process-table.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { countProcesses, descendantsOf } from '../support/counts.ts';
import { hashText } from '../support/judge.ts';
import { testedMarks } from '../support/marks.ts';
import { columnsFrom, type ProcessRow } from '../support/table.ts';

const { addon } = loadNative();
const NOTHING = {
  holders: 0,
  self: 0,
  ephemeral: null,
  sightComplete: false,
  groups: [],
  programs: [],
  listeners: 0,
};

function traitsOf(comm: string | Uint8Array, exe: string | Uint8Array): number {
  return columnsFrom([{ pid: 5, comm, exe }]).processes.traits[0] as number;
}

test('traits are derived from names and executables', () => {
  const cases: [string, string, number][] = [
    ['cat', '/usr/bin/cat', 0],
    ['cat', '', 0],
    ['cat', '/usr/bin/cat (deleted)', TRAIT.deleted],
    ['3', '/memfd:3 (deleted)', TRAIT.deleted | TRAIT.memfd | TRAIT.otherName],
    ['memfd:x', '/memfd:x (deleted)', TRAIT.deleted | TRAIT.memfd],
    ['x', '/memfd:x', TRAIT.otherName],
    ['x', '/tmp/x', TRAIT.temporary],
    ['x', '/dev/shm/x', TRAIT.temporary],
    ['x', '/var/tmp/a/x', TRAIT.temporary],
    ['x', '/run/user/0/x', TRAIT.temporary],
    ['x', '/tmpx/x', 0],
    ['x', '/home/u/.cache/x', TRAIT.hiddenFolder],
    ['.x', '/home/u/.x', 0],
    ['x', '/tmp/.y/x (deleted)', TRAIT.temporary | TRAIT.hiddenFolder | TRAIT.deleted],
    ['a-name-longer-th', '/opt/a-name-longer-than-that', 0],
    ['other', '/opt/a-name', TRAIT.otherName],
    ['python3.11', '/usr/bin/python3.11', TRAIT.interpreter],
    ['worker', '/usr/bin/node', TRAIT.interpreter | TRAIT.otherName],
    ['[x]', '', TRAIT.kernelName],
    ['[', '/usr/bin/[', 0],
  ];
  for (const [comm, exe, traits] of cases) assert.is(traitsOf(comm, exe), traits, `${comm} ${exe}`);
});

test('programs are found by path, by base name, and by process name where the executable cannot be read', () => {
  const rows: ProcessRow[] = [
    { pid: 2, comm: 'mail', exe: '/usr/bin/claws-mail' },
    { pid: 3, comm: 'claws-mail', exe: '/opt/other' },
    { pid: 4, comm: 'claws-mail', exe: '' },
    { pid: 5, comm: 'claws-mail', exe: '', wrapState: WRAP_STATE.notApplicable },
    { pid: 6, comm: 'x', exe: '/opt/not-claws-mail' },
    { pid: 7, comm: 'a-name-longer-t', exe: '' },
    { pid: 8, comm: 'x', exe: 'claws-mail' },
  ];
  const columns = columnsFrom(rows);
  const { programs } = addon.derive(columns.bytes, columns.capacity, {
    ...NOTHING,
    count: rows.length,
    programs: ['claws-mail', '/usr/bin/claws-mail', 'a-name-longer-than-that', 'nothing'],
  });
  assert.equal(
    programs.map((pids) => [...pids]),
    [[2, 4, 8], [2], [7], []],
  );
});

test('names of kernel threads are recognised as by the pattern', () => {
  const pattern = /^(\[.+|(kworker|ksoftirqd|migration|rcu_|kthreadd|kswapd|khugepaged|cpuhp)(\/|$|\d).*)$/s;
  const word = fc.constantFrom(
    '[',
    'kworker',
    'ksoftirqd',
    'migration',
    'rcu_',
    'kthreadd',
    'kswapd',
    'cpuhp',
  );
  const name = fc
    .tuple(
      fc.option(word, { nil: '' }),
      fc.string({ maxLength: 8 }),
      fc.constantFrom('', '/', '0', '\n', ']'),
    )
    .map(([first, rest, next]) => (first + next + rest).replaceAll('\0', ''));
  fc.assert(
    fc.property(name, (comm) => {
      const bytes = new TextEncoder().encode(comm).subarray(0, 15);
      const held = (traitsOf(bytes, '') & TRAIT.kernelName) !== 0;
      assert.is(held, pattern.test(textOf(bytes)), comm);
    }),
    { numRuns: 500 },
  );
});

const processRow = fc.record({
  ppid: fc.integer({ min: 0, max: 40 }),
  state: fc.constantFrom('R', 'S', 'D', 'T', 'I', 'Z', 'X', 'x', '?', ''),
  flags: fc.constantFrom(0, 0, PF_KTHREAD),
  tty: fc.integer({ min: 0, max: 1 }),
  identity: fc.bigInt({ min: 0n, max: 6n }),
  wrapState: fc.constantFrom(...Object.values(WRAP_STATE)),
  seen: fc.constantFrom(0, FACT.stat, FACT.stat | FACT.status, 0x7ff),
  refused: fc.constantFrom(0, 0, 0, FACT.descriptors, FACT.nsMnt | FACT.exe, 0x7ff),
  exe: fc.constantFrom<string | Uint8Array>(
    '/usr/bin/a',
    '/opt/é',
    '/opt/gone (deleted)',
    '/memfd:x (deleted)',
    '',
    Uint8Array.of(0x2f, 0xff, 0xc3, 0x28),
  ),
});
const machine = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 })
  .chain((pids) => fc.tuple(...pids.map((pid) => processRow.map((row): ProcessRow => ({ ...row, pid })))));

test('totals equal a simple count, and our own tree equals a simple walk', () => {
  fc.assert(
    fc.property(machine, fc.integer({ min: 1, max: 40 }), (rows, self) => {
      const columns = columnsFrom(rows);
      const table = tableOver(columns.processes, columns.text, rows.length);
      const tally = addon.derive(columns.bytes, columns.capacity, {
        ...NOTHING,
        count: rows.length,
        self,
        groups: PROBE_GROUPS,
      });
      const { listeners, hiding, own, programs, deleted, ...counts } = tally;
      assert.equal(programs, []);
      assert.equal(counts, countProcesses(table));
      assert.is(listeners, 0);
      assert.equal([...own], descendantsOf(table, self));
      const { pid, refused, wrapState } = table.columns;
      assert.equal(
        [...deleted],
        [...pid.subarray(0, rows.length)].filter(
          (_, row) =>
            wrapState[row] !== WRAP_STATE.notApplicable && textOf(table.exe(row)) === '/opt/gone (deleted)',
        ),
      );
      for (let row = 0; row < rows.length; row++)
        assert.is(table.columns.own[row], own.includes(pid[row] as number) ? 1 : 0);
      assert.equal(
        hiding,
        PROBE_GROUPS.map(
          (bits) =>
            [...refused.subarray(0, rows.length)].filter(
              (mask, row) => wrapState[row] !== WRAP_STATE.notApplicable && (mask & bits) !== 0,
            ).length,
        ),
      );
    }),
    { numRuns: 300 },
  );
});

test('a long chain of processes with descending pids is followed to its end', () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ pid: at + 1, ppid: at === 299 ? 0 : at + 2 }));
  const columns = columnsFrom(rows);
  const { own } = addon.derive(columns.bytes, columns.capacity, { ...NOTHING, count: 300, self: 300 });
  assert.is(own.length, 300);
  assert.ok(columns.processes.own.every((bit) => bit === 1));
});

const address = fc.oneof(
  fc.constantFrom<[4 | 6, number[]]>(
    [4, [127, 0, 0, 1]],
    [4, [0, 0, 0, 0]],
    [6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    [6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1]],
    [6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1]],
    [6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1]],
    [6, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    [6, Array<number>(16).fill(0)],
    [4, [128, 0, 0, 1]],
  ),
  fc.tuple(fc.constant(4 as const), fc.array(fc.nat(255), { minLength: 4, maxLength: 4 })),
);
const socket = fc.record({
  address,
  protocol: fc.constantFrom(6, 17),
  port: fc.constantFrom(1, 80, 999, 1000, 1500, 2000, 2001, 65535),
  inode: fc.integer({ min: 0, max: 8 }),
});
const holder = fc.record({
  inode: fc.integer({ min: 0, max: 9 }),
  pid: fc.integer({ min: 1, max: 40 }),
  fd: fc.nat(9),
});

test('scope, owner, own, service and key of listeners equal those of a simple join', () => {
  fc.assert(
    fc.property(
      machine,
      fc.array(socket, { maxLength: 12 }),
      fc.array(holder, { maxLength: 20 }),
      fc.option(fc.constant<[number, number]>([1000, 2000])),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      (rows, sockets, held, ephemeral, sight, self) => {
        const columns = columnsFrom(rows, { sockets: sockets.length, holders: held.length });
        sockets.forEach((one, at) => {
          columns.listeners.family[at] = one.address[0];
          columns.listeners.address.set(one.address[1], 16 * at);
          columns.listeners.protocol[at] = one.protocol;
          columns.listeners.port[at] = one.port;
          columns.listeners.inode[at] = one.inode;
        });
        held.forEach((one, at) => {
          columns.holders.inode[at] = one.inode;
          columns.holders.pid[at] = one.pid;
          columns.holders.fd[at] = one.fd;
        });
        const table = tableOver(columns.processes, columns.text, rows.length);
        // Data beyond the given rows is ignored.
        const heldRows = Math.floor((2 * held.length) / 3);
        const tally = addon.derive(columns.bytes, columns.capacity, {
          count: rows.length,
          listeners: sockets.length,
          holders: heldRows,
          self,
          ephemeral,
          sightComplete: sight,
          groups: [],
          programs: [],
        });
        const known = new Set<number>();
        const kept = sockets.filter(({ inode }) => {
          const twice = inode !== 0 && known.has(inode);
          known.add(inode);
          return !twice;
        });
        assert.is(tally.listeners, kept.length);
        const holders = holdersByInode(columns.holders, heldRows, table);
        const listeners = listenersFrom(columns.listeners, kept.length, holders, table);
        const desk = descendantsOf(table, self);
        kept.forEach(({ address: [family, bytes], port, protocol, inode }, row) => {
          const listener = listeners[row];
          if (listener === undefined) throw new Error('a listener is missing');
          const found = (holders.get(inode) ?? []).map(({ pid }) => pid);
          const owner =
            found.length > 0 ? 'held' : sight && tally.descriptorsBlind === 0 ? 'ownerless' : 'blind';
          const address = Uint8Array.from(bytes).subarray(0, family === 4 ? 4 : 16);
          assert.is(columns.listeners.inode[row], inode);
          assert.is(columns.listeners.scope[row], isLoopback(address) ? SCOPE.loopback : SCOPE.public);
          assert.is(columns.listeners.owner[row], OWNER[owner]);
          assert.is(listener.owner, owner);
          assert.equal([listener.port, listener.protocol], [port, protocol === 17 ? 'udp' : 'tcp']);
          const own = found.length > 0 && found.every((pid) => desk.includes(pid));
          assert.is(columns.listeners.own[row], own ? 1 : 0);
          assert.is(columns.listeners.service[row], isService(listener, ephemeral) ? 1 : 0);
          const key = listenerKey({ machine: { ephemeral } } as Snapshot, listener);
          assert.is(columns.listeners.key[row], hashText(key), key);
        });
      },
    ),
    { numRuns: 400 },
  );
});

test('the executable in a key is decoded as JavaScript decodes it, whatever its bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 12 }),
    fc
      .array(
        fc.constantFrom(
          0x61,
          0xc3,
          0xa9,
          0xe0,
          0x80,
          0xa0,
          0xed,
          0xbf,
          0xf0,
          0x90,
          0xf4,
          0x8f,
          0xff,
          0xef,
          0xbb,
        ),
        {
          minLength: 1,
          maxLength: 10,
        },
      )
      .map((list) => Uint8Array.from(list)),
  );
  fc.assert(
    fc.property(bytes, (exe) => {
      const columns = columnsFrom([{ pid: 7, exe }], { sockets: 1, holders: 1 });
      columns.listeners.family[0] = 4;
      columns.listeners.protocol[0] = 6;
      columns.listeners.port[0] = 80;
      columns.listeners.inode[0] = 3;
      columns.holders.inode[0] = 3;
      columns.holders.pid[0] = 7;
      addon.derive(columns.bytes, columns.capacity, {
        ...NOTHING,
        count: 1,
        listeners: 1,
        holders: 1,
      });
      assert.is(columns.listeners.key[0], hashText(`public tcp 80 ${textOf(exe)}`));
    }),
    { numRuns: 2000 },
  );
});

test('the key of a listener has the port that the kernel chose where the holder is unknown, and `ephemeral` where it is known', () => {
  const columns = columnsFrom([{ pid: 7, exe: '/usr/sbin/sshd' }], { sockets: 3, holders: 1 });
  const { listeners, holders } = columns;
  for (let row = 0; row < 3; row++) {
    listeners.family[row] = 4;
    listeners.protocol[row] = 6;
    listeners.port[row] = 40_000 + row;
    listeners.inode[row] = 3 + row;
    listeners.uid[row] = 1000 + row;
  }
  holders.inode[0] = 3;
  holders.pid[0] = 7;
  const options = { ...NOTHING, count: 1, listeners: 3, holders: 1, ephemeral: [32768, 60999] as const };
  const keysWith = (sightComplete: boolean): bigint[] => {
    addon.derive(columns.bytes, columns.capacity, { ...options, sightComplete });
    return [...listeners.key.subarray(0, 3)];
  };
  const held = 'public tcp ephemeral /usr/sbin/sshd';
  assert.equal(
    keysWith(false),
    [held, 'public tcp 40001 uid 1001', 'public tcp 40002 uid 1002'].map(hashText),
  );
  assert.equal(keysWith(true), [held, ...Array(2).fill('public tcp ephemeral ownerless')].map(hashText));
});

test('all CPU builds derive the same values, and an offset outside the arena counts as empty', () => {
  for (const mark of testedMarks()) {
    const columns = columnsFrom([{ pid: 1, comm: 'a', exe: '/tmp/x' }]);
    columns.processes.exeLength[0] = 1000;
    columns.processes.exeOffset[0] = 0xffff_ffff;
    const tally = loadNative(mark).addon.derive(columns.bytes, columns.capacity, { ...NOTHING, count: 1 });
    assert.is(columns.processes.traits[0], 0);
    assert.is(tally.processes, 1);
  }
});

test('invalid options throw', () => {
  const { bytes, capacity } = columnsFrom([{ pid: 1 }], { sockets: 1, holders: 1 });
  const derive = (parts: Record<string, unknown>) => () =>
    addon.derive(bytes, capacity, { ...NOTHING, count: 1, ...parts } as never);
  assert.throws(derive({ count: 2 }), /count must be a whole number from 0 to 1/);
  assert.throws(derive({ listeners: 2 }), /listeners/);
  assert.throws(derive({ holders: 2 }), /holders/);
  assert.throws(derive({ ephemeral: [1] }), /ephemeral/);
  assert.throws(derive({ ephemeral: [1, 70_000] }), /ephemeral/);
  assert.throws(derive({ sightComplete: 1 }), /sightComplete/);
  assert.throws(derive({ groups: Array(65).fill(1) }), /groups/);
  assert.throws(derive({ programs: Array(65).fill('a') }), /programs/);
  assert.throws(derive({ programs: [''] }), /programs/);
  assert.throws(derive({ programs: [1] }), /programs/);
  assert.throws(derive({ self: -1 }), /self/);
});

test.run();
