/**
 * Random sequences of events: the desk observes, learns, cooks, is killed during a write, restarts. A model made of plain sets
 * says what must be held after each step. The long form runs twenty times as many sequences.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../../src/base/desk-error.ts';
import type { Severity } from '../../../src/policy/severity.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { expect } from '../../support/expect.ts';
import { Learner, MINUTE_MS, overStore } from '../../support/learner.ts';
import { isLong, tellFigure } from '../../support/long-form.ts';
import { memoryFolder } from '../../support/temp-folder.ts';
import { listenerKeyOf, plantedCheck, plantedKey, programOf, type WorldState } from '../../support/world.ts';

const SEQUENCES = 10_000 * (isLong ? 20 : 1);
const STEPS = ['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck'];

type Action =
  | { readonly kind: 'world'; readonly world: WorldState }
  | { readonly kind: 'run'; readonly mode: 'scar' | 'check' | 'cook' }
  | { readonly kind: 'turn'; readonly minutes: number }
  | { readonly kind: 'learn' }
  | { readonly kind: 'window'; readonly minutes: number }
  | { readonly kind: 'restore'; readonly back: number }
  | { readonly kind: 'restart' };

interface Step {
  readonly action: Action;
  /** Killed during the write of the action: before it, in the middle of it, or after the commit. */
  readonly killed: 'no' | 'before' | 'middle' | 'after';
}

