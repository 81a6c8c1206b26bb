/**
 * Random histories of a machine: what a recheck of changes shows equals a full sweep of the same moment, but for the stated
 * staleness (docs/engine.md). The time is the model's. `DESK_LONG=1`: at least 100,000 steps.
 */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECKS } from '../../src/checks/index.ts';
import { Judge } from '../../src/checks/judge.ts';
import type { Verdicts } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import { assemble, type Before, type RawSweep } from '../../src/engine/assemble.ts';
import { Batch } from '../../src/engine/batch.ts';
import { EVERY_MS } from '../../src/engine/bounds.ts';
import { Buffers } from '../../src/engine/buffers.ts';
import { Collector } from '../../src/engine/collector.ts';
import type { Changes } from '../../src/engine/events.ts';
import { LOOKUP } from '../../src/engine/native/batch-types.ts';
import { type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Tally } from '../../src/engine/native/table-types.ts';
import {
  type Capacity,
  FACT,
  type Layout,
  type NativeAddon,
  type ProcessColumns,
} from '../../src/engine/native/types.ts';
import type { TaskPool } from '../../src/engine/pool.ts';
import { PROBE_GROUPS } from '../../src/engine/probes.ts';
import { tableOver } from '../../src/engine/process-table.ts';
import type { Listener, Snapshot } from '../../src/engine/snapshot.ts';
import { perform } from '../../src/engine/tasks.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { hashText, runInline } from '../support/judge.ts';
import { isLong as long, tellFigure } from '../support/long-form.ts';
import { ACT_KINDS, type Act, DESK, ModelMachine, PIDS } from '../support/model-machine.ts';

const test = suite('histories');
const { addon } = loadNative();

const OPTIONS = { self: DESK, groups: PROBE_GROUPS, programs: ['first', '/usr/bin/new-3'] };
/** Outgrown by an ordinary history. */
const CAPACITY = { processes: 12, sockets: 4, holders: 4, text: 500 };
const EPHEMERAL = [4000, 7000] as const;
/** A judge that has judged nothing before costs as much as many steps. */
const JUDGED_EVERY = long ? 16 : 8;

/** The clock that the engine reads while a history runs. */
let nowMs = 0;
const realNow = performance.now.bind(performance);
test.before(() => {
  performance.now = () => nowMs;
});
test.after(() => {
  performance.now = realNow;
});

interface Step {
  readonly acts: readonly Act[];
  readonly passedMs: number;
  /** Everything is read, as after events that are known to be lost. */
  readonly resync: boolean;
}

/** A collector over the files of a machine, with the sockets of the model. */
class Sweeps {
  readonly buffers = new Buffers(addon, CAPACITY);
  readonly root: number;
  /** The last fill has read everything. */
  full = false;
  readonly #model: ModelMachine;
  readonly #native: NativeAddon;
  readonly #collector: Collector;
  readonly #pool: TaskPool;
  #rereads: { readonly root: number; readonly removals: number } | null = null;
  before: Before | null = null;

  constructor(model: ModelMachine) {
    this.#model = model;
    this.root = addon.openRoot(model.files.path) as number;
    addon.reference(this.root);
    this.#native = {
      ...addon,
      listSockets: (bytes, capacity) => this.#list(bytes, capacity),
      ownersCollect: (root, bytes, capacity, count, listeners, connections, _, ...likely) =>
        addon.ownersCollect(root, bytes, capacity, count, listeners, connections, nowMs, ...likely),
      sweepShard: (...shard) => {
        this.full = true;
        return addon.sweepShard(...shard);
      },
      rereadRows: (_, ...shard) => addon.rereadRows(this.#rootOfRereads(), ...shard),
    };
    this.#pool = {
      workers: 1,
      run: async (task, ...args) => perform(this.#native, task, args),
      close: async () => {},
    };
    const backend = { backend: 'procfs', reason: 'a fixture' } as const;
    this.#collector = new Collector(this.#native, this.buffers, backend, OPTIONS);
  }

