/** Incremental sweeps: rows that are carried to the next generation, or read again in place, equal those of a full sweep. */
import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Columns } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { type CarryResult, FACT, WRAP, WRAP_STATE } from '../../src/engine/native/types.ts';
import { startActors } from '../support/actor.ts';
import { Look, ProcMachine } from '../support/proc-machine.ts';
import { type Row, renderRow } from './render.ts';

const test = suite('carry');
const { addon } = loadNative();

const rowsOf = (columns: Columns, count: number): Row[] =>
  Array.from({ length: count }, (_, row) => renderRow(addon, { columns }, row));

const carry = (
  view: Look,
  from: Columns,
  to: Columns,
  count: number,
  dirty: readonly number[],
): CarryResult =>
  addon.carryRows(view.root, from.bytes, to.bytes, from.capacity, count, Int32Array.from(dirty));

test('random histories: carried rows equal those of a full sweep', () => {
  const pid = fc.integer({ min: 10, max: 24 });
  const kind = fc.constantFrom('fork', 'fork', 'exec', 'exit', 'zombie', 'reap', 'confine', 'reuse');
  const event = fc.record({ kind, pid, parent: pid, number: fc.nat({ max: 9 }) });
  const history = fc.array(fc.array(event, { maxLength: 5 }), { minLength: 1, maxLength: 10 });
  let copied = 0;
  let steps = 0;
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 3 }), (rounds, shards) => {
      using machine = new ProcMachine();
      machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
      for (const one of [10, 11, 14, 20])
        machine.set({ pid: one, comm: 'first', ppid: 1, exe: '/bin/first' });
      using view = new Look(addon, machine.path);
      let born = 0n;
      let [current, spare] = [view.columns, view.buffer()];
      const full = view.buffer();
      let count = view.sweep(shards, current);
      for (const events of rounds) {
        const dirty: number[] = [];
        const living = (one: number) => machine.pids.includes(one) && machine.get(one).state !== 'Z';
        const orphan = (parent: number) => {
          for (const one of machine.pids) {
            // Reparenting sends no event.
            if (machine.get(one).ppid === parent) machine.set({ ...machine.get(one), ppid: 1 });
          }
        };
        const fork = (one: number, parent: number, number: number) => {
          const exe = `/opt/app-${number}`;
          const ppid = living(parent) && parent !== one ? parent : 1;
          const cgroup = `0::/group-${number % 3}\n`;
          machine.set({ pid: one, comm: 'child', ppid, start: ++born, exe, cgroup, uid: number });
          dirty.push(one);
        };
        for (const { kind: what, pid: one, parent, number } of events) {
          if (what === 'fork' && !machine.pids.includes(one)) fork(one, parent, number);
          if (!machine.pids.includes(one)) continue;
          if (what === 'reap' && !living(one)) machine.remove(one);
          if (!living(one)) continue;
          if (what === 'exec') {
            machine.set({ ...machine.get(one), comm: `new-${number}`, exe: `/usr/bin/new-${number}` });
            dirty.push(one);
          } else if (what === 'confine') {
            machine.confine(one, { seccomp: number % 3 });
            dirty.push(one, one);
          } else if (what === 'exit' || what === 'zombie' || what === 'reuse') {
            orphan(one);
            if (what === 'zombie') machine.set({ ...machine.get(one), state: 'Z' });
            else machine.remove(one);
            dirty.push(-one);
            if (what === 'reuse') fork(one, parent, number);
          }
        }
        const carried = carry(view, current, spare, count, dirty);
        assert.not.ok(carried.overflow);
        const swept = view.sweep(1, full);
        assert.equal(rowsOf(spare, carried.count), rowsOf(full, swept));
        copied += carried.count - carried.filled;
        steps++;
        [current, spare] = [spare, current];
        count = carried.count;
      }
    }),
    { numRuns: 120 },
  );
  assert.ok(steps > 300 && copied > 1000, 'most rows are copied, not read');
});

