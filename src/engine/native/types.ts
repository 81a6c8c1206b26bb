/**
 * The native boundary: what `native/addon` exports. The columns it writes are in `column-types.ts`; `layout` gives the place of
 * each, and `columns.ts` lays typed arrays over the shared buffer. Kernel refusals are values with an errno, never exceptions;
 * bad arguments throw.
 */
import type { ActAddon } from './act-types.ts';
import type { BatchAddon } from './batch-types.ts';
import type { ForeignAddon } from './foreign-types.ts';
import type { HiddenAddon } from './hidden-types.ts';
import type { HostAddon } from './host-types.ts';
import type { MailAddon } from './mail-types.ts';
import type { OwnersAddon } from './owners-types.ts';
import type { PrivilegeAddon } from './privilege-types.ts';
import type { WatchAddon } from './watch-types.ts';

export * from './column-types.ts';

/** CPU builds of the addon. `avx512_mark` is x86_64 compiled for x86-64-v4. */
export type Mark = 'x86_64' | 'aarch64' | 'avx512_mark';

export type Backend = 'bpf' | 'procfs';

type ColumnType = 'u8' | 'u16' | 'u32' | 'u64' | 'i32';

export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
  /** Byte offset in the buffer. */
  readonly offset: number;
  /** Elements (rows × width). */
  readonly length: number;
}

export interface Capacity {
  readonly processes: number;
  readonly sockets: number;
  readonly holders: number;
  /** Bytes of text arena. */
  readonly text: number;
}

export interface Layout {
  readonly bytes: number;
  readonly processes: readonly ColumnSpec[];
  readonly listeners: readonly ColumnSpec[];
  readonly connections: readonly ColumnSpec[];
  readonly holders: readonly ColumnSpec[];
  readonly text: ColumnSpec;
}

