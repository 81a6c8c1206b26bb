/**
 * The native boundary: what `native/addon` exports and the columns it writes.
 *
 * The byte layout belongs to C++ (`native/core/columns.h`); `Native.layout` tells it, and `columns.ts` lays typed
 * arrays over the shared buffer. Kernel refusals come back as errno numbers, never as exceptions; bad arguments throw.
 */

/** CPU builds of the addon. `avx512_mark` is x86_64 compiled for x86-64-v4. */
export type Mark = 'x86_64' | 'aarch64' | 'avx512_mark';

export type Backend = 'procfs';

/** One row per thread-group leader, ascending pid. Rows whose process vanished during the sweep have `state` 0. */
export interface ProcessColumns {
  readonly pid: Int32Array;
  readonly ppid: Int32Array;
  /** Real and effective uid. */
  readonly uid: Uint32Array;
  readonly euid: Uint32Array;
  /** Controlling terminal device number, 0 = none (proc_pid_stat(5) field 7). */
  readonly tty: Int32Array;
  /** Kernel PF_* flags (proc_pid_stat(5) field 9); PF_KTHREAD = 0x00200000. */
  readonly flags: Uint32Array;
  /** Clock ticks after boot at which the process started. */
  readonly start: BigUint64Array;
  /** ASCII of the state letter (R S D Z T t X I P), 0 = gone. */
  readonly state: Uint8Array;
  readonly threads: Uint32Array;
  /** Pid of the tracer, 0 = none. */
  readonly tracer: Int32Array;
  /** Seccomp mode of the leader: 0 off, 1 strict, 2 filter. */
  readonly seccomp: Uint8Array;
  readonly noNewPrivs: Uint8Array;
  readonly capEff: BigUint64Array;
  readonly capBnd: BigUint64Array;
  /** Namespace inode numbers, 0 = unreadable. */
  readonly nsUser: Uint32Array;
  readonly nsPid: Uint32Array;
  readonly nsMnt: Uint32Array;
  readonly nsNet: Uint32Array;
  /** 16 bytes per row: the command name, zero-padded raw bytes. */
  readonly comm: Uint8Array;
  /** Executable path in the text arena; length 0 = none or unreadable. */
  readonly exeOffset: Uint32Array;
  readonly exeLength: Uint32Array;
  readonly cgroupOffset: Uint32Array;
  readonly cgroupLength: Uint32Array;
  /** Keyed 64-bit hash of the identity (executable + container flag + comm of interpreters), 0 for kernel threads. */
  readonly identity: BigUint64Array;
  /** WRAP_* bits of the weakest thread. */
  readonly wrap: Uint8Array;
  /** 0 free, 1 wrapped, 2 blind, 3 not applicable (kernel thread, zombie, dead, gone). */
  readonly wrapState: Uint8Array;
  /** FACT_* bits that were read. */
  readonly seen: Uint16Array;
  /** FACT_* bits the kernel refused for lack of permission. */
  readonly refused: Uint16Array;
}

/** One row per listening TCP socket or unconnected UDP socket of our network namespace. */
export interface ListenerColumns {
  /** 4 or 6. */
  readonly family: Uint8Array;
  /** 6 TCP, 17 UDP. */
  readonly protocol: Uint8Array;
  /** 16 bytes per row, network order; v4 uses the first four. */
  readonly address: Uint8Array;
  readonly port: Uint16Array;
  readonly inode: Uint32Array;
  /** Uid of the socket's creator (not its holder). */
  readonly uid: Uint32Array;
  /** Bound interface index, 0 = any. */
  readonly ifindex: Uint32Array;
  /** 1 when an IPv6 socket refuses v4-mapped peers. */
  readonly v6only: Uint8Array;
}

/** One row per established TCP connection to remote port 443. */
export interface ConnectionColumns {
  readonly family: Uint8Array;
  /** Remote address, 16 bytes per row. */
  readonly address: Uint8Array;
  readonly port: Uint16Array;
  readonly inode: Uint32Array;
}

/** One row per (socket, holder). `socket` is the inode. */
export interface HolderColumns {
  readonly inode: Uint32Array;
  readonly pid: Int32Array;
  readonly fd: Int32Array;
}

export type ColumnType = 'u8' | 'u16' | 'u32' | 'u64' | 'i32';

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
