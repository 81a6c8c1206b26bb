/**
 * Secure learning: B into A after a clean gate only. Once per state folder by itself (first use), on demand, at the end of a
 * learning window, and, where the law allows it, what the system installed. A critical finding is never learned.
 */
import type { Logger } from 'pino';
import type { BaselineState, Known } from '../checks/check.ts';
import type { Learned } from '../desk.ts';
import { instantAt } from '../engine/assemble.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { offsetTime } from '../engine/time.ts';
import type { CookOff } from '../findings/pipeline.ts';
import type { NativeAddon } from '../native/types.ts';
import type { Law } from '../policy/law.ts';
import type { Difference } from '../records/baseline-diff.ts';
import type { Moment } from '../records/moment.ts';
import { type How, type NewGeneration, rowId } from '../store/baseline.ts';
import type { GuardedStore } from '../store/guarded.ts';
import {
  beyondChanges,
  broughtBy,
  type ContentSource,
  lacksContents,
  passesButForChanges,
  READ_MS,
  recordedRows,
  withKnownContents,
} from './contents.ts';
import { differenceOf } from './difference.ts';
import { FirstPass } from './first-pass.ts';
import { HeldBaseline } from './held-baseline.ts';
import { observe, type Rows, type RunningContents, rowsBy, underLearnedNames, union } from './observation.ts';
import { nothingLearned, refusalOf, storeFails, tooEarly } from './refusals.ts';
import { residueOfRun, spoiltBy, withoutUnconfirmed } from './residue.ts';
import { restorable } from './restore.ts';
import { type GateOutcome, type Lesson, ScarGate } from './scar-gate.ts';
import { systemIdentities } from './system-owned.ts';
import { WindowEnd } from './window-end.ts';

/** A first use, or a look for what the system installed, is tried at most this often. */
const FIRST_USE_EVERY_MS = 5_000;
const AUTO_EVERY_MS = 60_000;
const MINUTE_MS = 60_000;

interface LearningOptions {
  readonly store: GuardedStore;
  readonly native: Pick<NativeAddon, 'identityOf' | 'hashIdentity'>;
  readonly law: () => Law;
  readonly log: Logger;
  readonly look: () => Promise<Moment>;
  /** What cook-off says of a run of the gate that comes by itself. */
  readonly standingBy: CookOff;
  /** Whether every scheduled tier has looked at everything once; null: nothing is ever learned unasked. */
  readonly complete: (() => boolean) | null;
  /** Absent: programs are learned by their paths. */
  readonly contents?: ContentSource;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
  /** Milliseconds of a monotonic clock, for intervals; default: `nowMs` where a test holds that one. */
  readonly monotonicMs?: (() => number) | undefined;
  /** The same for the steps of the gate. */
  readonly clockMs?: () => number;
}

export class Learning {
  readonly gate: ScarGate;
  readonly #options: LearningOptions;
  readonly #held: HeldBaseline;
  readonly #nowMs: () => number;
  readonly #clockMs: () => number;
  readonly #windowEnd: WindowEnd;
  /** What learns by itself, one at a time. */
  #byItself: Promise<void> | null = null;
  #nextFirstUseMs = Number.NEGATIVE_INFINITY;
  #nextAutoMs = Number.NEGATIVE_INFINITY;
  #closing = false;
  readonly #firstPass = new FirstPass();
  /** Rows that the open window has already, and those that it is never to have. */
  #gathered: { readonly window: number; readonly ids: Set<string>; readonly spoilt: Set<string> } | null =
    null;

  constructor(options: LearningOptions) {
    const { store, native, look, clockMs, standingBy } = options;
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#clockMs = options.monotonicMs ?? options.nowMs ?? (() => performance.now());
    this.#windowEnd = new WindowEnd(this.#nowMs, this.#clockMs);
    this.#held = new HeldBaseline(store, native);
    this.gate = new ScarGate({
      look,
      store,
      residue: (moment) => residueOfRun(moment, false),
      seen: {
        of: (snapshot) => this.#held.seenNow(snapshot),
        marked: (rows) => this.#held.markedSeen(rows),
      },
      standingBy,
      ...(clockMs && { clockMs }),
    });
  }

