/** The process table that lasts: rows, totals and changes after each update equal those of a full sweep. */
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Columns } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Identities } from '../../src/engine/native/table-types.ts';
import { FACT, isRefusal, LOOKUP } from '../../src/engine/native/types.ts';
import { PROBE_GROUPS } from '../../src/engine/probes.ts';
import { isLong as long } from '../support/long-form.ts';
import { Look, ProcMachine } from '../support/proc-machine.ts';
import { type Row, renderRow } from './render.ts';

const test = suite('table');
const { addon } = loadNative();

const SELF = 11;
const OPTIONS = { self: SELF, groups: PROBE_GROUPS, programs: ['first', '/usr/bin/new-3'] };

/** With the columns that are derived, but for the look-ups. */
const rowsOf = (columns: Columns, count: number): Row[] =>
  Array.from({ length: count }, (_, row) => {
    const { own, traits } = columns.processes;
    return { ...renderRow(addon, { columns }, row), own: own[row], traits: traits[row] } as Row;
  });

const NO_IDENTITIES: Identities = { learned: new BigUint64Array(), lost: new BigUint64Array() };

/** The look-ups of a row by their definition. */
function lookupsOf(columns: Columns, count: number, row: number, { learned, lost }: Identities): number {
  const { pid, ppid, identity } = columns.processes;
  const parent = ppid[row] as number;
  const missing = parent !== 0 && !pid.subarray(0, count).includes(parent);
  const is = (set: BigUint64Array) => set.includes(identity[row] as bigint);
  return (
    (missing ? LOOKUP.parentMissing : 0) | (is(learned) ? LOOKUP.learned : 0) | (is(lost) ? LOOKUP.lost : 0)
  );
}

/** A table over an open root, with the two buffers that it brings up to date in turn. */
class Kept {
  readonly table = addon.makeTable(OPTIONS);
  readonly #view: Look;
  readonly #buffers: [Columns, Columns];
  readonly full: Columns;
  count: number;
  #identities = NO_IDENTITIES;

  constructor(view: Look) {
    this.#view = view;
    this.#buffers = [view.buffer(), view.buffer()];
    this.full = view.buffer();
    this.count = this.adopt();
  }

  get columns(): Columns {
    return this.#buffers[0];
  }

  /** The sets change. As between a sweep and its judgement: the buffer is looked up on its own, from which the table is ahead. */
  learn(identities: Identities): void {
    this.#identities = identities;
    addon.setIdentities(this.table, identities);
    addon.lookUp(this.columns.bytes, this.columns.capacity, this.count, identities);
  }

