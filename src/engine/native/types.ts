/**
 * The native boundary: what `native/addon` exports. Columns are in `column-types.ts`, their places in `layout`. Kernel refusals are
 * values with an errno; bad arguments throw.
 */
import type { ActAddon } from './act-types.ts';
import type { BatchAddon } from './batch-types.ts';
import type { ForeignAddon } from './foreign-types.ts';
import type { HiddenAddon } from './hidden-types.ts';
import type { HostAddon } from './host-types.ts';
import type { MailAddon } from './mail-types.ts';
import type { OwnersAddon } from './owners-types.ts';
import type { PrivilegeAddon } from './privilege-types.ts';
import type { TableAddon } from './table-types.ts';
import type { VitalsAddon } from './vitals-types.ts';
import type { LookAddon, WatchAddon } from './watch-types.ts';

export * from './column-types.ts';

/** CPU builds of the addon. `avx512_mark` is x86_64 compiled for x86-64-v4. */
export type Mark = 'x86_64' | 'aarch64' | 'avx512_mark';

export type Backend = 'bpf' | 'procfs';

export interface ColumnSpec {
  readonly name: string;
  readonly type: 'u8' | 'u16' | 'u32' | 'u64' | 'i32';
  readonly offset: number;
  /** Elements (rows × width). */
  readonly length: number;
}

export interface Capacity {
  readonly processes: number;
  readonly sockets: number;
  readonly holders: number;
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
  /** `fixed`, `pid 2`, `pid 1`, `self` or `unknown`: the weakest source of the numbers below, 0 when unknown. */
  readonly source: string;
  readonly nsUser: number;
  readonly nsPid: number;
  readonly nsMnt: number;
  readonly nsNet: number;
  readonly capBnd: bigint;
}

type ShardOfRows = readonly [
  ...rows: [root: number, buffer: Uint8Array, capacity: Capacity, count: number],
  ...part: [shard: number, shards: number],
];

export interface ShardResult {
  /** The text arena of this shard is full: grow and sweep again. */
  readonly overflow: boolean;
}

interface RereadResult {
  readonly read: number;
  /** Those of them whose process has ended: their `state` is 0 now. */
  readonly gone: number;
  /** A pid has become another process, whose texts only a full sweep or `updateRows` reads. */
  readonly incomplete: boolean;
}

/** Whether the bpf backend can run, and if not, where loading it stopped. */
export interface BpfState {
  readonly available: boolean;
  /** How tasks are read: the kernel's open-coded iterator (since 6.7), or the file of iter/task; `''` when not available. */
  readonly iterator: 'open_coded' | 'seq_file' | '';
  /** `''` when available. */
  readonly stage: '' | 'permission' | 'btf' | 'program' | 'iterator' | 'namespace';
  /** A sentence for a person, `''` when available. */
  readonly reason: string;
  /** Symbolic name of the errno, e.g. `EPERM`; `''` when available. */
  readonly code: string;
}

export interface TaskSweep {
  /** One row per thread-group leader. When larger than the capacity nothing was written: grow and ask again. */
  readonly count: number;
  readonly tasks: number;
  /** The text arena is full: grow and sweep again. */
  readonly overflow: boolean;
}

