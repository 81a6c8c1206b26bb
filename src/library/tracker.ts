/** What differs between the sweeps that one consumer has seen. */
import type { Snapshot } from '../engine/snapshot.ts';
import { listenerOf, processAt, processesOf } from './plain.ts';
import type { Changes, Delta, Listener, Process } from './types.ts';

/** Whether a process runs or sleeps is not a change. */
const isSame = <T extends Process | Listener>(a: T, b: T): boolean =>
  JSON.stringify({ ...a, state: '' }) === JSON.stringify({ ...b, state: '' });

const listenerKey = ({ protocol, address, port, inode }: Listener): string =>
  `${protocol} ${address} ${port} ${inode}`;

interface Collected<T> {
  readonly added: T[];
  readonly changed: T[];
  readonly removed: T[];
}
const nothing = <T>(): Collected<T> => ({ added: [], changed: [], removed: [] });
const isEmpty = ({ added, changed, removed }: Changes<unknown>): boolean =>
  added.length + changed.length + removed.length === 0;

export class Tracker {
  readonly #processes = new Map<number, Process>();
  readonly #listeners = new Map<string, Listener>();
  #last: Pick<Snapshot, 'generation' | 'listeners'> | null = null;

  /**
   * Takes a sweep before its columns are overwritten; null when nothing differs, unless events were `lost`. The first one adds everything.
   */
  take(snapshot: Snapshot, { gap, lost }: { readonly gap: boolean; readonly lost: boolean }): Delta | null {
    const last = this.#last;
    this.#last = snapshot;
    const follows = last !== null && snapshot.generation === last.generation + 1;
    const processes =
      follows && snapshot.delta !== null
        ? this.#few(snapshot, snapshot.delta.pids)
        : this.#all(processesOf(snapshot.processes));
    const listeners =
      last?.listeners === snapshot.listeners
        ? nothing<Listener>()
        : this.#listening(snapshot.listeners.map(listenerOf));
    if (last !== null && !lost && isEmpty(processes) && isEmpty(listeners)) return null;
    return { generation: snapshot.generation, at: new Date(snapshot.at.epochMs), gap, processes, listeners };
  }

  #few({ processes: table }: Snapshot, pids: Int32Array): Changes<Process> {
    const changes = nothing<Process>();
    for (const pid of pids) {
      const row = table.rowOf(pid);
      this.#process(pid, row < 0 ? null : processAt(table, row), changes);
    }
    return changes;
  }

  #all(now: readonly Process[]): Changes<Process> {
    const changes = nothing<Process>();
    const there = new Set(now.map(({ pid }) => pid));
    for (const pid of [...this.#processes.keys()]) if (!there.has(pid)) this.#process(pid, null, changes);
    for (const process of now) this.#process(process.pid, process, changes);
    return changes;
  }

  #process(pid: number, now: Process | null, { added, changed, removed }: Collected<Process>): void {
    const before = this.#processes.get(pid);
    if (now === null) this.#processes.delete(pid);
    else this.#processes.set(pid, now);
    if (before !== undefined && before.start === now?.start) {
      if (!isSame(before, now)) changed.push(now);
      return;
    }
    if (before !== undefined) removed.push(before);
    if (now !== null) added.push(now);
  }

  #listening(now: readonly Listener[]): Changes<Listener> {
    const changes = nothing<Listener>();
    const left = new Map(this.#listeners);
    this.#listeners.clear();
    for (const listener of now) {
      const key = listenerKey(listener);
      const before = left.get(key);
      left.delete(key);
      this.#listeners.set(key, listener);
      if (before === undefined) changes.added.push(listener);
      else if (!isSame(before, listener)) changes.changed.push(listener);
    }
    changes.removed.push(...left.values());
    return changes;
  }
}
