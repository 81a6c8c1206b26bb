/** When the scar gate runs, and the record that each run leaves. */
import { type PipelineMode, type PipelineRun, runPipeline } from './gate/pipeline.ts';
import type { Moment } from './records/moment.ts';
import { offsetTime } from './records/time.ts';
import type { GuardedStore } from './store/guarded.ts';

/** By itself it runs at most this often. */
const EVERY_MS = 1_000;

export class Gate {
  readonly #store: GuardedStore;
  #due = false;
  #startedMs = Number.NEGATIVE_INFINITY;

  constructor(store: GuardedStore) {
    this.#store = store;
  }

  /** The confirmed findings have changed. */
  ask(): void {
    this.#due = true;
  }

  /** Runs over what has just been seen, if it was asked for and has rested. */
  async runWhenDue(seen: Moment | null): Promise<void> {
    if (seen === null || !this.#due || performance.now() - this.#startedMs < EVERY_MS) return;
    await this.run('scar', async () => seen);
  }

  /** `look` makes a fresh observation. */
  async run(mode: PipelineMode, look: () => Promise<Moment>): Promise<PipelineRun> {
    this.#startedMs = performance.now();
    const god = () => this.#store.authoritativeGenerations();
    const run = await runPipeline(mode, { look, god, clockMs: () => performance.now() });
    this.#store.recordGateRun({
      at: offsetTime(run.moment.snapshot.at),
      mode,
      steps: run.steps,
      state: run.passed ? 'pass' : 'fail',
      scarCount: run.moment.judgement.scars.length,
      god: god(),
    });
    this.#due = false;
    return run;
  }
}
