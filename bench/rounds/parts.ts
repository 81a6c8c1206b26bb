/**
 * The native functions that rounds call, over one buffer of their own. Functions that a build lacks are a reason not to
 * run, so that older builds can be measured beside newer ones (`bench compare`).
 */

import { allocate, type Columns, columnsOver } from '../../src/native/columns.ts';
import { loadNative } from '../../src/native/load.ts';
import type { Capacity, NativeAddon, Refusal } from '../../src/native/types.ts';
import { CannotRun } from '../cases/case.ts';

const CAPACITY: Capacity = { processes: 65_536, sockets: 65_536, holders: 65_536, text: 16 << 20 };

/** What not every build has. */
interface Newer {
  bpfState(): { available: boolean; reason: string };
  sweepTasks(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    listed: boolean,
  ): { count: number; tasks: number; overflow: boolean } | Refusal;
  sweepShard(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    shard: number,
    shards: number,
  ): { overflow: boolean };
  ownersCollect(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    listeners: number,
    connections: number,
    nowMs: number,
  ): { holders: number; unknown: number; wanted: number; overflow: boolean };
  ownersWalk(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    listeners: number,
    connections: number,
    shard: number,
    shards: number,
  ): { walked: number };
  watchStart(
    options: {
      listenPollMs: number;
      rereadMs: readonly number[];
      allMs: number;
      tracepoint: boolean;
    },
    wake: () => void,
  ): { connector: string; tracepoint: string; udp: string } | Refusal;
  watchTake(pids: Int32Array): { processes: boolean; listeners: boolean; resync: boolean; all: boolean };
  watchStop(): void;
}

export interface Parts {
  readonly addon: NativeAddon;
  readonly columns: Columns;
  readonly root: number;
  /** A function of newer builds. @throws CannotRun when this one lacks it. */
  newer<K extends keyof Newer>(name: K): Newer[K];
  has(name: keyof Newer): boolean;
  /** Lists and sweeps by the procfs backend, one shard; `holders` walks descriptor tables too. Rows. */
  sweepProcfs(holders: boolean): number;
}

export function parts(): Parts {
  const { addon } = loadNative();
  const layout = addon.layout(CAPACITY);
  const columns = columnsOver(allocate(layout), layout, CAPACITY);
  const root = addon.openRoot('/proc');
  if (typeof root !== 'number') throw new CannotRun(`/proc does not open: ${root.code}`);
  const held = addon as unknown as Newer;
  const has = (name: keyof Newer): boolean => typeof held[name] === 'function';
  const newer = <K extends keyof Newer>(name: K): Newer[K] => {
    if (!has(name)) throw new CannotRun(`this build has no ${name}`);
    return held[name].bind(held) as Newer[K];
  };
  const sweepProcfs = (holders: boolean): number => {
    const { bytes } = columns;
    const count = addon.listProcesses(root, bytes, CAPACITY);
    if (typeof count !== 'number' || count > CAPACITY.processes) throw new Error('listing failed');
    const { overflow } = has('ownersWalk')
      ? held.sweepShard(root, bytes, CAPACITY, count, 0, 1)
      : addon.sweepShard(root, bytes, CAPACITY, count, holders ? 1 : 0, 0, 0, 1);
    if (overflow) throw new Error('the columns are too small');
    return count;
  };
  return { addon, columns, root, newer, has, sweepProcfs };
}