const planted = fc.record({
  program: fc.nat(3),
  severity: fc.constantFrom<Severity>('low', 'medium', 'high', 'critical'),
});
const world = fc.record({
  programs: fc.subarray([0, 1, 2, 3]),
  listeners: fc.subarray([0, 1, 2]),
  planted: fc.uniqueArray(planted, { maxLength: 2, selector: ({ program }) => program }),
});
// Often without findings: otherwise almost nothing would be learned.
const cleanWorld = world.map(({ programs, listeners }) => ({
  programs,
  listeners: listeners.filter((one) => one === 0),
  planted: [],
}));
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: world.map((state) => ({ kind: 'world' as const, world: state })) },
  { weight: 3, arbitrary: cleanWorld.map((state) => ({ kind: 'world' as const, world: state })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<'scar' | 'check' | 'cook'>('scar', 'check', 'cook')
      .map((mode) => ({ kind: 'run' as const, mode })),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 40 }).map((minutes) => ({ kind: 'turn' as const, minutes })),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'learn' as const }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 60 }).map((minutes) => ({ kind: 'window' as const, minutes })),
  },
  { weight: 1, arbitrary: fc.nat(3).map((back) => ({ kind: 'restore' as const, back })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);
const killed = fc.oneof(
  { weight: 16, arbitrary: fc.constant('no' as const) },
  { weight: 1, arbitrary: fc.constantFrom('before' as const, 'middle' as const, 'after' as const) },
);
const sequence = fc.array(fc.record({ action, killed }), { minLength: 1, maxLength: 6 });

/** Ids of rows that can be held, in the format of `Learner.held`. */
const programs = (state: WorldState): string[] =>
  state.programs.map((index) => `identity ${programOf(index)}`);
const listeners = (state: WorldState): string[] =>
  state.listeners.map((index) => `listener ${listenerKeyOf(index)}`);
const classes = (state: WorldState, upTo: readonly Severity[]): string[] =>
  running(state)
    .filter(({ severity }) => upTo.includes(severity))
    .map(({ program, severity }) => `class ${plantedCheck}, ${severity}: ${programOf(program)} of uid 0`);
const running = (state: WorldState) =>
  state.planted.filter(({ program }) => state.programs.includes(program));

const firstRows = (state: WorldState): string[] => [
  ...programs(state),
  ...listeners(state),
  ...classes(state, ['low', 'medium']),
];

/** The expected state as plain sets. */
class Model {
  /** What the first pass has shown; a restart clears it. */
  pass = { sinceMs: Number.NaN, rows: new Set<string>(), grave: new Set<string>() };
  /** Rows of each generation. */
  readonly generations: ReadonlySet<string>[] = [new Set()];
  firstUse = true;
  window: { readonly untilMs: number; readonly rows: Set<string>; readonly spoilt: Set<string> } | null =
    null;

  get held(): ReadonlySet<string> {
    return this.generations.at(-1) as ReadonlySet<string>;
  }

  get known(): boolean {
    return this.held.size > 0;
  }

  /** Whether nothing above low is unexplained. */
  clean(state: WorldState): boolean {
    if (!this.known) return running(state).every(({ severity }) => severity === 'low');
    return (
      listeners(state).every((row) => this.held.has(row)) &&
      running(state).every(({ program, severity }) => {
        if (severity === 'low') return true;
        return (
          severity === 'medium' &&
          this.held.has(`class ${plantedCheck}, medium: ${programOf(program)} of uid 0`)
        );
      })
    );
  }

  /** The rows that learning adds; low findings that held classes explain are not new. */
  brings(state: WorldState): string[] {
    const low = classes(state, ['low']).filter((row) => !this.held.has(row.replace(', low:', ', medium:')));
    const medium = classes(state, ['medium']).filter((row) => !this.held.has(row));
    return [...programs(state), ...listeners(state), ...low, ...medium];
  }

  add(rows: Iterable<string>): void {
    this.generations.push(new Set(rows));
    this.firstUse = false;
  }

  /** Everything up to medium in the first minute of the pass, except programs that ever had a high or critical finding. */
  observeFirst(state: WorldState, nowMs: number): void {
    const { pass } = this;
    if (Number.isNaN(pass.sinceMs)) pass.sinceMs = nowMs;
    for (const { program, severity } of running(state))
      if (severity === 'high' || severity === 'critical') pass.grave.add(`identity ${programOf(program)}`);
    if (nowMs - pass.sinceMs >= MINUTE_MS) return;
    for (const row of firstRows(state)) pass.rows.add(row);
  }

  restarted(): void {
    this.pass = { sinceMs: Number.NaN, rows: new Set(), grave: new Set() };
  }

  observe(state: WorldState, nowMs: number): void {
    if (this.firstUse) {
      this.observeFirst(state, nowMs);
      return;
    }
    if (this.window === null || nowMs >= this.window.untilMs) return;
    const { rows, spoilt } = this.window;
    if (!this.clean(state))
      for (const row of this.touched(state)) {
        spoilt.add(row);
        rows.delete(row);
      }
    else for (const row of this.brings(state)) if (!this.held.has(row) && !spoilt.has(row)) rows.add(row);
  }

  /** Programs and listeners of the scars. */
  touched(state: WorldState): string[] {
    const rowOf = (index: number) => `listener ${listenerKeyOf(index)}`;
    const unlearned = state.listeners.filter((index) => this.known && !this.held.has(rowOf(index)));
    const holders = unlearned.filter((index) => state.programs.includes(index));
    const scarred = running(state).filter(
      ({ program, severity }) =>
        severity !== 'low' &&
        !(
          severity === 'medium' &&
          this.held.has(`class ${plantedCheck}, medium: ${programOf(program)} of uid 0`)
        ),
    );
    return [
      ...unlearned.map(rowOf),
      ...[...holders, ...scarred.map(({ program }) => program)].map(
        (index) => `identity ${programOf(index)}`,
      ),
    ];
  }

  /** What one run of the loop learns automatically. */
  turn(state: WorldState, nowMs: number): void {
    this.observe(state, nowMs);
    if (this.firstUse) {
      if (state.programs.length === 0) return;
      const { rows, grave } = this.pass;
      this.add([...rows, ...firstRows(state)].filter((row) => !grave.has(row)));
    } else if (this.window !== null && nowMs >= this.window.untilMs) {
      if (this.clean(state)) this.add([...this.held, ...this.window.rows, ...this.brings(state)]);
      this.window = null;
    }
  }
}

/** Thrown in place of a kill, which leaves the state before the write or after it. */
class Killed extends Error {}

let arm: Step['killed'] = 'no';
/** Writes made or started while armed. */
let hits = 0;

const killable = (store: Store): Store =>
  overStore(store, {
    write: (operation, work) => {
      if (arm === 'no' || !['recordRun', 'addGeneration'].includes(operation))
        return store.write(operation, work);
      hits++;
      const how = arm;
      if (how === 'before') throw new Killed();
      const workThenKill = (): never => {
        work();
        throw new Killed();
      };
      const result = store.write(operation, how === 'middle' ? workThenKill : work);
      if (how === 'after') throw new Killed();
      return result;
    },
  });

const step = (what: Action): Step => ({ action: what, killed: 'no' });
/** Sequences that failed in the past. */
const FAILED: readonly [Step[]][] = [
  // The window of a restarted baseline, on a machine with a listener and no program.
  [
    [
      step({ kind: 'turn', minutes: 1 }),
      step({ kind: 'window', minutes: 1 }),
      step({ kind: 'world', world: { programs: [], listeners: [0], planted: [] } }),
      step({ kind: 'restore', back: 1 }),
      step({ kind: 'world', world: { programs: [], listeners: [], planted: [] } }),
      step({ kind: 'learn' }),
    ],
  ],
];

const test = suite('properties of the gate and of learning');
// In memory where possible: this tests the logic; kill.test.ts tests the kill of a process.
const root = memoryFolder('desk-properties-');

/** Resets the folder without creating the database again. */
function reset(learner: Learner, beside: Database): void {
  writeFileSync(join(root, 'desk.first-use'), '', { mode: 0o600 });
  beside.transaction(() => {
    for (const table of [
      'generation_rows',
      'residue',
      'gate_runs',
      'learning_windows',
      'window_rows',
      'window_spoilt',
    ])
      beside.run(`DELETE FROM ${table}`);
    // The newest first: each refers to its parent.
    for (let number = beside.number('SELECT max(number) FROM generations'); number > 0; number--)
      beside.run('DELETE FROM generations WHERE number = ?', number);
    beside.run('UPDATE generations SET authoritative = 1');
  });
  learner.renew();
}

async function apply(learner: Learner, { action: what, killed: how }: Step, model: Model): Promise<void> {
  arm = how;
  hits = 0;
  let acknowledged = true;
  try {
    await perform(learner, what, model);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    acknowledged = error.code !== 'unavailable';
  } finally {
    arm = 'no';
  }
  if (hits === 0) {
    assert.ok(acknowledged, 'a refusal without a reason');
    follow(learner, what, model);
    return;
  }
  // Killed: the write is there completely or not at all. What was acknowledged before stays.
  const before = model.generations.length;
  learner.restart();
  const after = learner.store.baseline.generations().length;
  if (how === 'after') follow(learner, what, model, false);
  // Observations before the kill are in the window.
  else if (what.kind !== 'restore') model.observe(learner.world, learner.nowMs);
  model.restarted();
  assert.ok(after === before || after === before + 1);
}

async function perform(learner: Learner, what: Action, model: Model): Promise<void> {
  switch (what.kind) {
    case 'world':
      learner.world = what.world;
      return;
    case 'run': {
      const { steps, passed, state: deskState } = await learner.learning.gate.run(what.mode);
      expect(steps.map(({ step }) => step)).equals(STEPS.slice(0, steps.length));
      assert.ok(steps.length === 5 ? !steps[2]?.ok : steps.length === 3 && passed);
      assert.is(passed, deskState.judgement.scars.length === 0);
      assert.is(passed, model.clean(learner.world));
      return;
    }
    case 'turn':
      learner.nowMs += what.minutes * MINUTE_MS;
      await learner.turn();
      return;
    case 'learn':
      await learner.learning.learnOnce();
      return;
    case 'window':
      await learner.learning.openWindow(what.minutes);
      return;
    case 'restore':
      await learner.learning.restore(Math.max(0, model.generations.length - 1 - what.back));
      return;
    case 'restart':
      learner.restart();
  }
}

/** Applies a completed action to the model. */
function follow({ world: state, nowMs }: Learner, what: Action, model: Model, observed = true): void {
  switch (what.kind) {
    case 'run':
      model.observe(state, nowMs);
      return;
    case 'turn':
      model.turn(state, nowMs);
      return;
    case 'learn':
      if (model.firstUse) return;
      if (model.clean(state)) {
        model.observe(state, nowMs);
        model.add([...model.held, ...(model.window?.rows ?? []), ...model.brings(state)]);
        model.window = null;
      }
      return;
    case 'window':
      if (model.firstUse || !model.known) return;
      model.window = {
        untilMs: nowMs + what.minutes * MINUTE_MS,
        rows: model.window?.rows ?? new Set(),
        spoilt: model.window?.spoilt ?? new Set(),
      };
      model.observe(state, nowMs);
      return;
    case 'restore': {
      const number = Math.max(0, model.generations.length - 1 - what.back);
      if (number === model.generations.length - 1) return;
      model.add(model.generations[number] as ReadonlySet<string>);
      if (observed) model.observe(state, nowMs);
      return;
    }
    case 'restart':
      model.restarted();
      return;
    default:
  }
}

/** `whole`: also compares all rows, which is expensive. */
function check(learner: Learner, model: Model, whole: boolean): void {
  const { store } = learner;
  const { baseline, god, firstUse, window } = store.baseline.state();
  assert.is(god, 1);
  assert.is(baseline.generation, model.generations.length - 1);
  assert.is(baseline.rows, model.held.size);
  assert.is(firstUse, model.firstUse);
  assert.is(window === null, model.window === null);
  if (!whole) return;
  assert.is(store.baseline.verifyHeld()?.state, 'sound');
  assert.equal(learner.held(), [...model.held].sort());
  // High and critical findings are never held.
  for (const row of learner.held()) assert.not.match(row, /, (high|critical):/);
}

test(`over ${SEQUENCES} sequences GOD stays 1, the baseline matches the model and the step order holds`, async () => {
  const learner = new Learner(root, { dress: killable });
  const beside = openDatabase(join(root, 'desk.db'));
  let begun = 0;
  let held = 0;
  let learned = 0;
  let kills = 0;
  try {
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        reset(learner, beside);
        learner.world = { programs: [0, 1], listeners: [0], planted: [] };
        const model = new Model();
        begun++;
        // A closed database keeps its files open until its statements are collected, which needs the event loop.
        if (begun % 100 === 0) await setImmediate();
        for (const step of steps) {
          const before = model.generations.length;
          await apply(learner, step, model);
          check(learner, model, hits > 0 || model.generations.length > before);
          if (hits > 0) kills++;
        }
        check(learner, model, true);
        learned += model.generations.length - 1;
        held++;
      }),
      { numRuns: SEQUENCES, examples: [...FAILED] },
    );
  } finally {
    beside.close();
    learner.close();
    tellFigure('sequences that held', held);
    tellFigure('sequences that did not hold', begun - held);
    tellFigure('generations learned', learned);
    tellFigure('kills in a write', kills);
  }
  // The sequences did enough to be meaningful.
  assert.ok(learned > SEQUENCES / 2, `${learned} generations`);
  assert.ok(kills > SEQUENCES / 20, `${kills} kills`);
});

test('the key of a class differs for each severity', () => {
  const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical'];
  const keys = severities.map((severity) => plantedKey({ program: 0, severity }));
  assert.is(new Set(keys).size, 4);
});

test.run();
