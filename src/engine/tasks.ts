/** What the engine asks of a worker, and what it gets back. Buffers are shared; everything else is a small plain value. */

import { OWNER_ROUNDS, type OwnersResult, type WalkResult } from '../native/owners-types.ts';
import {
  type Capacity,
  isRefusal,
  type MachineResult,
  type NativeAddon,
  type Refusal,
  type RereadResult,
  type ShardResult,
  type SocketResult,
} from '../native/types.ts';
import { type HiddenResultOf, type HiddenTask, isHidden, performHidden } from './hidden-tasks.ts';
import { isSlow, performSlow, type SlowResultOf, type SlowTask } from './slow-tasks.ts';

/** Where a generation is written. */
interface Place {
  readonly root: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
}

/** What is asked of the sockets; nothing of a fixture root, whose sockets are not the kernel's. */
export interface SocketsAsked {
  readonly connections: boolean;
  /** The only processes in which holders of connections are looked for; null = all. */
  readonly deskPids: Int32Array | null;
}

/** Sockets, then the list of processes, whose rows shards fill. */
interface ListTask extends Place {
  readonly kind: 'list';
  readonly sockets: SocketsAsked | null;
}

/** Sockets, processes by the kernel's task iterator, and the known holders. */
interface TasksTask extends Place {
  readonly kind: 'tasks';
  readonly sockets: SocketsAsked | null;
  /** Compare with the list of /proc. */
  readonly listed: boolean;
  readonly dirty: Int32Array | null;
}

/** Sockets, the process rows of the generation before with what changed read again, and the known holders. */
interface CarryTask extends Place {
  readonly kind: 'carry';
  readonly sockets: SocketsAsked | null;
  readonly previous: Uint8Array;
  readonly previousCount: number;
  readonly dirty: Int32Array;
  /** Compare with the list of /proc. */
  readonly listed: boolean;
}

export interface Gathering {
  readonly sockets: SocketResult | null;
  /** Rows wanted; more than the capacity means that the rows are not complete. */
  readonly processes: number | Refusal;
  /** The text arena ran out. */
  readonly overflow: boolean;
  /** Null when holders were not asked for, or nothing was to be joined. */
  readonly owners: OwnersResult | null;
}

/** Fills the rows of one shard, or reads the confinement of filled ones again. */
interface ShardTask extends Place {
  readonly kind: 'shard' | 'reread';
  readonly count: number;
  readonly shard: number;
  readonly shards: number;
}

/** The filled rows whose sockets and processes are to be joined. */
interface OwnerRows extends Place {
  readonly count: number;
  readonly listeners: number;
  readonly connections: number;
}

/** Writes the holders of the sockets, as far as they are known. */
interface OwnersTask extends OwnerRows {
  readonly kind: 'owners';
  readonly deskPids: Int32Array | null;
}

/** Looks for unknown holders among the processes of one shard. */
interface WalkTask extends OwnerRows {
  readonly kind: 'walk';
  readonly shard: number;
  readonly shards: number;
  readonly refresh: boolean;
}

/** Looks for the holders of all sockets by the kernel's iterator. */
interface WalkFilesTask extends OwnerRows {
  readonly kind: 'walk-files';
}

interface MachineTask {
  readonly kind: 'machine';
  readonly root: number;
}

/** Judges rows [from, to) into the shared bitmaps. */
interface BatchTask {
  readonly kind: 'batch';
  readonly handle: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
  readonly processes: number;
  readonly listeners: number;
  readonly from: number;
  readonly to: number;
  readonly parameters: BigUint64Array;
  readonly verdicts: Uint8Array;
}

export type Task =
  | ListTask
  | TasksTask
  | CarryTask
  | ShardTask
  | OwnersTask
  | WalkTask
  | WalkFilesTask
  | MachineTask
  | SlowTask
  | BatchTask
  | HiddenTask;

interface Results {
  readonly list: Gathering;
  readonly tasks: Gathering;
  readonly carry: Gathering;
  readonly shard: ShardResult;
  readonly reread: RereadResult;
  readonly owners: OwnersResult;
  readonly walk: WalkResult;
  readonly 'walk-files': WalkResult | Refusal;
  readonly machine: MachineResult;
  readonly batch: Uint32Array;
}