test('only what has changed is read', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  for (let pid = 10; pid < 60; pid++) machine.set({ pid, comm: 'x', ppid: pid === 50 ? 40 : 1 });
  machine.set({ pid: 70, comm: 'dead', state: 'Z' });
  using view = new Look(addon, machine.path);
  const count = view.sweep();
  const to = view.buffer();
  const filled = (...dirty: number[]) => carry(view, view.columns, to, count, dirty).filled;
  assert.is(filled(), 1, 'the zombie');
  assert.is(filled(20, 21), 3);
  assert.is(filled(-40), 3, 'its child may have another parent');
  machine.remove(40);
  const result = carry(view, view.columns, to, count, [40]);
  assert.equal([result.filled, result.count], [3, count - 1], 'an end without an event');
  assert.is(filled(999, 0, -0x8000_0000), 2);
});

test('tables that are too small, and offsets outside the arena, request a full sweep', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  using view = new Look(addon, machine.path, { processes: 3, sockets: 0, holders: 0, text: 32 });
  const count = view.sweep();
  const to = view.buffer();
  machine.set({ pid: 10, comm: 'a', exe: '/a' });
  assert.not.ok(carry(view, view.columns, to, count, [10]).overflow);
  machine.set({ pid: 10, comm: 'a', exe: `/${'a'.repeat(40)}` });
  assert.ok(carry(view, view.columns, to, count, [10]).overflow, 'no room for its text');
  machine.set({ pid: 10, comm: 'a', exe: '/a' });
  machine.set({ pid: 11, comm: 'b', exe: '/b' });
  assert.ok(carry(view, view.columns, to, count, [10, 11]).overflow, 'no room for its row');
  const { exeOffset } = view.columns.processes;
  const kept = exeOffset[0] as number;
  exeOffset[0] = 0xffff_fff0;
  assert.ok(carry(view, view.columns, to, count, []).overflow);
  const before = view.columns.processes.exeOffset.slice();
  addon.rereadRows(view.root, view.columns.bytes, view.columns.capacity, count, 0, 1);
  assert.not.equal(view.columns.processes.exeOffset, before, 'such a place is not kept either');
  assert.is(kept < 32, true);
});

test('a thread id is not a process, even in a dirty list', () => {
  const tid = Number(readdirSync('/proc/self/task').find((id) => Number(id) !== process.pid));
  using view = new Look(addon, '/proc', { processes: 65_536, sockets: 0, holders: 0, text: 8 << 20 });
  const count = view.sweep();
  const to = view.buffer();
  const pidsOf = ({ processes }: Columns, rows: number) => processes.pid.subarray(0, rows);
  assert.not.ok(pidsOf(view.columns, count).includes(tid));
  const carried = carry(view, view.columns, to, count, [tid, process.pid]);
  assert.not.ok(pidsOf(to, carried.count).includes(tid));
  assert.ok(pidsOf(to, carried.count).includes(process.pid));
});

test('rows read again in place have the current confinement and the earlier texts', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  for (let pid = 10; pid < 20; pid++)
    machine.set({ pid, comm: 'x', exe: `/bin/x${pid}`, capEff: 0n, fd: { 3: 'pipe:[1]' } });
  machine.set({ pid: 30, comm: 'dead', state: 'Z' });
  using view = new Look(addon, machine.path);
  const { bytes, capacity } = view.columns;
  const count = view.sweep();
  const shards = 3;
  const reread = () =>
    Array.from({ length: shards }, (_, at) =>
      addon.rereadRows(view.root, bytes, capacity, count, at, shards),
    );
  const state = (pid: number) => rowsOf(view.columns, count).find((row) => row.pid === pid)?.wrapState;
  const full = view.buffer();
  for (const seccomp of [2, 0, 2]) {
    machine.confine(12, { seccomp });
    assert.equal(
      reread().map(({ gone, incomplete }) => [gone, incomplete]),
      Array(shards).fill([0, false]),
    );
    assert.is(state(12), seccomp === 0 ? WRAP_STATE.free : WRAP_STATE.wrapped);
    view.sweep(1, full);
    assert.equal(rowsOf(view.columns, count), rowsOf(full, count));
  }
  // A row that is filled again keeps what the walk for owners wrote.
  addon.ownersCollect(view.root, bytes, capacity, count, 0, 0, 0);
  view.columns.processes.seen[2] = (view.columns.processes.seen[2] as number) | FACT.descriptors;
  reread();
  assert.is((view.columns.processes.seen[2] as number) & FACT.descriptors, FACT.descriptors);
});

