import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { textOf } from '../../src/engine/bytes.ts';
import { countListeners } from '../../src/engine/listeners.ts';
import { FACT, PF_KTHREAD, WRAP_STATE } from '../../src/engine/native/types.ts';
import { countProcesses, descendantsOf } from '../support/counts.ts';
import { listenerFrom, SMALL_MACHINE, snapshotFrom } from '../support/snapshot.ts';
import { tableFrom } from '../support/table.ts';

test('rows are found by pid, with their texts', () => {
  const table = tableFrom([
    { pid: 30, comm: 'late', exe: '/bin/late', cgroup: '/late.slice' },
    { pid: 2, comm: Uint8Array.of(0x28, 0xff, 0x29), exe: '' },
  ]);
  assert.is(table.count, 2);
  assert.is(table.rowOf(2), 0);
  assert.is(table.rowOf(30), 1);
  assert.is(table.rowOf(3), -1);
  assert.equal([...table.comm(0)], [0x28, 0xff, 0x29]);
  assert.is(table.exe(0).length, 0);
  assert.is(textOf(table.exe(1)), '/bin/late');
  assert.is(textOf(table.cgroup(1)), '/late.slice');
  assert.throws(() => table.exe(2), /outside the process table/);
  assert.throws(() => tableFrom([{ pid: 1 }, { pid: 1 }]), /twice/);
});

test('every pid in the table is found in its row, and no other pid is found', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 60 }), (pids) => {
      const table = tableFrom(pids.map((pid) => ({ pid })));
      for (let pid = 0; pid <= 501; pid++) {
        const row = table.rowOf(pid);
        assert.is(row >= 0 ? table.columns.pid[row] : -1, pids.includes(pid) ? pid : -1);
      }
    }),
    { numRuns: 30 },
  );
});

test('invalid UTF-8 is decoded with replacement characters, also from shared memory', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  shared.set([0x61, 0xff, 0x62]);
  assert.is(textOf(shared), 'a\ufffdb');
  assert.is(textOf(Uint8Array.of(0xef, 0xbb, 0xbf)), '\ufeff');
});

test('totals of a small machine', () => {
  const counts = countProcesses(
    tableFrom([
      ...SMALL_MACHINE,
      { pid: 950, state: 'Z' },
      { pid: 951, state: '' },
      { pid: 952, refused: FACT.descriptors | FACT.exe, exe: '', wrapState: WRAP_STATE.blind },
    ]),
  );
  assert.equal(counts, {
    processes: 9,
    kernelThreads: 2,
    userSpace: 6,
    wrapped: 1,
    free: 4,
    wrapBlind: 1,
    fried: 1,
    withoutTty: 5,
    identities: 6,
    descriptorsBlind: 1,
    blindProcesses: 1,
  });
});

test('user-space processes are wrapped, free or blind; kernel threads and dead processes are not counted', () => {
  const row = fc.record({
    state: fc.constantFrom('R', 'S', 'D', 'T', 't', 'I', 'Z', 'X', ''),
    flags: fc.constantFrom(0, PF_KTHREAD),
    wrap: fc.integer({ min: 0, max: 3 }),
    tty: fc.integer({ min: 0, max: 1 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const counts = countProcesses(tableFrom(rows.map((process, at) => ({ ...process, pid: at + 1 }))));
      const live = rows.filter(({ state, flags }) => flags === 0 && !['Z', 'X', ''].includes(state));
      assert.is(counts.userSpace, live.length);
      assert.is(counts.wrapped + counts.free + counts.wrapBlind, counts.userSpace);
      assert.is(counts.wrapped, live.filter(({ wrap }) => wrap !== 0).length);
      assert.is(counts.withoutTty, live.filter(({ tty }) => tty === 0).length);
      assert.is(counts.processes, rows.filter(({ state }) => state !== '').length);
    }),
  );
});

test('listeners count once per protocol, port and executable; UDP only below the ephemeral range', () => {
  const listeners = [
    { address: '0.0.0.0', port: 80 },
    { address: '::', port: 80 },
    { address: '0.0.0.0', port: 80, protocol: 'udp' as const },
    { address: '0.0.0.0', port: 40_000, protocol: 'udp' as const },
    { address: '0.0.0.0', port: 40_000 },
    { address: '127.0.0.1', port: 80 },
    { address: '::1', port: 81 },
  ].map(listenerFrom);
  assert.equal(countListeners(listeners, [32768, 60999]), { publicListeners: 3, loopbackListeners: 2 });
});

test('living descendants follow ppid, in order, and a cycle ends the search', () => {
  const table = tableFrom([
    { pid: 1 },
    { pid: 10, ppid: 1 },
    { pid: 11, ppid: 10 },
    { pid: 12, ppid: 11 },
    { pid: 13, ppid: 1 },
    { pid: 5, ppid: 12 },
    { pid: 6, ppid: 12, state: 'Z' },
    { pid: 20, ppid: 21 },
    { pid: 21, ppid: 20 },
  ]);
  assert.equal(descendantsOf(table, 10), [5, 10, 11, 12]);
  assert.equal(descendantsOf(table, 20), [20, 21]);
  assert.equal(descendantsOf(table, 99), [99]);
});

test('a hand-made snapshot is consistent', () => {
  const snapshot = snapshotFrom({ listeners: [{ address: '::', port: 8766 }], counts: { fried: 7 } });
  assert.is(snapshot.listeners[0]?.scope, 'public');
  assert.is(snapshot.counts.publicListeners, 1);
  assert.is(snapshot.counts.fried, 7);
  assert.is(snapshot.counts.userSpace, 5);
});

test.run();
