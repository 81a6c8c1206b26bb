/** The worker threads of the engine: a fixed crew over Piscina that loads the addon once per thread. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { atMost } from '../base/promises.ts';
import type { ArgsOf, ResultOf, Task } from './tasks.ts';

/** More workers than this gain nothing on a sweep of a few milliseconds. */
const MOST_WORKERS = 4;

export interface TaskPool {
  readonly workers: number;
  /** Rejects when the task throws or its worker dies; the next task gets a fresh worker. */
  run<T extends Task>(task: T, ...args: ArgsOf<T>): Promise<ResultOf<T>>;
  /** Stops the workers; resolves when they have ended, at the latest after `deadlineMs`. */
  close(deadlineMs?: number): Promise<void>;
}

export const defaultWorkers = (): number => Math.min(MOST_WORKERS, availableParallelism());

export class Pool implements TaskPool {
  readonly workers: number;
  readonly #piscina: Piscina;

  /** All workers load the build `mark`. With `idleMs` they start when there is work, and end after that long without any. */
  constructor(workers: number, mark: string, { idleMs }: { readonly idleMs?: number } = {}) {
    if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
      throw new RangeError(`workers must be a whole number from 1 to 64, not ${workers}`);
    }
    this.workers = workers;
    // The sibling has the extension this file runs under: .ts beneath tsx, .js when compiled.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#piscina = new Piscina({
      filename: new URL(`./worker.${extension}`, import.meta.url).href,
      minThreads: idleMs === undefined ? workers : 0,
      ...(idleMs !== undefined && { idleTimeout: idleMs }),
      maxThreads: workers,
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

  async close(deadlineMs?: number): Promise<void> {
    const ended = this.#piscina.destroy();
    await (deadlineMs === undefined ? ended : atMost(ended, deadlineMs));
  }
}