  get known(): Known | null {
    return this.#held.known;
  }

  /** What runs is being learned, or its contents recorded. */
  get gathers(): boolean {
    const { firstUse, window } = this.#options.store.standing();
    return (firstUse && this.#options.complete !== null) || window !== null || this.#lacksContents;
  }

  /** A as the checks get it. */
  held(snapshot: Snapshot): { readonly known: Known | null; readonly baseline: BaselineState } {
    return this.#held.toldTo(snapshot);
  }

  /**
   * After every recheck, while its columns hold: gathers what the first pass, or clean observations of an open window, show. What
   * a scar touches while the window is open is not learned from it, whether it was gathered before or would be later.
   */
  observed(moment: Moment): void {
    const { store, complete } = this.#options;
    const { window, firstUse } = store.standing();
    if (firstUse && complete !== null) {
      this.#firstPass.take(() => this.#observeFirst(moment), residueOfRun(moment, true), this.#nowMs());
      return;
    }
    if (window === null || this.#windowEnd.isOver(window)) return;
    if (this.#gathered?.window !== window.number) {
      const ids = new Set(rowsBy(store.windowRows()).keys());
      this.#gathered = { window: window.number, ids, spoilt: new Set() };
    }
    const { ids, spoilt } = this.#gathered;
    const { unconfirmed } = moment.judgement;
    const scars = beyondChanges(moment.judgement);
    if (scars.length > 0) {
      const rows = spoiltBy(scars, moment.snapshot).filter((row) => !spoilt.has(rowId(row)));
      if (rows.length > 0 && store.spoilWindowRows(rows)) for (const row of rows) spoilt.add(rowId(row));
      return;
    }
    const held = this.#held.rows;
    // While nothing is known no check calls anything new: all of it is.
    if (unconfirmed.length > 0 || (!moment.desk.gate.differs && held.size > 0)) return;
    const fresh = [...this.#observe(moment)].filter(([id]) => !held.has(id) && !ids.has(id));
    if (fresh.length > 0 && store.keepWindowRows(fresh.map(([, row]) => row)))
      for (const [id] of fresh) ids.add(id);
  }

  /** Learns by itself what is due, and resolves when that is done. What fails is logged, and reported by the store. */
  whenDue(latest: Moment): Promise<void> {
    if (this.#byItself !== null) return this.#byItself;
    const work = this.#due(latest);
    if (work === null) return Promise.resolve();
    this.#byItself = work()
      .catch((error) => {
        if (!this.#closing) this.#options.log.error({ err: error }, 'learning by itself failed');
      })
      .finally(() => {
        this.#byItself = null;
      });
    return this.#byItself;
  }

  /** B into A, with what an open window has gathered; the window is closed by it. */
  async learnOnce(): Promise<Learned> {
    const { store } = this.#options;
    if (this.#isTooEarly()) throw tooEarly();
    await this.#options.contents?.read(READ_MS);
    const held = this.#held.rows;
    const brings = (moment: Moment) => ({
      rows: this.#withWindow(moment),
      closesWindow: store.standing().window === null ? null : 'learned on demand',
    });
    const { run, rows } = await this.#learn('learned', brings, null, passesButForChanges);
    if (rows === null) throw refusalOf(run.moment);
    const generation = this.#heldAfter(run);
    const added = broughtBy(rows, held).length;
    this.#options.log.info({ generation, added }, 'learned');
    await this.#options.look();
    return { generation, added, windowUntilMs: null };
  }

  /** Opens a learning window of so many minutes, or moves the end of the open one. */
  async openWindow(minutes: number): Promise<Learned> {
    const { store, log } = this.#options;
    const { generation } = store.standing().baseline;
    if (this.#held.rows.size === 0) throw nothingLearned();
    const windowUntilMs = this.#nowMs() + minutes * MINUTE_MS;
    if (!store.openWindow(this.#nowMs(), windowUntilMs)) throw storeFails(store);
    log.info({ until: new Date(windowUntilMs).toISOString() }, 'learning window opened');
    await this.#options.look();
    return { generation, added: 0, windowUntilMs };
  }

  /** What B has and A has not, the other way round, and what `learnOnce` would do over this moment. */
  async difference(): Promise<Difference> {
    return this.differenceAt(await this.#options.look());
  }

  /** The same of a moment that is at hand. */
  differenceAt(moment: Moment): Difference {
    const { store } = this.#options;
    const passes = passesButForChanges(moment) && this.#held.sound;
    let refusal = passes ? null : refusalOf(moment);
    if (store.failure !== '') refusal = storeFails(store);
    if (this.#isTooEarly()) refusal = tooEarly();
    const brought = () => withoutUnconfirmed(this.#withWindow(moment), moment, false);
    return differenceOf(moment, this.#held.rows, this.#observe(moment), refusal ?? brought());
  }

  /** Learning by itself is still to come. */
  #isTooEarly = (): boolean => this.#options.complete !== null && this.#options.store.standing().firstUse;

  /** A new generation with the rows of an old one, whose digest must verify. */
  async restore(number: number): Promise<Learned> {
    const { store, log } = this.#options;
    const from = restorable(store, number);
    const held = this.#held.rows;
    const rows = store.rows(number);
    const generation = store.addGeneration({
      how: 'restored',
      privilege: from.privilege,
      learnedAt: this.#now(),
      parent: number,
      rows,
    });
    if (generation === null) throw storeFails(store);
    log.info({ generation, from: number }, 'restored');
    await this.#options.look();
    return { generation, added: rows.filter((row) => !held.has(rowId(row))).length, windowUntilMs: null };
  }

  /** A person has looked through what is to be reviewed; how many rows that were. */
  async reviewed(): Promise<{ readonly generation: number; readonly rows: number }> {
    const { store } = this.#options;
    const { generation, toReview } = store.standing().baseline;
    if (!store.markReviewed()) throw storeFails(store);
    await this.#options.look();
    return { generation, rows: toReview };
  }

  /** Waits for what is being learned by itself. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#byItself;
    await this.gate.close();
  }

  #due(latest: Moment): (() => Promise<void>) | null {
    const { store, complete, law } = this.#options;
    if (complete === null || this.#closing) return null;
    const { firstUse, window } = store.standing();
    const clockMs = this.#clockMs();
    if (firstUse) {
      if (clockMs < this.#nextFirstUseMs || !complete()) return null;
      this.#nextFirstUseMs = clockMs + FIRST_USE_EVERY_MS;
      return () => this.#firstUse();
    }
    if (window !== null && this.#windowEnd.isOver(window)) return () => this.#endWindow();
    if (clockMs < this.#nextAutoMs) return null;
    this.#nextAutoMs = clockMs + AUTO_EVERY_MS;
    if (this.#lacksContents && complete()) return () => this.#recordContents();
    const installs = law().autoLearn === 'system' && systemIdentities(latest, this.#running()).size > 0;
    return installs ? () => this.#auto() : null;
  }

  async #firstUse(): Promise<void> {
    const { store, log, look } = this.#options;
    const run = await this.gate.run('scar', {
      teach: ({ moment }): Lesson => {
        const residue = residueOfRun(moment, true);
        const rows = this.#firstPass.close(this.#observeFirst(moment), residue);
        const { firstUse, god } = store.standing();
        const may = firstUse && god === 1 && moment.snapshot.counts.identities > 0;
        const generation = may ? this.#generation('first use', 0, rows) : null;
        return { residue, generation, closesWindow: null };
      },
    });
    if (run.generation === null) return;
    const { identities, rows, toReview } = store.standing().baseline;
    log.info({ generation: run.generation, identities, rows, to_review: toReview }, 'first use: learned');
    await look();
  }

  async #endWindow(): Promise<void> {
    const { log, look } = this.#options;
    const { run, rows } = await this.#learn(
      'learned',
      (moment) => ({
        rows: withKnownContents(this.#withWindow(moment), this.known),
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
    const { run, rows } = await this.#learn(how, (moment) => ({ rows: brings(moment), closesWindow: null }));
    if (rows === null) return;
    this.#options.log.info({ generation: run.generation }, told);
    await this.#options.look();
  }

  async #auto(): Promise<void> {
    await this.#options.contents?.read(READ_MS);
    const brings = (at: Moment) => withKnownContents(systemIdentities(at, this.#running()), this.known);
    await this.#unasked('auto', brings, 'learned what the system installed');
  }

  get #lacksContents(): boolean {
    const { complete, contents } = this.#options;
    return complete !== null && contents !== undefined && lacksContents(this.#held.known);
  }

  /** Once after an upgrade from a version that kept paths alone: what runs is taken for what was learned, and is to be reviewed. */
  async #recordContents(): Promise<void> {
    await this.#options.contents?.read(READ_MS);
    const brings = (moment: Moment) => recordedRows(this.#held.rows, this.#observe(moment));
    await this.#unasked('content', brings, 'recorded what learned programs are: see desk baseline review');
  }

  /**
   * One run of the gate; where it passes, or `passes` says that its moment may be learned, A and the given rows become the
   * next generation. `rows` are those of it, null when nothing was learned.
   */
  async #learn(
    how: How,
    brings: (moment: Moment) => { readonly rows: Rows; readonly closesWindow: string | null },
    otherwise: string | null = null,
    passes: (moment: Moment) => boolean = () => false,
  ): Promise<{ readonly run: GateOutcome; readonly rows: Rows | null }> {
    let rows: Rows | null = null;
    const run = await this.gate.run('scar', {
      teach: ({ moment, passed }): Lesson => {
        const residue = residueOfRun(moment, false);
        // What was written from outside since the look is not built upon either.
        const may = passed || passes(moment);
        if (!may || !this.#held.sound) return { residue, generation: null, closesWindow: otherwise };
        const { closesWindow, ...found } = brings(moment);
        const brought = withoutUnconfirmed(found.rows, moment, false);
        // What the system installed may be gone by now; on demand A is confirmed even when B has nothing else.
        if (how !== 'learned' && brought.size === 0) return { residue, generation: null, closesWindow: null };
        rows = union(this.#held.rows, brought);
        const { generation } = this.#options.store.standing().baseline;
        return { residue, generation: this.#generation(how, generation, rows), closesWindow };
      },
    });
    if (!run.recorded) throw storeFails(this.#options.store);
    return { run, rows };
  }

  #heldAfter({ generation }: GateOutcome): number {
    return generation ?? this.#options.store.standing().baseline.generation;
  }

  #generation(how: How, parent: number, rows: Rows): NewGeneration {
    return {
      how,
      privilege: this.#held.privilegeNow,
      learnedAt: this.#now(),
      parent,
      rows: rows.values(),
    };
  }

  /** B, and what an open window has gathered before it. */
  #withWindow(moment: Moment): Rows {
    return union(rowsBy(this.#options.store.windowRows()), this.#observe(moment));
  }

  #observe(moment: Moment): Rows {
    const { native, law } = this.#options;
    const rows = observe(moment, native, law().bannedPorts, this.#running());
    return underLearnedNames(rows, this.#held.rows);
  }

  #running(): RunningContents {
    return this.#options.contents?.running() ?? new Map();
  }

  /** What a moment of the first pass shows. */
  #observeFirst(moment: Moment): Rows {
    return withoutUnconfirmed(this.#observe(moment), moment, true);
  }

  #now(): string {
    return offsetTime(instantAt(this.#nowMs()));
  }
}
