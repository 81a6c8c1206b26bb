/** Learning without being asked: the first use, the end of a learning window, what the system installed, contents that lack. */
import type { DeskState } from '../../records/state.ts';
import type { ResidueRow } from '../gate/index.ts';
import { beyondChanges, lacksContents, recordedRows, withKnownContents } from './contents.ts';
import { type LearningOptions, Lessons } from './lessons.ts';
import { type Rows, rowsBy, union } from './observation.ts';
import { residueOfRun, spoiltBy, withoutResidue, withoutUnconfirmed } from './residue.ts';
import { type LearningWindow, rowId } from './rows.ts';
import { beyondStartup, isSomeRead, startupRows, stillUnread } from './startup-rows.ts';
import { systemIdentities } from './system-owned.ts';

/** A first use, or a search for what the system installed, is tried at most this often. */
const FIRST_USE_EVERY_MS = 5_000;
const AUTO_EVERY_MS = 60_000;
/** A pass that does not end learns no more by lasting. */
const MOST_PASS_MS = 60_000;

/** All that the first pass shows until generation 1 closes belongs to the machine, also what ends before; not what ever had a scar. */
class FirstPass {
  #sinceMs: number | null = null;
  #rows: Rows = new Map();
  readonly #residue = new Map<string, ResidueRow>();