  async sweep(changes: Changes | null): Promise<{ raw: RawSweep; snapshot: Snapshot }> {
    this.full = false;
    const raw = await this.#collector.fill(this.#pool, {
      root: this.root,
      changes,
      sockets: { connections: false, deskPids: null },
      ephemeral: EPHEMERAL,
      sight: () => true,
      current: () => true,
    });
    const parts = {
      ...raw,
      generation: (this.before?.snapshot.generation ?? 0) + 1,
      epochMs: nowMs,
      startedMs: nowMs,
      machine: {
        ...{
          readAtMs: 0,
          tcpActiveOpens: 0,
          tcpPassiveOpens: 0,
          clockTicksPerSecond: 100,
          uptimeSec: 100_000,
        },
        ...{ ephemeralLow: EPHEMERAL[0], ephemeralHigh: EPHEMERAL[1], refusals: [] },
        ...{ sensors: null, captures: null },
      },
      host: { errno: 2, code: 'ENOENT', source: 'host' },
      fates: new Map(),
      programs: OPTIONS.programs,
      earlier: { connections: [], refusals: [], ageMs: 0 },
      rootPath: this.#model.files.path,
      engine: {
        ...({
          backend: 'procfs',
          backendReason: 'a fixture',
          mark: 'x86_64',
          build: '',
          buildPath: '',
        } as const),
        ...{ workers: 1, reference: 'pid 2', referenceCapabilities: '1ffffffffff', euid: 0 },
      },
    } as const;
    const snapshot = assemble(parts, this.before);
    this.before = { parts, snapshot };
    this.buffers.swap();
    this.#collector.keep(raw, this.root);
    return { raw, snapshot };
  }

  lookUp(...sought: Parameters<Collector['lookUp']>): void {
    this.#collector.lookUp(...sought);
  }

  [Symbol.dispose](): void {
    this.#collector.close();
    addon.closeRoot(this.root);
    if (this.#rereads !== null) addon.closeRoot(this.#rereads.root);
  }

  /** Open files of ended processes can be read on in an ordinary folder, not in /proc: they are closed. */
  #rootOfRereads(): number {
    const { removals } = this.#model;
    if (this.#rereads?.removals !== removals) {
      if (this.#rereads !== null) addon.closeRoot(this.#rereads.root);
      const root = addon.openRoot(this.#model.files.path) as number;
      addon.reference(root);
      this.#rereads = { root, removals };
    }
    return this.#rereads.root;
  }

  #list(bytes: Uint8Array, capacity: Capacity) {
    const { listeners: to } = columnsOver(bytes.buffer as SharedArrayBuffer, layoutOf(capacity), capacity);
    const sockets = [...this.#model.sockets.values()];
    for (const [row, { inode, port, udp, loopback, uid }] of sockets.slice(0, capacity.sockets).entries()) {
      to.family[row] = 4;
      to.protocol[row] = udp ? 17 : 6;
      to.address.fill(0, 16 * row, 16 * row + 16).set(loopback ? [127, 0, 0, 1] : [], 16 * row);
      to.port[row] = port;
      to.inode[row] = inode;
      to.uid[row] = uid;
      to.v6only[row] = 0;
    }
    return { listeners: sockets.length, connections: 0, refusals: [] };
  }
}

const layouts = new Map<string, Layout>();
function layoutOf(capacity: Capacity): Layout {
  const key = Object.values(capacity).join();
  const known = layouts.get(key) ?? addon.layout(capacity);
  layouts.set(key, known);
  return known;
}

const OF_TEXTS = ['exeOffset', 'exeLength', 'cgroupOffset', 'cgroupLength', 'identity', 'traits'];
const MASKED = ['comm', 'own', 'lookups', 'seen', 'refused'];
const TEXT_FACTS = FACT.exe | FACT.cgroup;
const ROWS = addon.layout(CAPACITY).processes.map(({ name }) => name as keyof ProcessColumns);
const PLAIN = ROWS.filter((name) => !OF_TEXTS.includes(name) && !MASKED.includes(name));

type Numbers = ArrayLike<number | bigint>;

/** One generation as it was when it was published. */
class Shown {
  readonly count: number;
  readonly columns: Columns;
  /** Columns `PLAIN`. */
  readonly plain: readonly ProcessColumns[keyof ProcessColumns][];
  readonly #rows = new Map<number, number>();

  constructor({ columns: { bytes, capacity }, count }: Pick<RawSweep, 'columns' | 'count'>) {
    this.count = count;
    const copy = new SharedArrayBuffer(bytes.length);
    new Uint8Array(copy).set(bytes);
    this.columns = columnsOver(copy, layoutOf(capacity), capacity);
    this.plain = PLAIN.map((name) => this.columns.processes[name]);
    const { pid } = this.columns.processes;
    for (let row = 0; row < count; row++) this.#rows.set(pid[row] as number, row);
  }

  get pids(): Iterable<number> {
    return this.#rows.keys();
  }

  /** -1: none. */
  rowOf(pid: number): number {
    return this.#rows.get(pid) ?? -1;
  }

  text(what: 'exe' | 'cgroup', row: number): string {
    const { processes, text } = this.columns;
    const from = processes[`${what}Offset`][row] as number;
    return Buffer.from(text.subarray(from, from + (processes[`${what}Length`][row] as number))).toString(
      'latin1',
    );
  }

  get table() {
    return tableOver(this.columns.processes, this.columns.text, this.count);
  }
}

/** The first fact that differs between two rows of a process; '' when none does. Without texts and what follows from them. */
function factsDiffer(some: Shown, one: number, others: Shown, other: number, masked: number): string {
  const [a, b] = [some.columns.processes, others.columns.processes];
  for (let at = 0; at < PLAIN.length; at++)
    if (some.plain[at]?.[one] !== others.plain[at]?.[other]) return PLAIN[at] as string;
  for (const name of ['seen', 'refused'] as const)
    if (((a[name][one] as number) & ~masked) !== ((b[name][other] as number) & ~masked)) return name;
  for (let at = 0; at < 16; at++) if (a.comm[one * 16 + at] !== b.comm[other * 16 + at]) return 'comm';
  return '';
}

function textsDiffer(some: Shown, one: number, others: Shown, other: number): string {
  const [a, b] = [some.columns.processes, others.columns.processes];
  for (const what of ['exe', 'cgroup'] as const)
    if (some.text(what, one) !== others.text(what, other)) return what;
  return a.identity[one] !== b.identity[other]
    ? 'identity'
    : a.traits[one] !== b.traits[other]
      ? 'traits'
      : '';
}

/** The first column in which two rows differ at all. */
const rowsDiffer = (some: Shown, one: number, others: Shown, other: number): string =>
  factsDiffer(some, one, others, other, 0) ||
  textsDiffer(some, one, others, other) ||
  (['own', 'lookups'] as const).find(
    (name) => some.columns.processes[name][one] !== others.columns.processes[name][other],
  ) ||
  '';

/** What of a process may not differ from the full sweep and does; '' when all is well. */
function wrongAbout(pid: number, { stale }: ModelMachine, now: Shown, full: Shown, before: Shown): string {
  const [row, right, old] = [now.rowOf(pid), full.rowOf(pid), before.rowOf(pid)];
  const { descriptors } = FACT;
  const same = (that: Shown, at: number, masked: number) =>
    row < 0 || at < 0
      ? row === at
      : factsDiffer(now, row, that, at, masked) === '' && textsDiffer(now, row, that, at) === '';
  if (same(full, right, descriptors)) return '';
  // As it was: what refused it was may change with every walk.
  if (stale.rows.has(pid)) return same(before, old, descriptors) ? '' : 'neither as it was nor as it is';
  if (row < 0 || right < 0) return row < 0 ? 'is missing' : 'is gone';
  if (!stale.texts.has(pid)) {
    return factsDiffer(now, row, full, right, descriptors) || textsDiffer(now, row, full, right);
  }
  const facts = factsDiffer(now, row, full, right, descriptors | TEXT_FACTS);
  if (facts !== '' || old < 0) return facts;
  const asBefore = (what: 'exe' | 'cgroup') => [full.text(what, right), before.text(what, old)];
  return (['exe', 'cgroup'] as const).find((what) => !asBefore(what).includes(now.text(what, row))) ?? '';
}

/** Processes whose control group did not answer within half a second, on a busy machine: nothing of the model's. */
function timedOut({ columns: { processes }, count }: RawSweep, { hidden }: ModelMachine): number[] {
  const rows = Array.from({ length: count }, (_, row) => row);
  const refused = rows.filter((row) => ((processes.refused[row] as number) & FACT.cgroup) !== 0);
  return refused.map((row) => processes.pid[row] as number).filter((pid) => !hidden.has(pid));
}

/** A history that is compared after each step. */
class History {
  readonly model = new ModelMachine();
  readonly #sweeps = new Sweeps(this.model);
  readonly #judge = new Judge(CHECKS, LAW, KNOWN, hashText);
  readonly #batch = new Batch(addon, undefined, (...sought) => this.#sweeps.lookUp(...sought));
  #shown: Shown | null = null;
  #last: RawSweep | null = null;
  /** The buffer of the last generation after it was judged, which writes what its rows are looked up by. */
  #judgedBytes: Buffer | null = null;
  #fullAtMs = Number.NEGATIVE_INFINITY;
  #searchedAtMs = Number.NEGATIVE_INFINITY;
  steps = 0;

  [Symbol.dispose](): void {
    this.#sweeps[Symbol.dispose]();
    this.#batch.close();
    this.model[Symbol.dispose]();
  }

  async step({ acts, passedMs, resync }: Step): Promise<void> {
    const { model } = this;
    for (const act of acts) model.act(act);
    const reported = model.take(passedMs);
    nowMs = model.nowMs;
    const { dirty, listeners, all } = reported;
    const whole = resync || this.#shown === null;
    // Without an event there is no recheck.
    if (!whole && dirty.length === 0 && !listeners && !all) return;
    const some = { resync: false, connections: false, broken: false, oldestUs: 0 };
    const changes = whole ? null : { ...some, ...reported, dirty: Int32Array.from(dirty) };
    const previous = this.#last;
    const { raw, snapshot } = await this.#sweeps.sweep(changes);
    this.#isRead({ whole, all, listeners });
    for (const pid of timedOut(raw, model)) {
      model.stale.rows.add(pid);
      model.stale.texts.add(pid);
    }
    using reference = new Sweeps(model);
    let full = await reference.sweep(null);
    while (timedOut(full.raw, model).length > 0) full = await reference.sweep(null);
    this.#compare(raw, snapshot, full, previous);
    this.#judged(snapshot, this.steps % JUDGED_EVERY === 0);
    this.#judgedBytes = Buffer.from(raw.columns.bytes);
    this.steps++;
  }

  /** What was read now is not stale any more. */
  #isRead({ whole, all, listeners }: { whole: boolean; all: boolean; listeners: boolean }): void {
    const { stale } = this.model;
    const { full } = this.#sweeps;
    if (whole || (all && nowMs - this.#fullAtMs >= EVERY_MS.texts))
      assert.ok(full, 'the texts are read again');
    if (full) {
      this.#fullAtMs = nowMs;
      stale.texts.clear();
    }
    if (full || all) stale.rows.clear();
    if (whole || all || listeners) stale.listed(nowMs);
    if ((whole || all) && nowMs - this.#searchedAtMs >= EVERY_MS.refresh) {
      this.#searchedAtMs = nowMs;
      stale.holders.clear();
    }
  }

  #compare(
    raw: RawSweep,
    snapshot: Snapshot,
    full: Awaited<ReturnType<Sweeps['sweep']>>,
    last: RawSweep | null,
  ) {
    const before = this.#shown;
    if (last !== null && this.#judgedBytes !== null) {
      const kept = Buffer.compare(last.columns.bytes, this.#judgedBytes) === 0;
      assert.ok(kept, 'the generation before is not written to');
    }
    const now = new Shown(raw);
    const right = new Shown(full.raw);
    for (const pid of new Set([...now.pids, ...right.pids])) {
      const wrong = wrongAbout(pid, this.model, now, right, before ?? now);
      if (wrong !== '') throw new Error(`pid ${pid}: ${wrong}`);
    }
    this.#derived(now, raw);
    if (before !== null) this.#delta(now, before, raw, last);
    this.#listeners(snapshot.listeners, full.snapshot.listeners, now);
    this.#shown = now;
    this.#last = raw;
  }

  /** Derived columns and totals are those of the rows shown. */
  #derived(now: Shown, raw: RawSweep): void {
    const copy = new Shown({ columns: now.columns, count: now.count });
    const { processes, bytes, capacity } = copy.columns;
    processes.traits.fill(0xffff);
    processes.own.fill(0xff);
    const joined = {
      listeners: raw.tally.listeners,
      holders: raw.owners?.holders ?? 0,
      ephemeral: EPHEMERAL,
      sightComplete: raw.owners?.covered === true,
    };
    const tally = addon.derive(bytes, capacity, { ...OPTIONS, ...joined, count: now.count });
    equal('totals', numbers(raw.tally), numbers(tally));
    const same = (name: string, shown: Numbers, right: Numbers, rows: number) => {
      for (let row = 0; row < rows; row++)
        if (shown[row] !== right[row])
          throw new Error(`row ${row}: ${name} is ${shown[row]}, not ${right[row]}`);
    };
    const { processes: shownRows, listeners: shown } = now.columns;
    for (const name of ['traits', 'own'] as const) same(name, shownRows[name], processes[name], now.count);
    this.#lookedUp(now);
    for (const name of ['scope', 'owner', 'own', 'service', 'key'] as const)
      same(`listener ${name}`, shown[name], copy.columns.listeners[name], raw.tally.listeners);
  }

  /** Parents and identities are looked up in the table shown, once the judge has named the learned ones. */
  #lookedUp(now: Shown): void {
    const { ppid, identity, lookups } = now.columns.processes;
    for (let row = 0; row < now.count; row++) {
      const parent = ppid[row] as number;
      const missing = parent !== 0 && now.rowOf(parent) < 0;
      const learned = this.steps > 0 && KNOWN.identities.has(identity[row] as bigint);
      const right = (missing ? LOOKUP.parentMissing : 0) | (learned ? LOOKUP.learned : 0);
      equal(`row ${row}: lookups`, lookups[row], right);
    }
  }

  #delta(now: Shown, before: Shown, { delta, columns }: RawSweep, last: RawSweep | null): void {
    assert.ok(delta !== null);
    const differing = [...new Set([...now.pids, ...before.pids])]
      .filter((pid) => {
        const [one, other] = [now.rowOf(pid), before.rowOf(pid)];
        return one < 0 || other < 0 || rowsDiffer(now, one, before, other) !== '';
      })
      .sort((a, b) => a - b);
    // What did not fit was written twice.
    if (last?.columns.capacity === columns.capacity) equal('delta', [...delta.pids], differing);
    else assert.ok(differing.every((pid) => delta.pids.includes(pid)));
  }

  #listeners(shown: readonly Listener[], right: readonly Listener[], now: Shown): void {
    const { stale } = this.model;
    if (stale.sockets) return;
    const inodes = (list: readonly Listener[]) => list.map(({ inode }) => inode);
    equal('listeners', inodes(shown), inodes(right));
    for (const [at, one] of shown.entries()) {
      const other = right[at] as Listener;
      const { inode } = one;
      const holders = [...one.holders, ...other.holders];
      const unsure =
        stale.closed.has(inode) ||
        stale.holders.has(inode) ||
        stale.earlier.has(inode) ||
        holders.some(({ pid }) => stale.rows.has(pid) || stale.texts.has(pid) || now.rowOf(pid) < 0);
      if (unsure) {
        const { holders: _, owner: __, executable: ___, ...rest } = one;
        const { holders: a, owner: b, executable: c, ...others } = other;
        equal('listener', rest, others);
      } else equal('listener and holders', one, other);
    }
  }

  #judged(snapshot: Snapshot, compared: boolean): void {
    const context = { snapshot, law: LAW, known: KNOWN };
    const rows = {
      columns: snapshot.columns,
      processes: snapshot.processes.count,
      listeners: snapshot.listeners.length,
    };
    const kept = this.#judge.verdicts(
      context,
      this.#batch.runInline(this.#judge.jobs(snapshot), rows).answers,
    );
    if (!compared) return;
    const judge = new Judge(CHECKS, LAW, KNOWN, hashText);
    const fresh = judge.verdicts(context, runInline(judge.jobs(snapshot), snapshot).answers);
    equal('verdicts', plain(kept), plain(fresh));
  }
}

