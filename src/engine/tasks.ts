/** What the engine asks of a worker, and what it gets back. Buffers are shared; everything else is a small plain value. */

import type { PortProtocol } from './native/hidden-types.ts';
import { OWNER_ROUNDS, type OwnersResult } from './native/owners-types.ts';
import {
  type Capacity,
  isRefusal,
  type NativeAddon,
  type Refusal,
  type SocketResult,
} from './native/types.ts';

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
  readonly sockets: SocketsAsked | null;
}

/** Sockets, processes by the kernel's task iterator, and the known holders. */
interface TasksTask extends ListTask {
  /** Compare with the list of /proc. */
  readonly listed: boolean;
  readonly dirty: Int32Array | null;
}

/** Sockets, the process rows of the generation before with what changed read again, and the known holders. */
interface CarryTask extends TasksTask {
  readonly previous: Uint8Array;
  readonly previousCount: number;
  readonly dirty: Int32Array;
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

interface Shard {
  readonly shard: number;
  readonly shards: number;
}
type RowsOfShard = Place & Shard & { readonly count: number };

/** The filled rows whose sockets and processes are to be joined. */
interface OwnerRows extends Place {
  readonly count: number;
  readonly listeners: number;
  readonly connections: number;
}

interface OfRoot {
  readonly root: number;
}
interface OfPids extends OfRoot {
  readonly pids: Int32Array;
}
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Rows [from, to) to judge, into shared bitmaps. */
interface Batch extends Range {
  readonly handle: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
  readonly processes: number;
  readonly listeners: number;
  readonly parameters: BigUint64Array;
  readonly verdicts: Uint8Array;
}

/** Every kind of task, each a few milliseconds long. */
const TASKS = {
  list: (native: NativeAddon, task: ListTask): Gathering => gather(native, task),
  tasks: (native: NativeAddon, task: TasksTask): Gathering => gather(native, task),
  carry: (native: NativeAddon, task: CarryTask): Gathering => gather(native, task),
  /** Fills the rows of one shard. */
  shard: (native: NativeAddon, task: RowsOfShard) =>
    native.sweepShard(task.root, task.buffer, task.capacity, task.count, task.shard, task.shards),
  /** Reads the confinement of filled rows again. */
  reread: (native: NativeAddon, task: RowsOfShard) =>
    native.rereadRows(task.root, task.buffer, task.capacity, task.count, task.shard, task.shards),
  /** Writes the holders of the sockets, as far as they are known. */
  owners: (native: NativeAddon, task: OwnerRows & Pick<SocketsAsked, 'deskPids'>) =>
    native.ownersCollect(...rowsOf(task), nowMs(), null, task.deskPids),
  /** Looks for unknown holders among the processes of one shard. */
  walk: (native: NativeAddon, task: OwnerRows & Shard & { readonly refresh: boolean }) =>
    native.ownersWalk(...rowsOf(task), task.shard, task.shards, task.refresh),
  /** Looks for the holders of all sockets by the kernel's iterator. */
  'walk-files': (native: NativeAddon, task: OwnerRows) => native.ownersWalkFiles(...rowsOf(task)),
  machine: (native: NativeAddon, { root }: OfRoot) => native.machine(root),
  batch: (native: NativeAddon, task: Batch) =>
    native.runBatch(
      task.handle,
      task.buffer,
      task.capacity,
      task.processes,
      task.listeners,
      task.from,
      task.to,
      task.parameters,
      task.verdicts,
    ),

  'slow taint': (native: NativeAddon, { root }: OfRoot) => native.kernelTaint(root),
  'slow modules': (native: NativeAddon, { root, sys }: OfRoot & { readonly sys: string }) =>
    native.moduleViews(root, sys),
  'slow namespaces': (native: NativeAddon, { root }: OfRoot) => native.networkNamespaces(root),
  /** Enters one network namespace, through the first of `pids` that is still in it. */
  'slow foreign listeners': (
    native: NativeAddon,
    { root, pids, namespace }: OfPids & { readonly namespace: number },
  ) => native.listenersOf(root, pids, namespace),
  /** Lists the processes that the kernel's task iterator reports, ascending. `root` must be /proc. */
  'slow iterator': (native: NativeAddon, { root }: OfRoot) => iteratorPids(native, root),
  /** Searches the descriptors of every process. Inodes ascend, each once. */
  'slow socket holders': (native: NativeAddon, { root, inodes }: OfRoot & { readonly inodes: Uint32Array }) =>
    native.socketHolders(root, inodes),

  /** Probes the numbers [from, to) that are not listed; `listed` is over a SharedArrayBuffer, so that no shard copies it. */
  'hidden probe pids': (native: NativeAddon, { listed, from, to }: Range & { readonly listed: Int32Array }) =>
    native.probePids(listed, from, to),
  /** Which of the listed processes are covered by a mount. */
  'hidden covered pids': (native: NativeAddon, { root, pids }: OfPids) => native.coveredPids(root, pids),
  'hidden confirm pids': (
    native: NativeAddon,
    task: OfRoot & { readonly suspects: Int32Array; readonly elsewhere: Int32Array },
  ) => native.confirmPids(task.root, task.suspects, task.elsewhere),
  'hidden describe pids': (native: NativeAddon, task: OfRoot & { readonly pids: readonly number[] }) =>
    task.pids.map((pid) => native.describePid(task.root, pid)),
  /** Dumps the sockets of one protocol and family into shared bits. */
  'hidden port table': (
    native: NativeAddon,
    task: { readonly protocol: PortProtocol; readonly family: 4 | 6; readonly table: Uint8Array },
  ) => native.portTable(task.protocol, task.family, task.table),
  /** Binds the ports [from, to). `taken` are the bits of this shard alone: two workers must not write the same byte. */
  'hidden probe ports': (
    native: NativeAddon,
    task: Range & { readonly protocol: PortProtocol; readonly taken: Uint8Array },
  ) => native.probePorts(task.protocol, task.from, task.to, task.taken),
  'hidden confirm port': (
    native: NativeAddon,
    task: { readonly protocol: PortProtocol; readonly port: number },
  ) => native.confirmPort(task.protocol, task.port),
};

type Kind = keyof typeof TASKS;
type TaskOf<K extends Kind> = { readonly kind: K } & Parameters<(typeof TASKS)[K]>[1];
export type Task = { [K in Kind]: TaskOf<K> }[Kind];
export type ResultOf<T extends Task> = ReturnType<(typeof TASKS)[T['kind']]>;

export const perform = <T extends Task>(native: NativeAddon, task: T): ResultOf<T> =>
  TASKS[task.kind](native, task as never) as ResultOf<T>;

/** Pids ascending. */
function iteratorPids(native: NativeAddon, root: number): Int32Array | Refusal {
  for (let room = 1024; ; ) {
    const pids = new Int32Array(room);
    const count = native.iteratorPids(root, pids);
    if (isRefusal(count)) return count;
    if (count <= room) return pids.slice(0, count);
    room = count + (count >> 2);
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
  if (!('listed' in task)) return { ...listened, processes: native.listProcesses(root, buffer, capacity) };
  const filled =
    'previous' in task
      ? native.carryRows(root, task.previous, buffer, capacity, task.previousCount, task.dirty, task.listed)
      : native.sweepTasks(root, buffer, capacity, task.listed);
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
  if (wanted() && owners.due > FEW_TABLES && !('previous' in task)) {
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
