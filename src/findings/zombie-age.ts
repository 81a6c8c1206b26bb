/**
 * How long processes have been dead, from the first sweep that showed them so: the kernel only says when they were started. What
 * was dead in the very first sweep may have been so ever since its start.
 */
import { ZOMBIE_STATES } from '../engine/process-states.ts';
import type { Snapshot } from '../engine/snapshot.ts';

type Process = { readonly pid: number; readonly start: string };

const keyOf = ({ pid, start }: Process): string => `${pid} ${start}`;

export class ZombieAge {
  /** Milliseconds of the monotonic clock, by process; null before the first sweep. */
  #since: ReadonlyMap<string, number> | null = null;
  #nowMs = 0;

  /** Takes a sweep, while its columns hold. */
  take({ processes, counts, at }: Snapshot): void {
    const before = this.#since;
    const since = new Map<string, number>();
    this.#since = since;
    this.#nowMs = at.monotonicMs;
    if (counts.fried === 0) return;
    const { pid, start, state } = processes.columns;
    for (let row = 0; row < processes.count; row++) {
      if (!ZOMBIE_STATES.includes(state[row] ?? 0)) continue;
      const key = keyOf({ pid: pid[row] ?? 0, start: String(start[row]) });
      since.set(key, before === null ? Number.NEGATIVE_INFINITY : (before.get(key) ?? at.monotonicMs));
    }
  }

  /** Whether it died less than `sec` seconds before the last sweep. */
  isYounger(process: Process, sec: number): boolean {
    return this.#nowMs - (this.#since?.get(keyOf(process)) ?? Number.NEGATIVE_INFINITY) < sec * 1000;
  }
}