/** A kernel refusal as a value. */
export interface Refusal {
  readonly errno: number;
  /** Symbolic name, e.g. `EACCES`. */
  readonly code: string;
  /** The kernel source that refused, e.g. `sock_diag tcp4`. */
  readonly source: string;
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'errno' in value;

export interface Reference {
  /**
   * `fixed`, `pid 2`, `pid 1`, `self` or `unknown`: where the numbers below come from (the weakest of them when mixed).
   * A number that could not be learned is 0, and nothing is compared with it.
   */
  readonly source: string;
  readonly nsUser: number;
  readonly nsPid: number;
  readonly nsMnt: number;
  readonly nsNet: number;
  readonly capBnd: bigint;
}

export interface ShardResult {
  /** True when the text arena of this shard ran out: grow and sweep again. */
  readonly overflow: boolean;
}

export interface RereadResult {
  /** Rows read again. */
  readonly read: number;
  /** Those of them whose process is no more: their `state` is 0 now. */
  readonly gone: number;
  /** True when some pid has become another process, whose texts only a full sweep (or `carryRows`) reads. */
  readonly incomplete: boolean;
}

export interface CarryResult {
  /** Rows of the next generation, every one of a process that is there. */
  readonly count: number;
  /** Rows that were read; all others were copied. */
  readonly filled: number;
  /** True when rows or text arena ran out, or the root could not be listed: make a full sweep. */
  readonly overflow: boolean;
}

/** Whether the bpf backend can run, and if not, where loading it stopped. */
export interface BpfState {
  readonly available: boolean;
  /** `''` when available. */
  readonly stage: '' | 'permission' | 'btf' | 'program' | 'iterator' | 'namespace';
  /** A sentence for a person, `''` when available. */
  readonly reason: string;
  /** Symbolic name of the errno, e.g. `EPERM`; `''` when available. */
  readonly code: string;
}

export interface TaskSweep {
  /** Rows: one per thread-group leader. When larger than the capacity nothing was written: grow and ask again. */
  readonly count: number;
  /** Threads told by the kernel. */
  readonly tasks: number;
  /** True when the text arena ran out: grow and sweep again. */
  readonly overflow: boolean;
}

export interface SocketResult {
  /** Rows written; when larger than the capacity nothing beyond it was written: grow and ask again. */
  readonly listeners: number;
  readonly connections: number;
  /** Dumps the kernel refused; their sockets are unknown, not absent. */
  readonly refusals: readonly Refusal[];
}

export interface MachineResult {
  /** Null = not there or refused, here and below: never 0 for what was not read. */
  readonly tcpActiveOpens: number | null;
  readonly tcpPassiveOpens: number | null;
  readonly ephemeralLow: number | null;
  readonly ephemeralHigh: number | null;
  readonly clockTicksPerSecond: number;
  readonly uptimeSec: number | null;
  readonly refusals: readonly Refusal[];
}

/**
 * The exports of the addon, exactly. Functions are synchronous and short; long work is cut into shards and called in
 * Piscina workers. Buffers are Uint8Array views over a SharedArrayBuffer of `layout(capacity).bytes` bytes.
 */
export interface NativeAddon
  extends ActAddon,
    BatchAddon,
    ForeignAddon,
    HiddenAddon,
    HostAddon,
    MailAddon,
    OwnersAddon,
    PrivilegeAddon,
    WatchAddon {
  readonly mark: Mark;
  /** Compiler and instruction set the build was made with. */
  readonly compiler: string;
  layout(capacity: Capacity): Layout;
  /** Ignores SIGUSR1 in the whole process (sigaction(2), SIG_IGN), in place of any handler. */
  ignoreSigusr1(): null | Refusal;

  /** Opens a proc root (`/proc`, or a fixture folder laid out like it) for the whole process; the handle is an int. */
  openRoot(path: string): number | Refusal;
  closeRoot(root: number): void;
  reference(root: number): Reference;
  /** Lists thread-group leaders into the `pid` column, ascending; count > capacity.processes means: grow and ask again. */
  listProcesses(root: number, buffer: Uint8Array, capacity: Capacity): number | Refusal;
  /**
   * Fills rows of shard `shard` of `shards`: an even split of `count` rows, from floor(count × shard / shards) on; the text
   * arena (of the capacity) is split likewise. Who holds which socket is not asked: see `ownersCollect`.
   */
  sweepShard(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    shard: number,
    shards: number,
  ): ShardResult;
  /**
   * Reads the rows of one shard, filled before, once more in place, but for executable and control group: confinement
   * changes without an event. stat and status stay open between calls, on at most half of RLIMIT_NOFILE.
   */
  rereadRows(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    shard: number,
    shards: number,
  ): RereadResult;
  /**
   * The process rows of the next generation, into `to`, out of the `count` rows in `from`: `dirty` are the pids (of
   * thread-group leaders) born or changed since, exited ones negative. Their rows are read, and what changes without an event:
   * zombies, rows that could not be read, children of processes that ended. With `listed` the root is listed too, and
   * processes of which no event told are read. All other rows are copied, those with `state` 0 dropped. Both buffers have `capacity`; socket and holder tables are left alone.
   */
  carryRows(
    root: number,
    from: Uint8Array,
    to: Uint8Array,
    capacity: Capacity,
    count: number,
    dirty: Int32Array,
    listed?: boolean,
  ): CarryResult;
  /**
   * Dumps LISTEN tcp, unconnected udp (v4, v6) and, unless `connections` is false (default true), established tcp to
   * remote port 443 of our own network namespace. The latter walks the kernel's whole table: about 0.13 ms a family.
   */
  listSockets(buffer: Uint8Array, capacity: Capacity, connections?: boolean): SocketResult;
  /**
   * header[1] = active buffer index, then header[0] = generation with release order; wake waiters with Atomics.notify
   * yourself.
   */
  publish(header: Int32Array, generation: number, active: number): void;
  /** Keyed hash (SipHash-1-3, key made at load) of identity bytes: equal bytes, equal hash within this process. */
  hashIdentity(bytes: Uint8Array): bigint;
  /**
   * The identity text of one row, raw bytes: executable path (`comm?uid` when unreadable), then `@container`, then `:comm`
   * for interpreters (last, since a process chooses its name). Empty when the identity column is 0.
   */
  identityOf(buffer: Uint8Array, capacity: Capacity, row: number): Uint8Array;

  /** Sensors, cameras, capture devices, TCP counters. `sys` is `/sys` or a fixture folder. Some sensors answer slowly. */
  machine(root: number): MachineResult;
  /**
   * Uid of the creator of the socket at the other end of a loopback TCP connection, asked of sock_diag.
   * Addresses are 4 or 16 bytes in network order, as seen by the server (local = ours, remote = the peer's).
   */
  peerUid(local: Uint8Array, localPort: number, remote: Uint8Array, remotePort: number): number | Refusal;
  /**
   * Sets SO_RCVBUF and SO_SNDBUF (socket(7)), in bytes, of a listening socket; connections it accepts from then on inherit
   * them. The kernel doubles the values and counts its own overhead in them.
   */
  limitBuffers(descriptor: number, receive: number, send: number): null | Refusal;
  /**
   * Accepts what waits at a listening TCP socket, at most as many as there are rows of 48 bytes in `rows`, and tells how many. A
   * row: descriptor, family (4 or 6), local and remote port as 32-bit integers of this machine, then both addresses in 16 bytes
   * each, in network order. The descriptors are the caller's to close.
   */
  acceptConnections(listener: number, rows: Uint8Array): number;

  /** Loads the iterator programs at the first call of the process, and tells how that went. */
  bpfState(): BpfState;
  /**
   * The whole sweep by the kernel's task iterator: the same rows as `listProcesses` and `sweepShard` give, but for holders
   * of sockets, and for workqueue threads, whose names lack what they work on. `root` must be /proc. With `listed` (always
   * in the first sweep of a root) /proc is listed beside it: processes that the iterator does not tell get their rows from
   * /proc, in this sweep and in later ones. Executable, control group and label are read from /proc when a process is new
   * or its change keys differ, and within a minute. Sweeps of one root wait for each other. Source: bpf iter/task.
   */
  sweepTasks(root: number, buffer: Uint8Array, capacity: Capacity, listed: boolean): TaskSweep | Refusal;
  /** Pids that the iterator tells, ascending; more than `into` holds are counted and not written. Source: bpf iter/task. */
  iteratorPids(root: number, into: Int32Array): number | Refusal;

  /** Takes an exclusive flock on a folder or file, never through a link to a file; a handle, or EWOULDBLOCK when another holds it. */
  takeLock(path: string): number | Refusal;
  releaseLock(lock: number): void;
  /** Holders of an exclusive flock on the folder, counted in /proc/locks. */
  lockHolders(path: string): number | Refusal;
}

export const PF_KTHREAD = 0x0020_0000;
