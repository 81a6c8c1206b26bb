/** What the engine asks of a worker, and what it gets back. Buffers are shared; everything else is a small plain value. */
import type {
  Capacity,
  MachineResult,
  NativeAddon,
  OwnersResult,
  Refusal,
  ShardResult,
  SocketResult,
  WalkResult,
} from '../native/types.ts';

/** Dumps the sockets, then lists the processes, into one buffer. */
interface GatherTask {
  readonly kind: 'gather';
  readonly root: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
  /** False with a fixture root, whose sockets are not the kernel's. */
  readonly sockets: boolean;
  /** Whether connections are wanted too. */
  readonly connections: boolean;
}

interface GatherResult {
  /** Rows wanted; more than the capacity means that the list is not complete. */
  readonly processes: number | Refusal;
  readonly sockets: SocketResult | null;
}

/** Fills the rows of one shard. */
interface ShardTask {
  readonly kind: 'shard';
  readonly root: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
  readonly count: number;
  readonly shard: number;
  readonly shards: number;
}

/** The filled rows whose sockets and processes are to be joined. */
interface OwnerRows {
  readonly root: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
  readonly count: number;
  readonly listeners: number;
  readonly connections: number;
}

/** Writes the holders of the sockets, as far as they are known. */
interface OwnersTask extends OwnerRows {
  readonly kind: 'owners';
  readonly nowMs: number;
}

/** Looks for unknown holders among the processes of one shard. */
interface WalkTask extends OwnerRows {
  readonly kind: 'walk';
  readonly shard: number;
  readonly shards: number;
  readonly refresh: boolean;
}

/** Reads the machine facts; without `sensors` only the cheap ones. */
interface MachineTask {
  readonly kind: 'machine';
  readonly root: number;
  readonly sys: string;
  readonly sensors: boolean;
}

export type Task = GatherTask | ShardTask | OwnersTask | WalkTask | MachineTask;

interface Results {
  readonly gather: GatherResult;
  readonly shard: ShardResult;
  readonly owners: OwnersResult;
  readonly walk: WalkResult;
  readonly machine: MachineResult;
}

export type ResultOf<T extends Task> = Results[T['kind']];

/**
 * Runs one task on the addon. Sockets come before processes on purpose: the holder of a socket that was seen is then in
 * the list, unless it exited meanwhile, and a newborn's socket is not taken for one that nobody holds.
 */
export function perform(native: NativeAddon, task: Task): Results[keyof Results] {
  switch (task.kind) {
    case 'gather': {
      const sockets = task.sockets ? native.listSockets(task.buffer, task.capacity, task.connections) : null;
      return { sockets, processes: native.listProcesses(task.root, task.buffer, task.capacity) };
    }
    case 'shard':
      return native.sweepShard(task.root, task.buffer, task.capacity, task.count, task.shard, task.shards);
    case 'owners':
      return native.ownersCollect(...rowsOf(task), task.nowMs);
    case 'walk':
      return native.ownersWalk(...rowsOf(task), task.shard, task.shards, task.refresh);
    case 'machine':
      return native.machine(task.root, task.sys, task.sensors);
  }
}

const rowsOf = ({ root, buffer, capacity, count, listeners, connections }: OwnerRows) =>
  [root, buffer, capacity, count, listeners, connections] as const;