  adopt(): number {
    this.#buffers.reverse();
    const { bytes, capacity } = this.columns;
    this.count = addon.adoptRows(this.table, bytes, capacity, this.#view.sweep(1, this.columns));
    return this.count;
  }

  update(
    dirty: readonly number[],
    { most = 1024, besides = 'none' }: { most?: number; besides?: 'none' | 'listed' } = {},
  ) {
    this.#buffers.reverse();
    const { bytes, capacity } = this.columns;
    const options = { most, besides, sockets: true, bpf: false };
    const result = addon.updateRows(
      this.table,
      this.#view.root,
      bytes,
      capacity,
      Int32Array.from(dirty),
      options,
    );
    this.count = result.count;
    return result;
  }

  /** The same rows and totals as a sweep of everything has now; its rows. */
  check(): Row[] {
    const swept = this.#view.sweep(1, this.full);
    const { bytes, capacity } = this.full;
    const none = { listeners: 0, holders: 0, ephemeral: null, sightComplete: true };
    const tally = addon.derive(bytes, capacity, { ...OPTIONS, ...none, count: swept });
    const rows = rowsOf(this.full, swept).filter(({ state }) => state !== 0);
    assert.equal(rowsOf(this.columns, this.count), rows);
    assert.equal(addon.tallyOf(this.table), tally);
    return rows.map((row, at) => {
      const lookups = this.columns.processes.lookups[at];
      assert.is(lookups, lookupsOf(this.columns, this.count, at, this.#identities), `pid ${row.pid}`);
      return { ...row, lookups } as Row;
    });
  }

  [Symbol.dispose](): void {
    addon.freeTable(this.table);
  }
}

const text = (row: Row): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** Pids whose rows differ. */
function differing(some: readonly Row[], others: readonly Row[]): number[] {
  const before = new Map(some.map((row) => [row.pid, text(row)]));
  const now = new Map(others.map((row) => [row.pid, text(row)]));
  const pids = new Set([...before.keys(), ...now.keys()] as number[]);
  return [...pids].filter((pid) => before.get(pid) !== now.get(pid)).sort((a, b) => a - b);
}

test('random histories: what was updated equals a full sweep', () => {
  const pid = fc.integer({ min: 10, max: 24 });
  const kind = fc.constantFrom(
    ...['fork', 'fork', 'exec', 'exit', 'zombie', 'reap', 'confine', 'reuse'],
    ...['vanish', 'reparent', 'learn'],
  );
  const event = fc.record({ kind, pid, parent: pid, number: fc.nat({ max: 9 }) });
  const how = fc.constantFrom('update', 'update', 'update', 'update', 'list', 'lose', 'adopt');
  const round = fc.record({ events: fc.array(event, { maxLength: 5 }), how });
  const history = fc.array(round, { minLength: 1, maxLength: long ? 60 : 12, size: 'max' });
  let steps = 0;
  let read = 0;
  let rows = 0;
  let met = 0;
  fc.assert(
    fc.property(history, (rounds) => {
      using machine = new ProcMachine();
      machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
      for (const one of [10, SELF, 14, 20])
        machine.set({ pid: one, comm: 'first', ppid: 1, exe: '/bin/first' });
      using view = new Look(addon, machine.path, { processes: 64, sockets: 4, holders: 4, text: 1024 });
      using kept = new Kept(view);
      let shown = kept.check();
      addon.changedPids(kept.table);
      let born = 0n;
      for (const { events, how: reads } of rounds) {
        const dirty: number[] = [];
        const unknown: number[] = [];
        let learned = false;
        const living = (one: number) => machine.pids.includes(one) && machine.get(one).state !== 'Z';
        const orphan = (parent: number) => {
          for (const one of machine.pids) {
            // Reparenting sends no event.
            if (machine.get(one).ppid === parent) machine.set({ ...machine.get(one), ppid: 1 });
          }
        };
        const fork = (one: number, parent: number, number: number) => {
          const exe = number === 0 ? '/bin/gone (deleted)' : `/opt/app-${number}`;
          const ppid = living(parent) && parent !== one ? parent : 1;
          const cgroup = `0::/group-${number % 3}\n`;
          machine.set({ pid: one, comm: 'child', ppid, start: ++born, exe, cgroup, uid: number });
          (reads === 'list' ? unknown : dirty).push(one);
        };
        for (const { kind: what, pid: one, parent, number } of events) {
          if (what === 'fork' && !machine.pids.includes(one)) fork(one, parent, number);
          // Once a round: a row that changes and changes back counts as changed.
          if (what === 'learn' && !learned) {
            learned = true;
            const { identity } = kept.columns.processes;
            const some = (part: number) =>
              identity.slice(0, kept.count).filter((_, at) => (at + number) % 4 >= part);
            kept.learn({ learned: some(number % 4), lost: some(2) });
          }
          if (!machine.pids.includes(one)) continue;
          if (what === 'reap' && !living(one)) machine.remove(one);
          if (!living(one)) continue;
          if (what === 'exec') {
            machine.set({ ...machine.get(one), comm: `new-${number}`, exe: `/usr/bin/new-${number}` });
            dirty.push(one);
          } else if (what === 'confine') {
            machine.confine(one, { seccomp: number % 3 });
            dirty.push(one, one);
          } else if (what === 'reparent') {
            machine.set({ ...machine.get(one), ppid: number % 3 === 0 ? 0 : parent });
            dirty.push(one);
          } else if (what === 'exit' || what === 'zombie' || what === 'reuse' || what === 'vanish') {
            // The children of one that vanishes still name it.
            if (what !== 'vanish') orphan(one);
            if (what === 'zombie') machine.set({ ...machine.get(one), state: 'Z' });
            else machine.remove(one);
            dirty.push(-one);
            if (what === 'reuse') fork(one, parent, number);
          }
        }
        if (reads === 'adopt' || reads === 'lose') kept.adopt();
        else {
          const result = kept.update(dirty, { besides: reads === 'list' ? 'listed' : 'none' });
          assert.ok(result.done && result.fits);
          read += result.read;
        }
        const before = shown;
        shown = kept.check();
        assert.equal([...addon.changedPids(kept.table)], differing(before, shown));
        steps++;
        rows += shown.length;
        for (const { lookups } of shown) met |= lookups as number;
      }
    }),
    { numRuns: long ? 4000 : 90 },
  );
  assert.ok(steps > 300 && read < rows, 'most rows are kept, not read');
  assert.is(met, LOOKUP.parentMissing | LOOKUP.learned | LOOKUP.lost, 'every look-up had a positive answer');
  if (long) assert.ok(steps >= 100_000, String(steps));
});

test('look-ups follow parents that come and go, and sets that change, in both buffers', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  machine.set({ pid: 20, comm: 'child', ppid: 30, exe: '/bin/child' });
  machine.set({ pid: 21, comm: 'self', ppid: 21, exe: '/bin/child' });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  const { parentMissing, learned, lost } = LOOKUP;
  const shown = (pid: number) => kept.check().find((row) => row.pid === pid)?.lookups;
  const changed = () => [...addon.changedPids(kept.table)];
  const identity = kept.columns.processes.identity.slice(0, kept.count);
  const child = identity[kept.columns.processes.pid.indexOf(20)] as bigint;
  changed();
  assert.is(shown(20), parentMissing);
  assert.is(shown(21), 0, 'its own parent');
  machine.set({ pid: 30, comm: 'late', ppid: 1, exe: '/bin/late' });
  kept.update([30]);
  assert.equal(changed(), [20, 30], 'a parent that comes after its child');
  assert.is(shown(20), 0);
  kept.update([]);
  assert.is(shown(20), 0, 'the other buffer');
  machine.remove(30);
  machine.set({ pid: 30, comm: 'other', ppid: 1, start: 99n, exe: '/bin/other' });
  kept.update([-30, 30]);
  assert.equal(changed(), [30], 'another process with the pid is as good a parent');
  assert.is(shown(20), 0);
  machine.remove(30);
  machine.set({ pid: 31, comm: 'new', ppid: 30, exe: '/bin/child' });
  kept.update([31, -30]);
  assert.equal(changed(), [20, 30, 31]);
  assert.is(shown(31), parentMissing, 'a parent that vanished as its child came');
  kept.learn({ learned: BigUint64Array.of(child), lost: new BigUint64Array() });
  assert.equal(changed(), [20, 21, 31]);
  assert.is(shown(20), parentMissing | learned);
  kept.update([]);
  assert.is(shown(20), parentMissing | learned, 'the other buffer');
  kept.learn({ learned: new BigUint64Array(), lost: identity });
  assert.is(shown(21), lost);
  kept.adopt();
  assert.is(shown(21), lost, 'sets outlast a whole generation');
  machine.set({ ...machine.get(20), ppid: 0 });
  kept.update([20]);
  assert.is(shown(20), lost, 'parent 0 is outside the namespace');
});

test('only what has changed is read', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  for (let pid = 10; pid < 60; pid++) machine.set({ pid, comm: 'x', ppid: pid === 50 ? 40 : 1 });
  machine.set({ pid: 70, comm: 'dead', state: 'Z' });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  const { count } = kept;
  const read = (...dirty: number[]) => kept.update(dirty).read;
  assert.is(read(), 1, 'the zombie');
  assert.is(read(20, 21), 3);
  assert.is(read(-40), 3, 'its child may have another parent');
  assert.is(read(-999), 1, 'one that came and went');
  machine.remove(40);
  const result = kept.update([40]);
  assert.equal([result.read, result.count], [3, count - 1], 'an end without an event');
  assert.is(read(999, 0, -0x8000_0000), 2);
  assert.equal(kept.update([20, 21], { most: 2 }).done, false, 'the zombie is one too many');
});

test('a process that could not be read and now can may hold any socket', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  machine.set({ pid: 10, comm: 'parent' });
  machine.set({ pid: 20, comm: 'child', ppid: 10 });
  const stat = join(machine.path, '20/stat');
  rmSync(stat);
  symlinkSync('stat', stat);
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  kept.update([]);
  rmSync(stat);
  machine.set({ pid: 20, comm: 'child', ppid: 10 });
  assert.ok(kept.update([20]).ownersDue);
  assert.not(kept.update([20]).ownersDue);
});

