/** What a run of the gate teaches: its state as rows, and the generation that these become with the held one. */

import type { Logger } from 'pino';
import type { BaselineState, Known } from '../../checks/check.ts';
import { instantAt } from '../../engine/assemble.ts';
import type { NativeAddon } from '../../engine/native/types.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Judgement } from '../../findings/finding.ts';
import type { CookOff, PipelineRun } from '../../findings/pipeline.ts';
import type { Law } from '../../policy/law.ts';
import type { DeskState } from '../../records/state.ts';
import { storeFails } from '../../store/guarded.ts';
import { type GateOutcome, type GateRuns, type Lesson, type ResidueRow, ScarGate } from '../gate/index.ts';
import type { FindingHistory } from '../history/index.ts';
import { type ContentSource, READ_MS } from './contents.ts';
import { HeldBaseline } from './held-baseline.ts';
import { observe, type Rows, type RunningContents, rowsBy, underLearnedNames, union } from './observation.ts';
import { residueOf, residueOfRun, withoutUnconfirmed } from './residue.ts';
import type { How, NewGeneration } from './rows.ts';
import type { BaselineTables, Taught } from './tables.ts';

export interface LearningOptions {
  readonly baseline: BaselineTables;
  readonly gate: GateRuns;
  readonly findings: FindingHistory;
  readonly native: Pick<NativeAddon, 'identityOf' | 'hashIdentity'>;
  readonly law: () => Law;
  readonly log: Logger;
  readonly sweep: () => Promise<DeskState>;
  /** What cook-off says of a run of the gate that starts automatically. */
  readonly defaultCookOff: CookOff;
  /** Whether every scheduled tier has scanned everything once; null: nothing is learned automatically. */
  readonly complete: (() => boolean) | null;
  /** Absent: programs are learned by their paths. */
  readonly contents?: ContentSource;
  readonly nowMs?: () => number;
  /** Milliseconds of a monotonic clock, for intervals; default: `nowMs` where a test holds that one. */
  readonly monotonicMs?: (() => number) | undefined;
  readonly clockMs?: () => number;
}

interface Teaching extends Omit<Taught, 'seen'> {
  readonly residue: readonly ResidueRow[];
}

/** What a run of the gate brings into the next generation. */
interface Brought extends Pick<Teaching, 'closesWindow' | 'unrecorded'> {
  readonly rows: Rows;
}

export class Lessons {
  readonly gate: ScarGate;
  protected readonly heldBaseline: HeldBaseline;
  protected readonly nowMs: () => number;
  protected readonly clockMs: () => number;
  protected readonly options: LearningOptions;

  constructor(options: LearningOptions) {
    const { baseline, gate, findings, native, sweep, clockMs, defaultCookOff } = options;
    this.options = options;
    this.nowMs = options.nowMs ?? Date.now;
    this.clockMs = options.monotonicMs ?? options.nowMs ?? (() => performance.now());
    this.heldBaseline = new HeldBaseline(baseline, native);
    this.gate = new ScarGate({
      sweep,
      runs: gate,
      findings,
      god: () => baseline.state().god,
      lesson: (run) =>
        this.#lesson(run, { residue: residueOfRun(run.state, false), generation: null, closesWindow: null }),
      defaultCookOff,
      ...(clockMs && { clockMs }),
    });
  }

  get known(): Known | null {
    return this.heldBaseline.known;
  }

  held(snapshot: Snapshot): { readonly known: Known | null; readonly baseline: BaselineState } {
    return this.heldBaseline.at(snapshot);
  }

  /** Reads contents of what runs that only a digest can tell. */
  protected async readContents(): Promise<void> {
    await this.options.contents?.read(READ_MS);
  }

  /**
   * One run of the gate; where it passes, or `passes` allows it, A and `rows` become the next generation. `rows` null: nothing learned.
   * `rejects`: the scars whose rows are not learned; default: all.
   */
  protected async teach(
    how: How,
    brings: (state: DeskState) => Brought,
    otherwise: string | null = null,
    passes: (state: DeskState) => boolean = () => false,
    rejects: (scars: Judgement['scars']) => Judgement['scars'] = (scars) => scars,
  ): Promise<{ readonly run: GateOutcome; readonly rows: Rows | null }> {
    let rows: Rows | null = null;
    const run = await this.gate.run('scar', {
      teach: (done) => {
        const { state, passed } = done;
        const residue = residueOf(rejects(state.judgement.scars), state.snapshot);
        // What was written from outside since the sweep is not built upon either.
        const may = passed || passes(state);
        if (!may || !this.heldBaseline.sound)
          return this.#lesson(done, { residue, generation: null, closesWindow: otherwise });
        const { rows: found, ...teaching } = brings(state);
        const brought = withoutUnconfirmed(found, state, false);
        // What the system installed may be gone by now; on demand A is confirmed even when B has nothing else.
        if (how !== 'learned' && brought.size === 0)
          return this.#lesson(done, { ...teaching, residue, generation: null, closesWindow: null });
        rows = union(this.heldBaseline.rows, brought);
        const { generation } = this.options.baseline.state().baseline;
        return this.#lesson(done, {
          ...teaching,
          residue,
          generation: this.#generation(how, generation, rows),
        });
      },
    });
    if (!run.recorded) throw storeFails(this.options.baseline.access);
    return { run, rows };
  }

  /** The first generation, of what the first pass has shown until its end. */
  protected learnFirst(
    rowsOf: (state: DeskState, residue: readonly ResidueRow[]) => Rows,
  ): Promise<GateOutcome> {
    return this.gate.run('scar', {
      teach: (done) => {
        const { state } = done;
        const residue = residueOfRun(state, true);
        const rows = rowsOf(state, residue);
        const { firstUse, god } = this.options.baseline.state();
        const may = firstUse && god === 1 && state.snapshot.counts.identities > 0;
        const generation = may ? this.#generation('first use', 0, rows) : null;
        const unrecorded = may ? state.judgement.missed : undefined;
        return this.#lesson(done, { residue, generation, closesWindow: null, unrecorded });
      },
    });
  }

  /** A run of the gate also marks the rows of A that it shows for the first time; a new generation starts unseen. */
  #lesson({ state, passed }: PipelineRun<DeskState>, { residue, ...taught }: Teaching): Lesson {
    const { baseline: tables } = this.options;
    const seen = passed && taught.generation === null ? this.heldBaseline.seenNow(state.snapshot) : [];
    return {
      residue,
      teach: (at) => tables.teach({ seen, ...taught }, residue, at),
      recorded: () => this.heldBaseline.markedSeen(seen),
    };
  }

  #generation(how: How, parent: number, rows: Rows): NewGeneration {
    return {
      how,
      privilege: this.heldBaseline.privilegeNow,
      learnedAt: this.now(),
      parent,
      rows: rows.values(),
    };
  }

  /** B, and what an open window has gathered before it. */
  protected withWindow(state: DeskState): Rows {
    return union(rowsBy(this.options.baseline.windowRows()), this.observe(state));
  }

  protected observe(state: DeskState): Rows {
    const { native, law } = this.options;
    const rows = observe(state, native, law().bannedPorts, this.running());
    return underLearnedNames(rows, this.heldBaseline.rows);
  }

  protected running(): RunningContents {
    return this.options.contents?.running() ?? new Map();
  }

  protected now(): string {
    return offsetTime(instantAt(this.nowMs()));
  }
}
