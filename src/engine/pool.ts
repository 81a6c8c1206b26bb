/** The worker threads of the engine, over Piscina: they start when there is work, load the addon once each, and end when there is none. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { atMost } from '../base/promises.ts';
import { type ArgsOf, HEAP_SLOTS, heapSlot, type ResultOf, type Task } from './tasks.ts';

/** More workers than this gain nothing on a sweep of a few milliseconds. */
const MOST_WORKERS = 4;
/**
 * A worker ends after this long without a task. With `procfs` there is one at least every 10 s (a pass over all processes, after the
 * longest pause of the loop), so its workers live on; starting one costs 70 ms of CPU (docs/decisions/piscina.md).
 */
const IDLE_MS = 15_000;

export interface TaskPool {
  readonly workers: number;
  /** Rejects when the task throws or its worker dies; the next task gets a fresh worker. */
  run<T extends Task>(task: T, ...args: ArgsOf<T>): Promise<ResultOf<T>>;
  /** The threads that run now, and their JavaScript heaps as of their last task. */
  memory?(): { readonly threads: number; readonly heapBytes: number };
  /** Stops the workers; resolves when they have ended, at the latest after `deadlineMs`. */
  close(deadlineMs?: number): Promise<void>;
}

export const defaultWorkers = (): number => Math.min(MOST_WORKERS, availableParallelism());

export class Pool implements TaskPool {
  readonly workers: number;
  readonly #piscina: Piscina;
  readonly #heaps = new Float64Array(new SharedArrayBuffer(HEAP_SLOTS * Float64Array.BYTES_PER_ELEMENT));

  /** All workers load the build `mark`. */
  constructor(workers: number, mark: string, { idleMs = IDLE_MS }: { readonly idleMs?: number } = {}) {
    if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
      throw new RangeError(`workers must be a whole number from 1 to 64, not ${workers}`);
    }
    this.workers = workers;
    // The sibling has the extension this file runs under: .ts beneath tsx, .js when compiled.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#piscina = new Piscina({
      filename: new URL(`./worker.${extension}`, import.meta.url).href,
      minThreads: 0,
      idleTimeout: idleMs,
      maxThreads: workers,
      workerData: this.#heaps,
      // Nothing else is handed on: a variable may change what code runs.
      env: { DESK_MARK: mark },
      recordTiming: false,
    });
    // A worker that dies while idle has no task to fail; Piscina replaces it.
    this.#piscina.on('error', () => {});
  }

  /** Ids of the running threads. */
  get threads(): readonly { readonly threadId: number; terminate(): Promise<number> }[] {
    return this.#piscina.threads;
  }

  run<T extends Task>(task: T, ...args: ArgsOf<T>): Promise<ResultOf<T>> {
    return this.#piscina.run([task, args]);
  }

  memory(): ReturnType<NonNullable<TaskPool['memory']>> {
    const threads = this.threads;
    const heapBytes = threads.reduce(
      (sum, { threadId }) => sum + (this.#heaps[heapSlot(threadId)] as number),
      0,
    );
    return { threads: threads.length, heapBytes };
  }

  async close(deadlineMs?: number): Promise<void> {
    const ended = this.#piscina.destroy();
    await (deadlineMs === undefined ? ended : atMost(ended, deadlineMs));
  }
}
