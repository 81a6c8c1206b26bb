/**
 * The scar gate at work: one run of the pipeline at a time, and each run one transaction of the store, with the findings that
 * opened and closed in it, its residue, and what was learned by it.
 */

import { instantAt } from '../engine/assemble.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { type CookOff, type PipelineMode, type PipelineRun, runPipeline } from '../gate/pipeline.ts';
import type { GateStep, Moment } from '../records/moment.ts';
import { offsetTime } from '../records/time.ts';
import type { BaselineRow, NewGeneration, ResidueRow } from '../store/baseline.ts';
import type { GuardedStore } from '../store/guarded.ts';
import type { FindingChanges } from '../store/store.ts';
import { WaitingChanges } from './waiting-changes.ts';

/** By itself at most this often. */
const GATE_EVERY_MS = 1_000;

/** What a run brings beside its steps. */
export interface Lesson {
  readonly residue: readonly ResidueRow[];
  readonly generation: NewGeneration | null;
  /** Why the open learning window ends; null when it does not. */
  readonly closesWindow: string | null;
}

interface ScarGateOptions {
  /** A fresh observation, cooked into findings. */
  readonly look: () => Promise<Moment>;
  /** C of a moment, for runs that teach nothing. */
  readonly residue: (moment: Moment) => readonly ResidueRow[];
  /** Rows of A that a clean observation shows for the first time, and that they were marked. */
  readonly seen: {
    of(snapshot: Snapshot): readonly BaselineRow[];
    marked(rows: readonly BaselineRow[]): void;
  };
  readonly store: Pick<
    GuardedStore,
    'authoritativeGenerations' | 'recordEvent' | 'recordFindings' | 'recordRun' | 'recordUnwritten'
  >;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs?: () => number;
}

interface RunOptions {
  /** A moment made just now spares the first look. */
  readonly first?: Moment;
  /** Default: every scar is left to a person. */
  readonly cookOff?: CookOff;
  /** What is learned by this run, decided over its last moment. */
  readonly teach?: (run: PipelineRun) => Lesson;
}

export interface GateOutcome extends PipelineRun {
  /** The generation that the run made; null when it made none. */
  readonly generation: number | null;
  /** False when the store refused the run: nothing of it stands. */
  readonly recorded: boolean;
}

/** What was seen and done is told, and that it stands nowhere. */
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
  #due = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: ScarGateOptions) {
    this.#options = options;
    this.#clockMs = options.clockMs ?? (() => performance.now());
  }

  /**
   * Findings that the observation of this generation opened or closed. They are written with the run that is under way or
   * due, else at once. `soon`: `whenDue` is called next.
   */
  note(change: FindingChanges, generation: number, soon: boolean): void {
    if (change.opened.length === 0 && change.closed.length === 0) return;
    this.#waiting.add(change, generation);
    this.#due = true;
    if (this.#runs === 0 && !(soon && this.#mayRun())) this.flush();
  }

  /** Writes the findings that no run has taken along. What the store cannot take now waits for the next run, which is due. */
  flush(): void {
    const { store } = this.#options;
    const waiting = this.#waiting;
    for (let next = waiting.first; next !== undefined; next = waiting.first) {
      if (!store.recordFindings(next.opened, next.closed, next.at)) return;
      waiting.shift();
    }
    this.#writeRest();
  }

  /** A line of a finding's history. It stands at once, and with it the finding: what a run has done must outlive a crash. */
  recordEvent(finding: string, at: string, event: string): void {
    this.#waiting.addLine({ finding, at, event });
    this.flush();
  }

  /** Lines of history, and counts of what was dropped: behind the findings that they are about. */
  #writeRest(): void {
    const { store } = this.#options;
    const waiting = this.#waiting;
    for (let line = waiting.lines[0]; line !== undefined; line = waiting.lines[0]) {
      if (!store.recordEvent(line.finding, line.at, line.event)) return;
      waiting.shiftLine();
    }
    const { dropped, droppedLines } = waiting;
    if (dropped.length === 0 && droppedLines === 0) return;
    if (store.recordUnwritten(dropped, droppedLines, offsetTime(instantAt(Date.now())))) waiting.counted();
  }

  /** Runs over `latest` when the set of findings has changed, at most once a second. */
  async whenDue(latest: Moment): Promise<void> {
    if (this.#due && this.#mayRun()) await this.run('scar', { first: latest });
  }

  /** Rejects when a look does; what was noted by then is written. */
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

  async #run(mode: PipelineMode, { first, cookOff, teach }: RunOptions): Promise<GateOutcome> {
    const { look, store } = this.#options;
    this.#lastMs = this.#clockMs();
    let made = first;
    try {
      const run = await runPipeline(mode, {
        look: () => {
          const moment = made === undefined ? look() : Promise.resolve(made);
          made = undefined;
          return moment;
        },
        god: () => store.authoritativeGenerations(),
        clockMs: this.#clockMs,
        ...(cookOff && { cookOff }),
      });
      return this.#commit(mode, run, teach);
    } finally {
      this.#runs--;
      if (this.#runs === 0) this.flush();
    }
  }

  #commit(mode: PipelineMode, run: PipelineRun, teach: RunOptions['teach']): GateOutcome {
    const { store, seen, residue } = this.#options;
    const { moment, steps, passed } = run;
    const lesson: Lesson = teach?.(run) ?? {
      residue: residue(moment),
      generation: null,
      closesWindow: null,
    };
    // A new generation starts unseen.
    const again = passed && lesson.generation === null ? seen.of(moment.snapshot) : [];
    const recorded = store.recordRun({
      run: {
        at: offsetTime(moment.snapshot.at),
        mode,
        steps,
        state: passed ? 'pass' : 'fail',
        scarCount: moment.judgement.scars.length,
        god: store.authoritativeGenerations(),
      },
      changes: this.#waiting.changes,
      seen: again,
      ...lesson,
    });
    if (recorded === false) return { ...run, steps: unrecorded(steps), generation: null, recorded: false };
    // What a later observation brought is written too, and asks for a run of its own.
    this.#due = this.#waiting.clear(moment.snapshot.generation);
    this.#writeRest();
    seen.marked(again);
    return { ...run, generation: recorded.generation, recorded: true };
  }
}
