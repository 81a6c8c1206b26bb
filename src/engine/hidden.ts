/** What the sweeps for hidden processes and hidden ports share: their parts, their progress, their cancellation. */
import type { NativeAddon } from './native/types.ts';
import type { TaskPool } from './pool.ts';

/** What a sweep for hidden things works with; the engine's own parts, or those of a command. */
export interface HiddenDeps {
  readonly native: NativeAddon;
  readonly pool: TaskPool;
}

export interface Progress {
  /** Numbers asked so far, of all of them. */
  readonly done: number;
  readonly total: number;
  readonly stage: string;
}

export interface SweepOptions {
  /** Aborting rejects with its reason once the pieces under way have ended, within about 20 ms. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Between two rounds of confirmation: whatever passes by is gone by then (design: at least 1 ms). */
export const ROUND_GAP_MS = 1;

/**
 * Calls `work(0 … count - 1)`, as many at a time as the pool has workers. Stops at the first failure or abort, and settles
 * only when nothing runs any more.
 */
export async function inLanes(
  pool: TaskPool,
  count: number,
  signal: AbortSignal | undefined,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed) {
      signal?.throwIfAborted();
      const index = next;
      next += 1;
      await work(index);
    }
  };
  const lanes = Array.from({ length: Math.min(pool.workers, count) }, () =>
    lane().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(lanes);
  signal?.throwIfAborted();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Times the stages of a sweep, in whole microseconds. */
export class Stages {
  readonly #began = performance.now();
  readonly #us = new Map<string, number>();

  async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      const us = Math.round((performance.now() - began) * 1000);
      this.#us.set(stage, (this.#us.get(stage) ?? 0) + us);
    }
  }

  of(stage: string): number {
    return this.#us.get(stage) ?? 0;
  }

  total(): number {
    return Math.round((performance.now() - this.#began) * 1000);
  }
}
