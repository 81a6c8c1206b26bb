/** Rows that are read again in place equal those of a full sweep. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Columns } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { FACT, WRAP, WRAP_STATE } from '../../src/engine/native/types.ts';
import { startActors } from '../support/actor.ts';
import { Look, ProcMachine } from '../support/proc-machine.ts';
import { type Row, renderRow } from './render.ts';

const test = suite('reread');
const { addon } = loadNative();

const rowsOf = (columns: Columns, count: number): Row[] =>
  Array.from({ length: count }, (_, row) => renderRow(addon, { columns }, row));

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
