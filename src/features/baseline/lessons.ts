/** What a run of the gate teaches: its moment as rows, and the generation that these become with the held one. */

import type { Logger } from 'pino';
import { instantAt } from '../../engine/assemble.ts';
import type { NativeAddon } from '../../engine/native/types.ts';
import { offsetTime } from '../../engine/time.ts';
import type { CookOff, PipelineRun } from '../../findings/pipeline.ts';
import type { Law } from '../../policy/law.ts';
import type { Moment } from '../../records/moment.ts';
import { storeFails } from '../../store/guarded.ts';
import { type GateOutcome, type GateRuns, type Lesson, type ResidueRow, ScarGate } from '../gate/index.ts';
import type { FindingHistory } from '../history/index.ts';
import { type ContentSource, READ_MS } from './contents.ts';
import { HeldBaseline } from './held-baseline.ts';
import { observe, type Rows, type RunningContents, rowsBy, underLearnedNames, union } from './observation.ts';
import { residueOfRun, withoutUnconfirmed } from './residue.ts';
import type { How, NewGeneration } from './rows.ts';
import type { BaselineTables, Taught } from './tables.ts';

export interface LearningOptions {
  readonly baseline: BaselineTables;
  readonly gate: GateRuns;
  readonly findings: FindingHistory;
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

interface Teaching extends Pick<Taught, 'generation' | 'closesWindow'> {
  readonly residue: readonly ResidueRow[];
}

export class Lessons {
  readonly gate: ScarGate;
  readonly held: HeldBaseline;
  readonly nowMs: () => number;
  readonly clockMs: () => number;
  readonly #options: LearningOptions;

  constructor(options: LearningOptions) {
    const { baseline, gate, findings, native, look, clockMs, standingBy } = options;
    this.#options = options;
    this.nowMs = options.nowMs ?? Date.now;
    this.clockMs = options.monotonicMs ?? options.nowMs ?? (() => performance.now());
    this.held = new HeldBaseline(baseline, native);
    this.gate = new ScarGate({
      look,
      runs: gate,
      findings,
      god: () => baseline.standing().god,
      lesson: (run) =>
        this.#lesson(run, {
          residue: residueOfRun(run.moment, false),
          generation: null,
          closesWindow: null,
        }),
      standingBy,
      ...(clockMs && { clockMs }),
    });
  }

  /** Reads contents of what runs that only a digest can tell. */
  async readContents(): Promise<void> {
    await this.#options.contents?.read(READ_MS);
  }

  /**
   * One run of the gate; where it passes, or `passes` says that its moment may be learned, A and the given rows become the
   * next generation. `rows` are those of it, null when nothing was learned.
   */
  async learn(
    how: How,
    brings: (moment: Moment) => { readonly rows: Rows; readonly closesWindow: string | null },
    otherwise: string | null = null,
    passes: (moment: Moment) => boolean = () => false,
  ): Promise<{ readonly run: GateOutcome; readonly rows: Rows | null }> {
    let rows: Rows | null = null;
    const run = await this.gate.run('scar', {
      teach: (done) => {
        const { moment, passed } = done;
        const residue = residueOfRun(moment, false);
        // What was written from outside since the look is not built upon either.
        const may = passed || passes(moment);
        if (!may || !this.held.sound)
          return this.#lesson(done, { residue, generation: null, closesWindow: otherwise });
        const { closesWindow, ...found } = brings(moment);
        const brought = withoutUnconfirmed(found.rows, moment, false);
        // What the system installed may be gone by now; on demand A is confirmed even when B has nothing else.
        if (how !== 'learned' && brought.size === 0)
          return this.#lesson(done, { residue, generation: null, closesWindow: null });
        rows = union(this.held.rows, brought);
        const { generation } = this.#options.baseline.standing().baseline;
        return this.#lesson(done, {
          residue,
          generation: this.#generation(how, generation, rows),
          closesWindow,
        });
      },
    });
    if (!run.recorded) throw storeFails(this.#options.baseline.access);
    return { run, rows };
  }

  /** The first generation, of what the first pass has shown until its end. */
  learnFirst(rowsOf: (moment: Moment, residue: readonly ResidueRow[]) => Rows): Promise<GateOutcome> {
    return this.gate.run('scar', {
      teach: (done) => {
        const { moment } = done;
        const residue = residueOfRun(moment, true);
        const rows = rowsOf(moment, residue);
        const { firstUse, god } = this.#options.baseline.standing();
        const may = firstUse && god === 1 && moment.snapshot.counts.identities > 0;
        const generation = may ? this.#generation('first use', 0, rows) : null;
        return this.#lesson(done, { residue, generation, closesWindow: null });
      },
    });
  }

  /** A run of the gate also marks the rows of A that it shows for the first time; a new generation starts unseen. */
  #lesson({ moment, passed }: PipelineRun<Moment>, { residue, ...taught }: Teaching): Lesson {
    const { baseline: tables } = this.#options;
    const seen = passed && taught.generation === null ? this.held.seenNow(moment.snapshot) : [];
    return {
      residue,
      teach: (at) => tables.teach({ seen, ...taught }, residue, at),
      recorded: () => this.held.markedSeen(seen),
    };
  }

  #generation(how: How, parent: number, rows: Rows): NewGeneration {
    return {
      how,
      privilege: this.held.privilegeNow,
      learnedAt: this.now(),
      parent,
      rows: rows.values(),
    };
  }

  /** B, and what an open window has gathered before it. */
  withWindow(moment: Moment): Rows {
    return union(rowsBy(this.#options.baseline.windowRows()), this.observe(moment));
  }

  observe(moment: Moment): Rows {
    const { native, law } = this.#options;
    const rows = observe(moment, native, law().bannedPorts, this.running());
    return underLearnedNames(rows, this.held.rows);
  }

  running(): RunningContents {
    return this.#options.contents?.running() ?? new Map();
  }

  now(): string {
    return offsetTime(instantAt(this.nowMs()));
  }
}
