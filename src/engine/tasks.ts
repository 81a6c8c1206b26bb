/** What a worker performs, each task a few milliseconds: functions of the addon, and some composed of them. Buffers are shared. */
import { OWNER_ROUNDS, type OwnersResult } from './native/owners-types.ts';
import type { Capacity, NativeAddon, Refusal, SocketResult } from './native/types.ts';
import { isRefusal } from './native/types.ts';

/** What is asked of the sockets; nothing of a fixture root, whose sockets are not the kernel's. */
export interface SocketsAsked {
  readonly connections: boolean;
  /** The only processes in which holders of connections are searched; null = all. */
  readonly deskPids: Int32Array | null;
}

/** Where process rows come from. */
export type RowSource =
  /** The list of /proc; shards fill the rows. */
  | { readonly how: 'list' }
  /** The kernel's iterator. `listed`: the list of /proc is compared too. `dirty`: pids that changed. */
  | { readonly how: 'tasks'; readonly listed: boolean; readonly dirty: Int32Array | null };

/** A generation to write: sockets, then process rows, then the known holders unless shards fill the rows. */
interface Generation {
  readonly root: number;
  readonly buffer: Uint8Array;
  readonly capacity: Capacity;
  readonly sockets: SocketsAsked | null;
  readonly rows: RowSource;
}

export interface RowsRead {
  readonly sockets: SocketResult | null;
  /** Rows wanted; more than the capacity means that the rows are not complete. */
  readonly processes: number | Refusal;
  readonly overflow: boolean;
  /** Null when holders were not asked for, or nothing was to be joined. */
  readonly owners: OwnersResult | null;
}

/** Descriptor tables that are read on the spot; more are shared among the workers, or asked of the kernel's iterator. */
export const FEW_TABLES = 32;

export const most = (sockets: SocketResult | null): number =>
  sockets === null ? 0 : Math.max(sockets.listeners, sockets.connections ?? 0);

/** CLOCK_MONOTONIC in milliseconds, the same in all threads, which `performance.now()` is not. */
export const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Workers leave the size of their JavaScript heap, bytes, in shared memory: more slots than workers that live at a time. */
export const HEAP_SLOTS = 256;
export const heapSlot = (threadId: number): number => threadId % HEAP_SLOTS;

/** Sockets come first: the holder of a socket is then in the table unless it exited, and a newborn's socket does not count as ownerless. */
export function gather(
  native: NativeAddon,
  { root, buffer, capacity, sockets: asked, rows }: Generation,
): RowsRead {
  const sockets = asked && native.listSockets(buffer, capacity, asked.connections);
  const listened = { sockets, overflow: false, owners: null };
  if (rows.how === 'list') return { ...listened, processes: native.listProcesses(root, buffer, capacity) };
  const { listed, dirty } = rows;
  const filled = native.sweepTasks(root, buffer, capacity, listed);
  if (isRefusal(filled)) return { ...listened, processes: filled };
  const { count, overflow } = filled;
  const fits = count <= capacity.processes && most(sockets) <= capacity.sockets && !overflow;
  if (asked === null || sockets === null || !fits) return { ...listened, processes: count, overflow };
  const owners = knownOwners(native, [root, buffer, capacity, count], sockets, {
    dirty,
    deskPids: asked.deskPids,
    // After a sweep that compares the list of /proc, all tables are read anyway.
    everything: !listed,
  });
  return { sockets, processes: count, overflow, owners };
}

interface Likely {
  readonly dirty: Int32Array | null;
  readonly deskPids: Int32Array | null;
  /** Many tables may be read by the kernel's iterator. */
  readonly everything: boolean;
}

/** The holders, with those found by reading few tables; `wanted` when more must be read. */
export function knownOwners(
  native: NativeAddon,
  rows: readonly [root: number, buffer: Uint8Array, capacity: Capacity, count: number],
  { listeners, connections }: SocketResult,
  { dirty, deskPids, everything }: Likely,
): OwnersResult {
  const joined = [...rows, listeners, connections] as const;
  const collect = () => native.ownersCollect(...joined, nowMs(), dirty, deskPids);
  let owners = collect();
  const wanted = () => owners.wanted > 0;
  // Who made the listener, and the newborn, are likely to hold it.
  if (wanted() && dirty !== null && dirty.length > 0 && dirty.length <= FEW_TABLES) {
    native.ownersWalk(...joined, 0, 1, false, dirty);
    owners = collect();
  }
  if (wanted() && owners.due > FEW_TABLES && everything) {
    native.ownersWalkFiles(...joined);
    owners = collect();
  }
  for (let round = 0; round < OWNER_ROUNDS && wanted() && owners.due <= FEW_TABLES; round++) {
    native.ownersWalk(...joined, 0, 1, false);
    owners = collect();
  }
  return owners;
}

/** Every pid that `list` writes and counts, over shared memory. */
export function allPids(list: (into: Int32Array) => number | Refusal): Int32Array | Refusal {
  for (let room = 1024; ; ) {
    const pids = new Int32Array(new SharedArrayBuffer(room * Int32Array.BYTES_PER_ELEMENT));
    const count = list(pids);
    if (isRefusal(count)) return count;
    if (count <= room) return pids.subarray(0, count);
    room = count + (count >> 2);
  }
}

/** Pids of the kernel's task iterator, ascending. `root` must be /proc. */
const allIteratorPids = (native: NativeAddon, root: number): Int32Array | Refusal =>
  allPids((into) => native.iteratorPids(root, into));

const describePids = (native: NativeAddon, root: number, pids: readonly number[]) =>
  pids.map((pid) => native.describePid(root, pid));

const COMPOSED = { gather, allIteratorPids, describePids };
type Composed = typeof COMPOSED;
type Direct =
  | ('sweepShard' | 'rereadRows' | 'ownersWalk' | 'ownersWalkFiles' | 'runBatch')
  | ('networkNamespaces' | 'listenersOf' | 'socketHolders')
  | ('probePids' | 'coveredPids' | 'confirmPids' | 'portTable' | 'probePorts' | 'confirmPort');

export type Task = keyof Composed | Direct;
type Beyond<F> = F extends (native: NativeAddon, ...args: infer A) => unknown ? A : never;
export type ArgsOf<T extends Task> = T extends keyof Composed
  ? Beyond<Composed[T]>
  : T extends Direct
    ? Parameters<NativeAddon[T]>
    : never;
export type ResultOf<T extends Task> = ReturnType<(Composed & Pick<NativeAddon, Direct>)[T]>;

export function perform<T extends Task>(native: NativeAddon, task: T, args: ArgsOf<T>): ResultOf<T> {
  const composed = task in COMPOSED;
  const work = composed ? COMPOSED[task as keyof Composed] : native[task as Direct];
  return Reflect.apply(work, native, composed ? [native, ...args] : args);
}
