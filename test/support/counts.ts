/** The totals of `derive`, counted the simple way, for tests to compare with. */

import { FACT, PF_KTHREAD, WRAP_STATE } from '../../src/engine/native/types.ts';
import type { Counts, ProcessTable } from '../../src/engine/snapshot.ts';

const ZOMBIE = 'Z'.charCodeAt(0);
const DEAD = 'X'.charCodeAt(0);
const DEAD_OLD = 'x'.charCodeAt(0);

/** Zombie or dead by its state letter (proc_pid_stat(5) field 3). */
export function isFried(state: number): boolean {
  return state === ZOMBIE || state === DEAD || state === DEAD_OLD;
}

/**
 * Counts one table. User space is what the wrap sweep judged (wrapState is not `notApplicable`), so that
 * userSpace = wrapped + free + wrapBlind holds by construction.
 */
export function countProcesses(table: ProcessTable): Omit<Counts, 'publicListeners' | 'loopbackListeners'> {
  const { state, flags, tty, wrapState, identity, seen, refused } = table.columns;
  const identities = new Set<bigint>();
  let processes = 0;
  let kernelThreads = 0;
  let wrapped = 0;
  let free = 0;
  let wrapBlind = 0;
  let fried = 0;
  let withoutTty = 0;
  let descriptorsBlind = 0;
  let blindProcesses = 0;
  for (let row = 0; row < table.count; row++) {
    const letter = state[row] as number;
    const wrap = wrapState[row] as number;
    if (letter === 0 && wrap === WRAP_STATE.notApplicable) continue;
    processes++;
    if (((flags[row] as number) & PF_KTHREAD) !== 0) kernelThreads++;
    else if (isFried(letter)) fried++;
    if (wrap === WRAP_STATE.notApplicable) continue;
    if (wrap === WRAP_STATE.wrapped) wrapped++;
    else if (wrap === WRAP_STATE.free) free++;
    else wrapBlind++;
    if (tty[row] === 0 && ((seen[row] as number) & FACT.stat) !== 0) withoutTty++;
    const hidden = refused[row] as number;
    if ((hidden & ~FACT.cgroup) !== 0) blindProcesses++;
    if ((hidden & FACT.descriptors) !== 0) descriptorsBlind++;
    const key = identity[row] as bigint;
    if (key !== 0n) identities.add(key);
  }
  return {
    processes,
    kernelThreads,
    userSpace: wrapped + free + wrapBlind,
    wrapped,
    free,
    wrapBlind,
    fried,
    withoutTty,
    identities: identities.size,
    descriptorsBlind,
    blindProcesses,
  };
}

/** Our own pid and all its living descendants by the ppid column, ascending. `self` is there even when the table lacks it. */
export function descendantsOf(table: ProcessTable, self: number): number[] {
  const { pid, ppid, state } = table.columns;
  const children = new Map<number, number[]>();
  for (let row = 0; row < table.count; row++) {
    if (state[row] === 0 || 'ZXx'.includes(String.fromCharCode(state[row] as number))) continue;
    const parent = ppid[row] as number;
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid[row] as number);
    else children.set(parent, [pid[row] as number]);
  }
  const found = new Set([self]);
  // A Set iterates over what is added meanwhile, and never twice over one pid: a ppid cycle cannot hang this.
  for (const parent of found) for (const child of children.get(parent) ?? []) found.add(child);
  return [...found].sort((a, b) => a - b);
}