export type ResultOf<T extends Task> = T extends HiddenTask
  ? HiddenResultOf<T>
  : T extends SlowTask
    ? SlowResultOf<T>
    : Results[Exclude<T, HiddenTask | SlowTask>['kind']];

export function perform(
  native: NativeAddon,
  task: Task,
): Results[keyof Results] | HiddenResultOf<HiddenTask> | SlowResultOf<SlowTask> {
  if (isHidden(task)) return performHidden(native, task);
  if (isSlow(task)) return performSlow(native, task);
  switch (task.kind) {
    case 'list':
    case 'tasks':
    case 'carry':
      return gather(native, task);
    case 'shard':
      return native.sweepShard(task.root, task.buffer, task.capacity, task.count, task.shard, task.shards);
    case 'reread':
      return native.rereadRows(task.root, task.buffer, task.capacity, task.count, task.shard, task.shards);
    case 'owners':
      return native.ownersCollect(...rowsOf(task), nowMs(), null, task.deskPids);
    case 'walk':
      return native.ownersWalk(...rowsOf(task), task.shard, task.shards, task.refresh);
    case 'walk-files':
      return native.ownersWalkFiles(...rowsOf(task));
    case 'machine':
      return native.machine(task.root);
    case 'batch':
      return native.runBatch(
        task.handle,
        task.buffer,
        task.capacity,
        task.processes,
        task.listeners,
        task.from,
        task.to,
        task.parameters,
        task.verdicts,
      );
  }
}

/**
 * Sockets come before processes on purpose: the holder of a socket that was seen is then in the table, unless it exited
 * meanwhile, and a newborn's socket is not taken for one that nobody holds.
 */
function gather(native: NativeAddon, task: ListTask | TasksTask | CarryTask): Gathering {
  const { root, buffer, capacity } = task;
  const sockets = task.sockets && native.listSockets(buffer, capacity, task.sockets.connections);
  const listened = { sockets, overflow: false, owners: null };
  if (task.kind === 'list') return { ...listened, processes: native.listProcesses(root, buffer, capacity) };
  const filled =
    task.kind === 'tasks'
      ? native.sweepTasks(root, buffer, capacity, task.listed)
      : native.carryRows(root, task.previous, buffer, capacity, task.previousCount, task.dirty, task.listed);
  if (isRefusal(filled)) return { ...listened, processes: filled };
  const { count, overflow } = filled;
  const fits = count <= capacity.processes && most(sockets) <= capacity.sockets && !overflow;
  if (sockets === null || !fits) return { ...listened, processes: count, overflow };
  const { listeners, connections } = sockets;
  const rows = rowsOf({ root, buffer, capacity, count, listeners, connections });
  const collect = () => native.ownersCollect(...rows, nowMs(), task.dirty, task.sockets?.deskPids);
  let owners = collect();
  const wanted = () => owners.wanted > 0;
  // Who made the listener, and the newborn, are likely to hold it.
  if (wanted() && task.dirty !== null && task.dirty.length > 0 && task.dirty.length <= FEW_TABLES) {
    native.ownersWalk(...rows, 0, 1, false, task.dirty);
    owners = collect();
  }
  if (wanted() && owners.due > FEW_TABLES && task.kind === 'tasks') {
    native.ownersWalkFiles(...rows);
    owners = collect();
  }
  for (let round = 0; round < OWNER_ROUNDS && owners.wanted > 0 && owners.due <= FEW_TABLES; round++) {
    native.ownersWalk(...rows, 0, 1, false);
    owners = collect();
  }
  return { sockets, processes: count, overflow, owners };
}

/** Descriptor tables that are read on the spot; more are shared among the workers, or asked of the kernel's iterator. */
export const FEW_TABLES = 32;

/** Rows that the larger socket table wants. */
export const most = (sockets: SocketResult | null): number =>
  sockets === null ? 0 : Math.max(sockets.listeners, sockets.connections);

/** CLOCK_MONOTONIC in milliseconds, which all workers share; `performance.now()` starts anew in each. */
const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const rowsOf = ({ root, buffer, capacity, count, listeners, connections }: OwnerRows) =>
  [root, buffer, capacity, count, listeners, connections] as const;