test('a pid that another process has taken between two updates: the children of the first have another parent', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  machine.set({ pid: 10, comm: 'first', start: 1n });
  machine.set({ pid: 20, comm: 'child', ppid: 10 });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  machine.set({ pid: 10, comm: 'second', start: 2n });
  machine.set({ pid: 20, comm: 'child', ppid: 1 });
  // Only the last event of a pid is reported, the birth.
  assert.is(kept.update([10]).read, 2);
  kept.check();
  // The new process may have inherited the sockets of its parent.
  const { bytes, capacity, holders } = kept.columns;
  holders.inode[0] = 900;
  holders.pid[0] = 20;
  holders.fd[0] = 3;
  const none = { listeners: 0, connections: 0, ephemeral: null, sightComplete: true };
  addon.joinSockets(kept.table, bytes, capacity, { ...none, holders: 1 });
  assert.not(kept.update([10]).ownersDue);
  machine.set({ pid: 10, comm: 'third', start: 3n, ppid: 20 });
  assert.ok(kept.update([10]).ownersDue);
});

test('the pid of a process that the table never had, which another one has now: its children have another parent', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  machine.set({ pid: 20, comm: 'child', ppid: 10 });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  machine.set({ pid: 10, comm: 'second', start: 2n });
  machine.set({ pid: 20, comm: 'child', ppid: 1 });
  assert.is(kept.update([10]).read, 2);
  kept.check();
  assert.is(kept.update([10]).read, 1, 'it is known now');
});

