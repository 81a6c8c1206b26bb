/** Learning without being asked: the first use, the end of a learning window, what the system installed, contents that lack. */
import type { Moment } from '../../records/moment.ts';
import type { ResidueRow } from '../gate/index.ts';
import { beyondChanges, lacksContents, recordedRows, withKnownContents } from './contents.ts';
import type { LearningOptions, Lessons } from './lessons.ts';
import { type Rows, rowsBy, union } from './observation.ts';
import { residueOfRun, spoiltBy, withoutResidue, withoutUnconfirmed } from './residue.ts';
import { type LearningWindow, rowId } from './rows.ts';
import { systemIdentities } from './system-owned.ts';

/** A first use, or a look for what the system installed, is tried at most this often. */
const FIRST_USE_EVERY_MS = 5_000;
const AUTO_EVERY_MS = 60_000;
/** A pass that does not end learns no more by lasting. */
const MOST_PASS_MS = 60_000;

/**
 * What the first pass shows until generation 1 closes: a service that is being restarted just when it closes, and the tools that a
 * build runs for a moment each, belong to the machine as well. What had a scar at any time of the pass does not.
 */
class FirstPass {
  #sinceMs: number | null = null;
  #rows: Rows = new Map();
  readonly #residue = new Map<string, ResidueRow>();