/** With both sides in the message: it is all that is reported of a history. */
function equal(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

const LAW = lawOf(configSchema.parse({}));
const KNOWN = {
  identities: new Set(['/usr/bin/first', '/usr/bin/new-1', '/usr/bin/new-2'].map(hashText)),
  listeners: new Set<string>(),
  classes: new Set<string>(),
};

/** Typed arrays as lists. */
const numbers = ({ deleted, own, programs, ...rest }: Tally) => ({
  ...rest,
  deleted: [...deleted],
  own: [...own],
  programs: programs.map((pids) => [...pids]),
});

const plain = ({ hidden: _, fails, ...verdicts }: Verdicts) => ({
  ...verdicts,
  fails: fails.map(({ check, ...fail }) => ({ ...fail, check: check.id })),
});

const pid = fc.integer(PIDS);
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...ACT_KINDS),
  pid,
  other: pid,
  number: fc.nat({ max: 9 }),
  lost: fc.nat({ max: 11 }).map((one) => one === 11),
});
const step: fc.Arbitrary<Step> = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 5, size: 'max' }),
  passedMs: fc.constantFrom(1, 1, 1, 1, 4, 4, 20, 20, 120, 1200, 6000, 31_000, 61_000),
  resync: fc.nat({ max: 24 }).map((one) => one === 24),
});