test('sockets may be inherited from a holder, from what is as new, and from what has ended', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  machine.set({ pid: 50, comm: 'holder' });
  machine.set({ pid: 51, comm: 'other', ppid: 50 });
  machine.set({ pid: 52, comm: 'adopter' });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  const { bytes, capacity, holders } = kept.columns;
  holders.inode[0] = 900;
  holders.pid[0] = 50;
  holders.fd[0] = 3;
  const none = { listeners: 0, connections: 0, ephemeral: null, sightComplete: true };
  addon.joinSockets(kept.table, bytes, capacity, { ...none, holders: 1 });
  kept.update([]);
  const due = (pid: number, ppid: number, comm = 'a') => {
    machine.set({ pid, comm, ppid });
    return kept.update([pid]).ownersDue;
  };
  assert.not(due(60, 51), 'its parent holds nothing');
  assert.ok(due(61, 50), 'its parent is the holder');
  assert.not(due(61, 50), 'nothing about it has changed');
  assert.ok(due(61, 50, 'b'), 'it may run another program');
  assert.ok(due(62, 1), 'its parent may have ended');
  machine.set({ pid: 71, comm: 'a', ppid: 72 });
  machine.set({ pid: 72, comm: 'a', ppid: 51 });
  assert.ok(kept.update([71, 72]).ownersDue, 'its parent is as new');
  assert.not(due(80, 52), 'it receives no children of others, as far as is known');
  assert.not(due(60, 52), 'one that is known');
  assert.ok(due(81, 52), 'it has received one');
});