  /** Takes rows and residue of one moment. */
  take(rows: () => Rows, residue: readonly ResidueRow[], nowMs: number): void {
    this.#sinceMs ??= nowMs;
    for (const row of residue) {
      const key = Buffer.from(row.key).toString('latin1');
      this.#residue.set(`${row.kind} ${key}`, row);
    }
    if (nowMs - this.#sinceMs < MOST_PASS_MS) this.#rows = union(this.#rows, rows());
  }

  /** All of it with the last moment's rows. */
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

export class UnaskedLearning {
  readonly #options: LearningOptions;
  readonly #lessons: Lessons;
  readonly #windowEnd: WindowEnd;
  readonly #firstPass = new FirstPass();
  /** What is being learned, one at a time. */
  #work: Promise<void> | null = null;
  #nextFirstUseMs = Number.NEGATIVE_INFINITY;
  #nextAutoMs = Number.NEGATIVE_INFINITY;
  #closing = false;
  /** Rows that the open window has already, and those that it is never to have. */
  #gathered: { readonly window: number; readonly ids: Set<string>; readonly spoilt: Set<string> } | null =
    null;

  constructor(options: LearningOptions, lessons: Lessons) {
    this.#options = options;
    this.#lessons = lessons;
    this.#windowEnd = new WindowEnd(lessons.nowMs, lessons.clockMs);
  }

  /** What runs is being learned, or its contents recorded. */
  get gathers(): boolean {
    const { firstUse, window } = this.#options.baseline.standing();
    return (firstUse && this.#options.complete !== null) || window !== null || this.#lacksContents;
  }

  /**
   * After every recheck, while its columns hold: gathers what the first pass, or clean observations of an open window, show. What
   * a scar touches while the window is open is not learned from it, whether it was gathered before or would be later.
   */
  observed(moment: Moment): void {
    const { baseline: tables, complete } = this.#options;
    const { window, firstUse } = tables.standing();
    if (firstUse && complete !== null) {
      this.#firstPass.take(
        () => this.#observeFirst(moment),
        residueOfRun(moment, true),
        this.#lessons.nowMs(),
      );
      return;
    }
    if (window === null || this.#windowEnd.isOver(window)) return;
    if (this.#gathered?.window !== window.number) {
      const ids = new Set(rowsBy(tables.windowRows()).keys());
      this.#gathered = { window: window.number, ids, spoilt: new Set() };
    }
    const { ids, spoilt } = this.#gathered;
    const { unconfirmed } = moment.judgement;
    const scars = beyondChanges(moment.judgement);
    if (scars.length > 0) {
      const rows = spoiltBy(scars, moment.snapshot).filter((row) => !spoilt.has(rowId(row)));
      if (rows.length > 0 && tables.spoilWindowRows(rows)) for (const row of rows) spoilt.add(rowId(row));
      return;
    }
    const held = this.#lessons.held.rows;
    // While nothing is known no check calls anything new: all of it is.
    if (unconfirmed.length > 0 || (!moment.desk.gate.differs && held.size > 0)) return;
    const fresh = [...this.#lessons.observe(moment)].filter(([id]) => !held.has(id) && !ids.has(id));
    if (fresh.length > 0 && tables.keepWindowRows(fresh.map(([, row]) => row)))
      for (const [id] of fresh) ids.add(id);
  }

  /** Learns by itself what is due, and resolves when that is done. What fails is logged, and reported by the store. */
  whenDue(latest: Moment): Promise<void> {
    if (this.#work !== null) return this.#work;
    const work = this.#due(latest);
    if (work === null) return Promise.resolve();
    this.#work = work()
      .catch((error) => {
        if (!this.#closing) this.#options.log.error({ err: error }, 'learning by itself failed');
      })
      .finally(() => {
        this.#work = null;
      });
    return this.#work;
  }

  /** Waits for what is being learned. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#work;
  }

  #due(latest: Moment): (() => Promise<void>) | null {
    const { baseline: tables, complete, law } = this.#options;
    if (complete === null || this.#closing) return null;
    const { firstUse, window } = tables.standing();
    const clockMs = this.#lessons.clockMs();
    if (firstUse) {
      if (clockMs < this.#nextFirstUseMs || !complete()) return null;
      this.#nextFirstUseMs = clockMs + FIRST_USE_EVERY_MS;
      return () => this.#firstUse();
    }
    if (window !== null && this.#windowEnd.isOver(window)) return () => this.#endWindow();
    if (clockMs < this.#nextAutoMs) return null;
    this.#nextAutoMs = clockMs + AUTO_EVERY_MS;
    if (this.#lacksContents && complete()) return () => this.#recordContents();
    const installs =
      law().autoLearn === 'system' && systemIdentities(latest, this.#lessons.running()).size > 0;
    return installs ? () => this.#auto() : null;
  }

  async #firstUse(): Promise<void> {
    const { baseline: tables, log, look } = this.#options;
    const run = await this.#lessons.learnFirst((moment, residue) =>
      this.#firstPass.close(this.#observeFirst(moment), residue),
    );
    if (run.generation === null) return;
    const { identities, rows, toReview } = tables.standing().baseline;
    log.info({ generation: run.generation, identities, rows, to_review: toReview }, 'first use: learned');
    await look();
  }

  async #endWindow(): Promise<void> {
    const { log, look } = this.#options;
    const { run, rows } = await this.#lessons.learn(
      'learned',
      (moment) => ({
        rows: withKnownContents(this.#lessons.withWindow(moment), this.#lessons.held.known),
        closesWindow: 'learned at its end',
      }),
      'nothing was learned: the gate did not pass at its end',
    );
    if (rows === null)
      log.warn(
        { scars: run.moment.judgement.scars.length },
        'the learning window ended, and nothing was learned',
      );
    else log.info({ generation: run.generation }, 'the learning window ended: learned');
    await look();
  }

  /** What is learned without being asked and without a window. */
  async #unasked(how: 'auto' | 'content', brings: (moment: Moment) => Rows, told: string): Promise<void> {
    const { run, rows } = await this.#lessons.learn(how, (moment) => ({
      rows: brings(moment),
      closesWindow: null,
    }));
    if (rows === null) return;
    this.#options.log.info({ generation: run.generation }, told);
    await this.#options.look();
  }

  async #auto(): Promise<void> {
    await this.#lessons.readContents();
    const brings = (at: Moment) =>
      withKnownContents(systemIdentities(at, this.#lessons.running()), this.#lessons.held.known);
    await this.#unasked('auto', brings, 'learned what the system installed');
  }

  get #lacksContents(): boolean {
    const { complete, contents } = this.#options;
    return complete !== null && contents !== undefined && lacksContents(this.#lessons.held.known);
  }

  /** Once after an upgrade from a version that kept paths alone: what runs is taken for what was learned, and is to be reviewed. */
  async #recordContents(): Promise<void> {
    await this.#lessons.readContents();
    const brings = (moment: Moment) => recordedRows(this.#lessons.held.rows, this.#lessons.observe(moment));
    await this.#unasked('content', brings, 'recorded what learned programs are: see desk baseline review');
  }

  /** What a moment of the first pass shows. */
  #observeFirst(moment: Moment): Rows {
    return withoutUnconfirmed(this.#lessons.observe(moment), moment, true);
  }
}
