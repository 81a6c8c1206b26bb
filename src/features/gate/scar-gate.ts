/** One run of the pipeline at a time, each one transaction of the store: findings opened and closed in it, residue, what was learned. */

import { now } from '../../engine/now.ts';
import { offsetTime } from '../../engine/time.ts';
import { type Finding, isGrave } from '../../findings/finding.ts';
import {
  type CookOff,
  type GateStep,
  type PipelineMode,
  type PipelineRun,
  runPipeline,
} from '../../findings/pipeline.ts';
import type { Rechecked } from '../../findings/recheck.ts';
import type { DeskState } from '../../records/state.ts';
import { AT_ONCE, type FindingChanges, type FindingHistory, WaitingChanges } from '../history/index.ts';
import type { GateRuns, ResidueRow } from './gate-runs.ts';

const GATE_EVERY_MS = 1_000;
/** After so long of writing, other work runs first. */
const WRITING_MS = 20;

/** What a run brings besides its steps. */
export interface Lesson {
  /** C: what the scars of its last state touch. */
  readonly residue: readonly ResidueRow[];
  /** Writes what is learned, in the transaction of the run at `at` (RFC 3339); the number of the new generation, null without one. */
  readonly teach: (at: string) => number | null;
  readonly recorded: () => void;
}

interface ScarGateOptions {
  /** A fresh observation, cooked into findings. */
  readonly sweep: () => Promise<DeskState>;
  /** GOD; 0 when it cannot be counted, which fails the gate. */
  readonly god: () => number;
  /** Of runs that teach nothing. */
  readonly lesson: (run: PipelineRun<DeskState>) => Lesson;
  readonly runs: Pick<GateRuns, 'record'>;
  readonly findings: Pick<FindingHistory, 'open' | 'record' | 'recordUnwritten' | 'beforeReading'>;
  /** What cook-off says where a run brings none of its own. */
  readonly defaultCookOff: CookOff;
  readonly clockMs?: () => number;
}

interface RunOptions {
  /** A state made just now replaces the first sweep. */
  readonly first?: DeskState;
  readonly cookOff?: CookOff;
  /** What is learned by this run, decided over its last state. */
  readonly teach?: (run: PipelineRun<DeskState>) => Lesson;
}

export interface GateOutcome extends PipelineRun<DeskState> {
  /** The generation that the run made; null when it made none. */
  readonly generation: number | null;
  /** False when the store refused the run: none of it is written. */
  readonly recorded: boolean;
}

/** What was seen and done is reported, and that it is not recorded. */
const unrecorded = (steps: readonly GateStep[]): readonly GateStep[] =>
  steps.map((step, at) =>
    at < steps.length - 1
      ? step
      : { ...step, ok: false, detail: `${step.detail}; not recorded, the store fails` },
  );