export interface SocketResult {
  /** When larger than the capacity, only that many were written: grow and ask again. */
  readonly listeners: number;
  /** Null: not asked for. */
  readonly connections: number | null;
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
 * Exactly the exports of the addon. Functions are synchronous and short; long work is split into shards for Piscina workers. Buffers
 * are Uint8Array views over a SharedArrayBuffer of `layout(capacity).bytes` bytes.
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
    TableAddon,
    VitalsAddon,
    LookAddon,
    WatchAddon {
  readonly mark: Mark;
  readonly compiler: string;
  layout(capacity: Capacity): Layout;
  /** Ignores SIGUSR1 in the whole process (sigaction(2), SIG_IGN), in place of any handler. */
  ignoreSigusr1(): null | Refusal;

  /** A handle of `/proc`, or of a fixture folder like it, for the whole process. */
  openRoot(path: string): number | Refusal;
  closeRoot(root: number): void;
  reference(root: number): Reference;
  /** Lists thread-group leaders into the `pid` column, ascending; count > capacity.processes means: grow and ask again. */
  listProcesses(root: number, buffer: Uint8Array, capacity: Capacity): number | Refusal;
  /** Fills the rows of a shard, from floor(count × shard / shards) on; the text arena is split likewise. Not the holders of sockets. */
  sweepShard(...shard: ShardOfRows): ShardResult;
  /**
   * Reads the rows of a filled shard again in place, except executable and control group: confinement changes without an event. stat
   * and status stay open between calls, on at most half of RLIMIT_NOFILE.
   */
  rereadRows(...shard: ShardOfRows): RereadResult;
  /**
   * Dumps LISTEN tcp, unconnected udp and, unless `connections` is false, established tcp to remote port 443 of our network namespace.
   * The latter walks the kernel's whole table: about 0.13 ms a family.
   */
  listSockets(buffer: Uint8Array, capacity: Capacity, connections?: boolean): SocketResult;
  /** header[1] = active buffer index, then header[0] = generation with release order; without Atomics.notify. */
  publish(header: Int32Array, generation: number, active: number): void;
  /** Keyed hash (SipHash-1-3, key made at load) of identity bytes: equal bytes, equal hash within this process. */
  hashIdentity(bytes: Uint8Array): bigint;
  /**
   * The identity of a row, raw bytes: executable (`comm?uid` when unreadable), `@container`, and `:comm` for interpreters (last, since
   * a process chooses its name). Empty when the identity column is 0.
   */
  identityOf(buffer: Uint8Array, capacity: Capacity, row: number): Uint8Array;

  /** Sensors, cameras, capture devices, TCP counters. `sys` is `/sys` or a fixture folder. Some sensors answer slowly. */
  machine(root: number): MachineResult;
  /** What malloc(3) has given out and not got back, in this whole process, and what it keeps for later; null before glibc 2.33. */
  nativeHeap(): { readonly usedBytes: number; readonly freeBytes: number } | null;
  /** Memory of the texts that the task iterator's sweeps keep for this root. */
  textBytes(root: number): number;
  /**
   * Processes that the walks over the kernel's tasks have shown, since the last call, to have executed a program (perhaps the same
   * one), or whose executable or control group changed; a pid may come twice. Null where that is not known: without such walks, and
   * once after the first.
   */
  takeExecuted(root: number): Int32Array | null;
  /** Creator of the peer's socket of a loopback TCP connection (sock_diag). Addresses: 4 or 16 bytes in network order; local = ours. */
  peerUid(local: Uint8Array, localPort: number, remote: Uint8Array, remotePort: number): number | Refusal;
  /** SO_RCVBUF and SO_SNDBUF (socket(7)) of a listening socket, bytes; the kernel doubles them, and new connections inherit them. */
  limitBuffers(descriptor: number, receive: number, send: number): null | Refusal;
  /**
   * Accepts waiting connections of a listening TCP socket, at most one per row of 48 bytes in `rows`: how many. A row: descriptor, family
   * (4 or 6), local and remote port as 32-bit integers of this machine, then both addresses in 16 bytes each, in network order. The
   * caller closes the descriptors.
   */
  acceptConnections(listener: number, rows: Uint8Array): number;

  /** Loads the iterator programs at the first call of the process. */
  bpfState(): BpfState;
  /**
   * For tests and measurements: later reads of tasks use the file of iter/task (`true`) or the best way again (`false`). The name of the
   * iterator in use as in `BpfState`.
   */
  forceSeqFile(forced: boolean): BpfState['iterator'];
  /**
   * All rows of `listProcesses` and `sweepShard` by the kernel's task iterator (bpf iter/task), without holders of sockets and what
   * workqueue threads work on. `root` must be /proc. With `listed` (always in the first sweep of a root) processes that only /proc lists
   * are read from there, in later sweeps too. Executable, control group and label are read from /proc for new processes, when change
   * keys differ, and within a minute. Sweeps of one root wait for each other.
   */
  sweepTasks(root: number, buffer: Uint8Array, capacity: Capacity, listed: boolean): TaskSweep | Refusal;
  /** Ascending; those beyond `into` are counted and not written. Source: bpf iter/task. */
  iteratorPids(root: number, into: Int32Array): number | Refusal;

  /** An exclusive flock on a folder or file, not through a link to a file; EWOULDBLOCK when another holds it. */
  takeLock(path: string): number | Refusal;
  releaseLock(lock: number): void;
  /** Counted in /proc/locks. */
  lockHolders(path: string): number | Refusal;
}

export const PF_KTHREAD = 0x0020_0000;