type Recorded = readonly [kind: Act['kind'], pid: number, rest?: Partial<Act>];

function after(passedMs: number, ...acts: readonly Recorded[]): Step {
  const whole = acts.map(([kind, pid, rest]) => ({ kind, pid, other: 10, number: 0, lost: false, ...rest }));
  return { acts: whole, passedMs, resync: false };
}

/** Failed once. */
const FAILED: Readonly<Record<string, readonly Step[]>> = {
  'a holder is hidden and shown again': [
    after(1, ['fork', 28]),
    after(1, ['listen', 28], ['fork', 10]),
    after(1, ['hide', 28, { number: 3 }]),
    after(20, ['fork', 10]),
    after(1, ['rename', 28]),
  ],
  'the child of a holder that hides its descriptors': [
    after(1, ['fork', 18], ['fork', 10]),
    after(1, ['listen', 18], ['fork', 10]),
    after(61_000, ['hide', 18, { number: 3 }]),
    after(1, ['fork', 12, { other: 18 }]),
    after(1, ['fork', 10]),
  ],
  'a second child of a holder that hides its descriptors': [
    after(1, ['fork', 26], ['fork', 10]),
    after(1, ['listen', 26]),
    after(1, ['hide', 26, { number: 8 }], ['fork', 10]),
    after(1, ['fork', 12, { other: 26 }], ['fork', 10]),
    after(120, ['fork', 10]),
    after(1, ['fork', 13, { other: 26 }], ['fork', 10]),
    after(1, ['fork', 10]),
  ],
  'the child of the holder of a socket whose event was lost': [
    after(1, ['fork', 17], ['fork', 10]),
    after(6000, ['fork', 10]),
    after(1, ['listen', 17, { lost: true }]),
    after(1, ['fork', 12, { other: 17 }], ['fork', 10]),
    after(6000, ['fork', 10]),
    after(6000, ['fork', 10]),
  ],
  'the child of a process whose birth was lost, when another process gets its pid': [
    after(1, ['fork', 10]),
    after(1, ['fork', 14, { lost: true }]),
    after(1, ['fork', 12, { other: 14 }]),
    after(1, ['reuse', 14]),
  ],
  'a holder that could not be read is shown again, while another process is still hidden': [
    after(1, ['fork', 23]),
    after(1, ['listen', 23], ['fork', 10]),
    after(1, ['fork', 28], ['hide', 28, { number: 3 }], ['hide', 23, { number: 3 }]),
    after(6000, ['fork', 10]),
    after(1, ['trace', 23]),
  ],
};

for (const [name, steps] of Object.entries(FAILED))
  test(name, async () => {
    using run = new History();
    for (const one of steps) await run.step(one);
  });

test('after each step of a random history the changes give what a full sweep gives', async () => {
  const history = fc.array(step, { minLength: 1, maxLength: long ? 150 : 40, size: 'max' });
  let compared = 0;
  try {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        using run = new History();
        for (const [at, one] of steps.entries()) {
          try {
            await run.step(one);
          } catch (error) {
            const done = steps
              .slice(0, at + 1)
              .map((one) => JSON.stringify(one))
              .join('\n');
            throw new Error(`step ${at}: ${(error as Error).message}\n${done}`, { cause: error });
          }
        }
        compared += run.steps;
      }),
      { numRuns: long ? 2200 : 200, includeErrorInReport: true, unbiased: true },
    );
  } finally {
    tellFigure('steps compared', compared);
  }
  assert.ok(compared >= (long ? 100_000 : 2000), `${compared} steps`);
});

test.run();