export class ScarGate {
  readonly #options: ScarGateOptions;
  readonly #clockMs: () => number;
  #tail: Promise<unknown> = Promise.resolve();
  /** Runs that were asked for and have not ended. */
  #runs = 0;
  readonly #waiting = new WaitingChanges();
  /** Open findings of the newest observation that was noted; null before. */
  #open: readonly Finding[] | null = null;
  #writing: NodeJS.Immediate | undefined;
  #flushing = false;
  #due = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: ScarGateOptions) {
    this.#options = options;
    this.#clockMs = options.clockMs ?? (() => performance.now());
    options.findings.beforeReading(() => this.flush());
  }

  /**
   * Findings that the observation of this generation opened or closed, and all that are open since. `soon`: `whenDue` is called next.
   * Then, or while a run is under way, they are written with a run within a second, or before findings are read. Otherwise they are
   * written at once, and so are grave ones, which must outlive a crash, and more than fit in one transaction.
   */
  note(
    change: FindingChanges & { readonly open: readonly Finding[] },
    generation: number,
    soon: boolean,
  ): void {
    const { opened, closed, at, open } = change;
    this.#open = open;
    if (opened.length === 0 && closed.length === 0) return;
    this.#waiting.add({ opened, closed, at }, generation);
    this.#due = true;
    const withRun = this.#runs > 0 || (soon && (this.#mayRun() || !opened.some(isGrave)));
    if (!withRun || this.#waiting.size > AT_ONCE) this.flush();
  }

  /** Writes findings that no run has written: now as many as is quick, the others soon. What the store refuses waits for the next run. */
  flush(): void {
    // Writing reads findings too, which asks for a flush.
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      this.#writeSome();
    } finally {
      this.#flushing = false;
    }
  }

  #writeSome(): void {
    const startedMs = performance.now();
    while (this.#writeNext())
      if (performance.now() - startedMs >= WRITING_MS) {
        this.#writing ??= setImmediate(() => {
          this.#writing = undefined;
          this.flush();
        });
        return;
      }
  }

  /** Writes all that waits, as far as the store takes it; other work runs in between. */
  async close(): Promise<void> {
    clearImmediate(this.#writing);
    for (let startedMs = performance.now(); this.#writeNext(); ) {
      if (performance.now() - startedMs < WRITING_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      startedMs = performance.now();
    }
  }

  /** A line of a finding's history. It is written at once, and with it the finding: what a run has done must outlive a crash. */
  recordEvent(finding: string, at: string, event: string): void {
    this.#waiting.addLine({ finding, at, event });
    this.flush();
  }

  /** Notes what a recheck brought, and the processes of findings that are known since. */
  rechecked({ snapshot, judgement, opened, closed, described }: Rechecked, soon: boolean): void {
    const change = { opened, closed, open: judgement.findings, at: offsetTime(snapshot.at) };
    this.note(change, snapshot.generation, soon);
    for (const { id, about } of described) if (about !== null) this.#waiting.addLine({ finding: id, about });
    if (described.length > 0 && !soon) this.flush();
  }

  /** One transaction: findings, history lines, counts of dropped ones, what that tore. False: nothing left, or the store refuses it. */
  #writeNext(): boolean {
    const { findings } = this.#options;
    const waiting = this.#waiting;
    const { next } = waiting;
    const lines = waiting.lines.slice(0, AT_ONCE);
    if (next.length > 0 || lines.length > 0) {
      const written = findings.record(next.length > 0 ? next : lines);
      if (!written) waiting.bound();
      else if (next.length > 0) waiting.shift(next.length);
      else waiting.shiftLines(lines.length);
      return written;
    }
    const { unwritten, unwrittenLines, torn } = waiting;
    const at = now();
    if (unwritten.length > 0 || unwrittenLines > 0) {
      if (!findings.recordUnwritten(unwritten, unwrittenLines, at)) return false;
      waiting.counted();
      return true;
    }
    if (!torn || this.#open === null) return false;
    const stored = findings.open();
    if (stored === null) return false;
    waiting.reconciled(stored, this.#open, at);
    return true;
  }

  /**
   * Runs over `latest` when the set of findings has changed, at most once a second. Resolves to the milliseconds after which to call it
   * again, or null: after the next observation.
   */
  async whenDue(latest: DeskState): Promise<number | null> {
    if (this.#due && this.#mayRun()) await this.run('scar', { first: latest });
    else if (this.#waiting.lines.length > 0 && this.#mayRun()) this.flush();
    if (!this.#due && this.#waiting.lines.length === 0) return null;
    const restMs = this.#lastMs + GATE_EVERY_MS - this.#clockMs();
    // A run is under way, or the store refuses to write.
    return restMs > 0 ? restMs : GATE_EVERY_MS;
  }

  /** Rejects when a sweep does; what was noted by then is written. */
  run(mode: PipelineMode, options: RunOptions = {}): Promise<GateOutcome> {
    this.#runs++;
    const result = this.#tail.then(() => this.#run(mode, options));
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  #mayRun(): boolean {
    return this.#runs === 0 && this.#clockMs() - this.#lastMs >= GATE_EVERY_MS;
  }

  async #run(mode: PipelineMode, { first, teach, ...run }: RunOptions): Promise<GateOutcome> {
    const { sweep, god, defaultCookOff } = this.#options;
    this.#lastMs = this.#clockMs();
    let made = first;
    try {
      const done = await runPipeline(mode, {
        observe: () => {
          const state = made === undefined ? sweep() : Promise.resolve(made);
          made = undefined;
          return state;
        },
        god,
        clockMs: this.#clockMs,
        cookOff: run.cookOff ?? defaultCookOff,
      });
      return this.#commit(mode, done, teach);
    } finally {
      this.#runs--;
      if (this.#runs === 0) this.flush();
    }
  }

  #commit(mode: PipelineMode, run: PipelineRun<DeskState>, teach: RunOptions['teach']): GateOutcome {
    const { runs, god } = this.#options;
    const { state, steps, passed } = run;
    const { residue, ...lesson } = (teach ?? this.#options.lesson)(run);
    const at = offsetTime(state.snapshot.at);
    const changes = this.#waiting.next;
    const recorded = runs.record({
      run: {
        at,
        mode,
        steps,
        state: passed ? 'pass' : 'fail',
        scarCount: state.judgement.scars.length,
        god: god(),
      },
      changes,
      residue,
      teach: () => lesson.teach(at),
    });
    if (recorded === false) return { ...run, steps: unrecorded(steps), generation: null, recorded: false };
    // What a later observation brought is written too, and asks for a run of its own. So does what was too much for this one.
    const later = this.#waiting.shift(changes.length, state.snapshot.generation);
    this.#due = later || this.#waiting.size > 0;
    this.flush();
    lesson.recorded();
    return { ...run, generation: recorded.generation, recorded: true };
  }
}
