/** What the state and flags of a process mean. */
import { PF_KTHREAD } from './native/types.ts';
import type { ProcessTable } from './snapshot.ts';

export const isKernelThread = (table: ProcessTable, row: number): boolean =>
  ((table.columns.flags[row] ?? 0) & PF_KTHREAD) !== 0;

/** States of zombies and dead processes (proc_pid_stat(5) field 3). */
export const ZOMBIE_STATES: readonly number[] = ['Z', 'X', 'x'].map((state) => state.charCodeAt(0));

/** What WRAP_STATE says of the confinement of a process, by its numbers. */
export const WRAPS = ['free', 'wrapped', 'blind', 'none'] as const;
