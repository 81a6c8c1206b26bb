/** What the engine asks of a worker, and what it gets back. Buffers are shared; everything else is a small plain value. */
import type {
  Capacity,
  MachineResult,
  NativeAddon,
  Refusal,
  ShardResult,
  SocketResult,
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
  readonly listeners: number;
  readonly connections: number;
  readonly shard: number;
  readonly shards: number;
}

/** Reads the machine facts; without `sensors` only the cheap ones. */
interface MachineTask {
  readonly kind: 'machine';
  readonly root: number;
  readonly sys: string;
  readonly sensors: boolean;
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

export type Task = GatherTask | ShardTask | MachineTask | BatchTask;

export type ResultOf<T extends Task> = T extends GatherTask
  ? GatherResult
  : T extends ShardTask
    ? ShardResult
    : T extends BatchTask
      ? Uint32Array
      : MachineResult;

/**
 * Runs one task on the addon. Sockets come before processes on purpose: the holder of a socket that was seen is then in
 * the list, unless it exited meanwhile, and a newborn's socket is not taken for one that nobody holds.
 */
export function perform(
  native: NativeAddon,
  task: Task,
): GatherResult | ShardResult | MachineResult | Uint32Array {
  switch (task.kind) {
    case 'gather': {
      const sockets = task.sockets ? native.listSockets(task.buffer, task.capacity, task.connections) : null;
      return { sockets, processes: native.listProcesses(task.root, task.buffer, task.capacity) };
    }
    case 'shard':
      return native.sweepShard(
        task.root,
        task.buffer,
        task.capacity,
        task.count,
        task.listeners,
        task.connections,
        task.shard,
        task.shards,
      );
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
    case 'machine':
      return native.machine(task.root, task.sys, task.sensors);
  }
}
