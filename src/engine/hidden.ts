/** What the scans for hidden processes, hidden ports and other namespaces share: shards, progress, cancellation. */
import type { NativeAddon } from './native/types.ts';
import type { TaskPool } from './pool.ts';

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
  /** Aborting rejects with its reason once the running shards have ended, within about 20 ms. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Between two rounds of confirmation, for what is transient (design: at least 1 ms). */
export const ROUND_GAP_MS = 1;
/** Whole microseconds; `start` lasts until a worker answers. */
export type StageTimes<S extends string> = Readonly<Record<S | 'total', number>>;

/** Calls `work` for each shard [from, to) of `count`, one per worker at a time. Stops at the first failure or abort, and settles when nothing runs. */
export async function inShards(
  { pool, signal }: { readonly pool: TaskPool; readonly signal: AbortSignal | undefined },
  [count, size]: readonly [count: number, size: number],
  work: (from: number, to: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed) {
      signal?.throwIfAborted();
      const from = next;
      next += size;
      await work(from, Math.min(count, next));
    }
  };
  const lanes = Array.from({ length: pool.workers }, () =>
    lane().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(lanes);
  signal?.throwIfAborted();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

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

  /** Whole microseconds of each of these, 0 for one that did not run, and of all. */
  us<S extends string>(...stages: readonly S[]): StageTimes<S> {
    const total = Math.round((performance.now() - this.#began) * 1000);
    const each = Object.fromEntries(stages.map((stage) => [stage, this.#us.get(stage) ?? 0]));
    return { ...(each as Record<S, number>), total };
  }
}