test('a control group file that could not be read is tried again until it can be read', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  machine.set({ pid: 10, comm: 'x', exe: '/bin/x' });
  const file = join(machine.path, '10/cgroup');
  unlinkSync(file);
  // A file that no one can open, not even root.
  symlinkSync('cgroup', file);
  using view = new Look(addon, machine.path);
  const { bytes, capacity, processes } = view.columns;
  const count = view.sweep();
  const reread = () => addon.rereadRows(view.root, bytes, capacity, count, 0, 1);
  const row = processes.pid.indexOf(10);
  const refused = () => (processes.refused[row] as number) & FACT.cgroup;
  assert.is(refused(), FACT.cgroup);
  assert.is(reread().incomplete, false, 'as long as it cannot be read, nothing else is read again for it');
  assert.is(refused(), FACT.cgroup);
  unlinkSync(file);
  writeFileSync(file, '0::/a\n');
  const { incomplete } = reread();
  assert.equal([incomplete, refused()], [true, 0], 'its text needs a place: a full sweep is asked for');
  view.sweep();
  assert.equal([reread().incomplete, refused()], [false, 0]);
});

test('rows of real processes read again do not change, and an ended process is marked as ended', async () => {
  await using actors = await startActors(['plain', 'nnp,filter', 'farm=20']);
  await using brief = await startActors(['plain']);
  using view = new Look(addon, '/proc', { processes: 65_536, sockets: 0, holders: 0, text: 8 << 20 });
  const { bytes, capacity, processes } = view.columns;
  const count = view.sweep(2);
  const rowOf = (pid: number) => processes.pid.subarray(0, count).indexOf(pid);
  const reread = () => [0, 1].map((shard) => addon.rereadRows(view.root, bytes, capacity, count, shard, 2));
  const mine = [actors.pid(0), actors.pid(1), ...(actors.pids[2] ?? [])];
  const before = mine.map((pid) => renderRow(addon, view, rowOf(pid)));
  reread();
  reread();
  assert.equal(
    mine.map((pid) => renderRow(addon, view, rowOf(pid))),
    before,
  );
  assert.ok((Number(renderRow(addon, view, rowOf(actors.pid(1))).wrap) & WRAP.seccomp) !== 0);
  const ended = brief.pid(0);
  await brief.stop();
  reread();
  assert.is(processes.state[rowOf(ended)], 0);
  assert.is(processes.wrapState[rowOf(ended)], WRAP_STATE.notApplicable);
});

test('kept descriptors stay below half of the limit and are closed with their root', async () => {
  await using farm = await startActors(['farm=60']);
  assert.is(farm.pids[0]?.length, 60);
  const script = `
    const { readdirSync } = require('node:fs');
    const addon = require(process.argv[1]);
    const capacity = { processes: 65536, sockets: 0, holders: 0, text: 8 << 20 };
    const bytes = new Uint8Array(new SharedArrayBuffer(addon.layout(capacity).bytes));
    const open = () => readdirSync('/proc/self/fd').length;
    const root = addon.openRoot('/proc');
    const count = addon.listProcesses(root, bytes, capacity);
    addon.sweepShard(root, bytes, capacity, count, 0, 1);
    const before = open();
    const kept = [1, 3, 1, 2].map((shards) => {
      for (let shard = 0; shard < shards; shard++) addon.rereadRows(root, bytes, capacity, count, shard, shards);
      return open() - before;
    });
    addon.closeRoot(root);
    console.log(JSON.stringify({ kept, after: open() - before }));
  `;
  const file = fileURLToPath(new URL(`../../build/Release/desk_${addon.mark}.node`, import.meta.url));
  const command = 'ulimit -n 100 && exec "$0" -e "$1" "$2"';
  const output = execFileSync('sh', ['-c', command, process.execPath, script, file], { encoding: 'utf8' });
  const { kept, after } = JSON.parse(output) as { kept: number[]; after: number };
  assert.is(kept[0], 50);
  for (const one of kept) assert.ok(one >= 40 && one <= 50, String(one));
  assert.is(after, -1, 'the root itself is closed, too');
});

test.run();