  take(rows: () => Rows, residue: readonly ResidueRow[], nowMs: number): void {
    this.#sinceMs ??= nowMs;
    for (const row of residue) {
      const key = Buffer.from(row.key).toString('latin1');
      this.#residue.set(`${row.kind} ${key}`, row);
    }
    if (nowMs - this.#sinceMs < MOST_PASS_MS) this.#rows = union(this.#rows, rows());
  }

  /** All of it with the last state's rows. */
  close(rows: Rows, residue: readonly ResidueRow[]): Rows {
    return withoutResidue(union(this.#rows, rows), [...this.#residue.values(), ...residue]);
  }
}

/** When a learning window ends: by the wall clock, or by the monotonic one, so that a clock that is set back keeps none open. */
class WindowEnd {
  readonly #nowMs: () => number;
  readonly #clockMs: () => number;
  #end: { readonly untilMs: number; readonly clockMs: number } | null = null;

  /** `nowMs`: milliseconds since the epoch; `clockMs`: of a monotonic clock. */
  constructor(nowMs: () => number, clockMs: () => number) {
    this.#nowMs = nowMs;
    this.#clockMs = clockMs;
  }

  /** At the latest the window's own length after this process first saw it. */
  isOver({ openedMs, untilMs }: LearningWindow): boolean {
    const nowMs = this.#nowMs();
    if (this.#end?.untilMs !== untilMs)
      this.#end = { untilMs, clockMs: this.#clockMs() + Math.min(untilMs - nowMs, untilMs - openedMs) };
    return nowMs >= untilMs || this.#clockMs() >= this.#end.clockMs;
  }
}

export class AutomaticLearning extends Lessons {
  readonly #windowEnd: WindowEnd;
  readonly #firstPass = new FirstPass();
  /** What is being learned, one at a time. */
  #work: Promise<void> | null = null;
  #nextFirstUseMs = Number.NEGATIVE_INFINITY;
  #nextAutoMs = Number.NEGATIVE_INFINITY;
  #nextStartupMs = Number.NEGATIVE_INFINITY;
  #closing = false;
  /** Rows that the open window has already, and those that it is never to have. */
  #gathered: { readonly window: number; readonly ids: Set<string>; readonly spoilt: Set<string> } | null =
    null;

  constructor(options: LearningOptions) {
    super(options);
    this.#windowEnd = new WindowEnd(this.nowMs, this.clockMs);
  }

  /** What runs is being learned, or its contents recorded. */
  get gathers(): boolean {
    const { firstUse, window } = this.options.baseline.state();
    return (firstUse && this.options.complete !== null) || window !== null || this.#lacksContents;
  }

  /**
   * After every recheck, while its columns hold: gathers what the first pass, or clean observations of an open window, show. What
   * a scar touches while the window is open is not learned from it, whether it was gathered before or would be later.
   */
  observed(state: DeskState): void {
    const { baseline: tables, complete } = this.options;
    const { window, firstUse } = tables.state();
    if (firstUse && complete !== null) {
      this.#firstPass.take(() => this.#observeFirst(state), residueOfRun(state, true), this.nowMs());
      return;
    }
    if (window === null || this.#windowEnd.isOver(window)) return;
    if (this.#gathered?.window !== window.number) {
      const ids = new Set(rowsBy(tables.windowRows()).keys());
      this.#gathered = { window: window.number, ids, spoilt: new Set() };
    }
    const { ids, spoilt } = this.#gathered;
    const { unconfirmed } = state.judgement;
    const scars = beyondChanges(state.judgement);
    if (scars.length > 0) {
      const rows = spoiltBy(scars, state.snapshot).filter((row) => !spoilt.has(rowId(row)));
      if (rows.length > 0 && tables.spoilWindowRows(rows)) for (const row of rows) spoilt.add(rowId(row));
      return;
    }
    const held = this.heldBaseline.rows;
    // While nothing is known no check calls anything new: all of it is.
    if (unconfirmed.length > 0 || (!state.desk.gate.differs && held.size > 0)) return;
    const fresh = [...this.observe(state)].filter(([id]) => !held.has(id) && !ids.has(id));
    if (fresh.length > 0 && tables.keepWindowRows(fresh.map(([, row]) => row)))
      for (const [id] of fresh) ids.add(id);
  }

  /** Learns automatically what is due, and resolves when that is done. What fails is logged, and reported by the store. */
  whenDue(latest: DeskState): Promise<void> {
    if (this.#work !== null) return this.#work;
    const work = this.#due(latest);
    if (work === null) return Promise.resolve();
    this.#work = work()
      .catch((error) => {
        if (!this.#closing) this.options.log.error({ err: error }, 'automatic learning failed');
      })
      .finally(() => {
        this.#work = null;
      });
    return this.#work;
  }

  /** Waits for what is being learned automatically, and writes what waits. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#work;
    await this.gate.close();
  }

  #due(latest: DeskState): (() => Promise<void>) | null {
    const { baseline: tables, complete, law } = this.options;
    if (complete === null || this.#closing) return null;
    const { firstUse, window, unrecorded } = tables.state();
    const clockMs = this.clockMs();
    if (firstUse) {
      if (clockMs < this.#nextFirstUseMs || !complete()) return null;
      this.#nextFirstUseMs = clockMs + FIRST_USE_EVERY_MS;
      return () => this.#firstUse();
    }
    if (window !== null && this.#windowEnd.isOver(window)) return () => this.#endWindow();
    // Does not wait for #nextAutoMs: it should be recorded before it is reported.
    if (clockMs >= this.#nextStartupMs && isSomeRead(unrecorded, latest.judgement) && complete()) {
      this.#nextStartupMs = clockMs + AUTO_EVERY_MS;
      return () => this.#recordStartup();
    }
    if (clockMs < this.#nextAutoMs) return null;
    this.#nextAutoMs = clockMs + AUTO_EVERY_MS;
    if (this.#lacksContents && complete()) return () => this.#recordContents();
    const installs = law().autoLearn === 'system' && systemIdentities(latest, this.running()).size > 0;
    return installs ? () => this.#auto() : null;
  }

  async #firstUse(): Promise<void> {
    const { baseline: tables, log, sweep } = this.options;
    const run = await this.learnFirst((state, residue) =>
      this.#firstPass.close(this.#observeFirst(state), residue),
    );
    if (run.generation === null) return;
    const { identities, rows, toReview } = tables.state().baseline;
    log.info({ generation: run.generation, identities, rows, to_review: toReview }, 'first use: learned');
    await sweep();
  }

  async #endWindow(): Promise<void> {
    const { log, sweep } = this.options;
    const { run, rows } = await this.teach(
      'learned',
      (state) => ({
        rows: withKnownContents(this.withWindow(state), this.heldBaseline.known),
        closesWindow: 'learned at its end',
      }),
      'nothing was learned: the gate did not pass at its end',
    );
    if (rows === null)
      log.warn(
        { scars: run.state.judgement.scars.length },
        'the learning window ended, and nothing was learned',
      );
    else log.info({ generation: run.generation }, 'the learning window ended: learned');
    await sweep();
  }

  async #teachAutomatically(
    how: 'auto' | 'content',
    brings: (state: DeskState) => Rows,
    logged: string,
  ): Promise<void> {
    const { run, rows } = await this.teach(how, (state) => ({ rows: brings(state), closesWindow: null }));
    if (rows === null) return;
    this.options.log.info({ generation: run.generation }, logged);
    await this.options.sweep();
  }

  async #auto(): Promise<void> {
    await this.readContents();
    const brings = (at: DeskState) =>
      withKnownContents(systemIdentities(at, this.running()), this.heldBaseline.known);
    await this.#teachAutomatically('auto', brings, 'learned what the system installed');
  }

  get #lacksContents(): boolean {
    const { complete, contents } = this.options;
    return complete !== null && contents !== undefined && lacksContents(this.heldBaseline.known);
  }

  /** Once after an upgrade from a version that kept paths alone: what runs is taken for what was learned, and is to be reviewed. */
  async #recordContents(): Promise<void> {
    await this.readContents();
    const brings = (state: DeskState) => recordedRows(this.heldBaseline.rows, this.observe(state));
    await this.#teachAutomatically(
      'content',
      brings,
      'recorded what learned programs are: see desk baseline review',
    );
  }

  /**
   * What starts by itself and was not read when the baseline was learned is recorded once it is read and no other scar is open, and is
   * to be reviewed. After an upgrade from a version that did not know it, that is all of it.
   */
  async #recordStartup(): Promise<void> {
    const { baseline: tables, log, sweep } = this.options;
    const { unrecorded } = tables.state();
    const rowsOf = (state: DeskState) => startupRows(state, unrecorded);
    const { run, rows } = await this.teach(
      'content',
      (state) => ({
        rows: rowsOf(state),
        closesWindow: null,
        unrecorded: stillUnread(unrecorded, state.judgement),
      }),
      null,
      (state) =>
        state.desk.gate.god === 1 &&
        (beyondStartup(state.judgement.scars).length === 0 || rowsOf(state).size === 0),
      beyondStartup,
    );
    if (rows === null) return;
    log.info({ generation: run.generation }, 'recorded what starts by itself: see desk baseline review');
    await sweep();
  }

  #observeFirst(state: DeskState): Rows {
    return withoutUnconfirmed(this.observe(state), state, true);
  }
}