test('what does not fit requests a whole generation', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  using view = new Look(addon, machine.path, { processes: 3, sockets: 0, holders: 0, text: 64 });
  using kept = new Kept(view);
  machine.set({ pid: 10, comm: 'a', exe: '/a' });
  assert.ok(kept.update([10]).done);
  for (let name = 0; name < 20; name++) {
    machine.set({ pid: 10, comm: 'a', exe: `/${name}${'b'.repeat(10)}` });
    assert.ok(kept.update([10]).done, 'texts of the past make room');
    kept.check();
  }
  machine.set({ pid: 10, comm: 'a', exe: `/${'a'.repeat(80)}` });
  assert.equal([kept.update([10]).done, kept.update([10]).fits], [false, false], 'no room for its text');
  machine.set({ pid: 10, comm: 'a', exe: '/a' });
  kept.adopt();
  kept.check();
  machine.set({ pid: 11, comm: 'b', exe: '/b' });
  const { done, fits } = kept.update([11]);
  assert.equal([done, fits], [false, false], 'no room for its row');
});

test('offsets outside the arena are not followed', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  const { columns } = kept;
  columns.processes.exeOffset[0] = 0xffff_fff0;
  addon.adoptRows(kept.table, columns.bytes, columns.capacity, kept.count);
  kept.update([]);
  assert.is(kept.columns.processes.exeLength[0], 0);
});

test('a buffer of another capacity is refused', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  const other = view.buffer({ ...view.columns.capacity, text: 64 });
  const none = new Int32Array();
  const options = { most: 1, besides: 'none', sockets: true, bpf: false } as const;
  assert.throws(
    () => addon.updateRows(kept.table, view.root, other.bytes, other.capacity, none, options),
    /capacity/,
  );
  assert.throws(() => addon.tallyOf(12_345_678), /table/);
});

test('a thread id is not a process, even in a dirty list', () => {
  const tid = Number(readdirSync('/proc/self/task').find((id) => Number(id) !== process.pid));
  using view = new Look(addon, '/proc', { processes: 65_536, sockets: 0, holders: 0, text: 8 << 20 });
  using kept = new Kept(view);
  const pids = () => kept.columns.processes.pid.subarray(0, kept.count);
  assert.not.ok(pids().includes(tid));
  assert.ok(kept.update([tid, process.pid]).done);
  assert.not.ok(pids().includes(tid));
  assert.ok(pids().includes(process.pid));
});

test('facts about descriptors stay while a process does, and are counted', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0, exe: '/sbin/init' });
  machine.set({ pid: 10, comm: 'x', exe: '/x' });
  using view = new Look(addon, machine.path);
  using kept = new Kept(view);
  const { bytes, capacity, processes } = kept.columns;
  addon.changedPids(kept.table);
  const row = processes.pid.indexOf(10);
  processes.refused[row] = (processes.refused[row] as number) | FACT.descriptors;
  const join = { listeners: 0, connections: 0, holders: 0, ephemeral: null, sightComplete: true };
  addon.joinSockets(kept.table, bytes, capacity, join);
  assert.equal([...addon.changedPids(kept.table)], [10]);
  assert.is(addon.tallyOf(kept.table).descriptorsBlind, 1);
  machine.confine(10, { seccomp: 2 });
  kept.update([10]);
  assert.ok(((kept.columns.processes.refused[row] as number) & FACT.descriptors) !== 0);
  machine.set({ pid: 10, comm: 'x', exe: '/x', start: 99n });
  kept.update([10]);
  assert.is(addon.tallyOf(kept.table).descriptorsBlind, 0, 'another process');
  assert.not.ok(isRefusal(addon.tallyOf(kept.table)));
});

test.run();
