/** One desk at a time sends alerts: after a reload the next one waits until the former has stopped, and goes on from what that saved. */
import type { Resident } from '../../desk/feature.ts';
import type { TargetSaved } from './target-state.ts';

export interface Kept {
  readonly state: TargetSaved;
  /** The store was in memory: what an earlier one has was not known. */
  readonly isTemporary: boolean;
}

export class AlertTurn implements Resident<AlertTurn> {
  #last: Promise<void> = Promise.resolve();
  /** States of targets that are not on disk, by name: the next desk goes on from these. */
  readonly kept = new Map<string, Kept>();
  /** Monotonic ms. */
  readonly startedMs = performance.now();

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async begin(): Promise<() => void> {
    const before = this.#last;
    let end: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }

  partFor(): AlertTurn {
    return this;
  }

  take(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** `later` began without `earlier`: what only that one has is still to be resolved or delivered. */
export function joined(earlier: TargetSaved, later: TargetSaved): TargetSaved {
  const isKnown = new Set([...Object.keys(later.reported), ...later.pending.map(({ id }) => id)]);
  const { message, tries, unsure } = later.message === null ? earlier : later;
  return {
    reported: { ...earlier.reported, ...later.reported },
    pending: [...later.pending, ...earlier.pending.filter(({ id }) => !isKnown.has(id))],
    ...{ message, tries, unsure },
    lastMs: later.lastMs ?? earlier.lastMs,
    quiet: later.quiet ?? earlier.quiet,
    digest: later.digest ?? earlier.digest,
  };
}
