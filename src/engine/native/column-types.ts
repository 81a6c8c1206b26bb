/** Generated from `native/core/columns.def` by `npm run docs`; change the entries there, not this file. */

/** One row per thread-group leader, ascending pid. Rows whose process vanished during the sweep have `state` 0. */
export interface ProcessColumns {
  readonly pid: Int32Array;
  readonly ppid: Int32Array;
  /** Real uid. */
  readonly uid: Uint32Array;
  readonly euid: Uint32Array;
  /** Controlling terminal device number, 0 = none (proc_pid_stat(5) field 7). */
  readonly tty: Int32Array;
  /** Kernel PF_* flags (proc_pid_stat(5) field 9); PF_KTHREAD = 0x00200000. */
  readonly flags: Uint32Array;
  /** Clock ticks after boot at which the process started. */
  readonly start: BigUint64Array;
  /**
   * ASCII of the state letter (R S D Z T t X I P), 0 = gone. Z, X and x only when no thread lives: of a process whose leader
   * has exited, the state and every other fact are those of a living thread. `?` = its stat file is refused or malformed, or
   * none of its living threads could be read.
   */
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
  /** Control group in the text arena. */
  readonly cgroupOffset: Uint32Array;
  readonly cgroupLength: Uint32Array;
  /**
   * Keyed 64-bit hash of the identity (executable + container flag + comm of interpreters); 0 = none: kernel threads,
   * zombies, dead and vanished processes, and those whose stat file is unreadable.
   */
  readonly identity: BigUint64Array;
  /** 1 when its mount or pid namespace is not the reference's, as the identity says. */
  readonly container: Uint8Array;
  /** WRAP bits: the leader's, 0 when some thread is free. A blind process may show those of its leader. */
  readonly wrap: Uint8Array;
  /** WRAP_STATE. */
  readonly wrapState: Uint8Array;
  /** FACT bits that were read. */
  readonly seen: Uint16Array;
  /**
   * FACT bits that could not be read though the process exists: refused for lack of permission, or failed in any other
   * way (EMFILE, EIO, malformed text). Only a fact that went away with its process or thread is in neither column.
   */
  readonly refused: Uint16Array;
  /** TRAIT bits of name and executable; filled by the process table (native/table). */
  readonly traits: Uint16Array;
  /** 1 in the process tree of the desk; filled by the process table (native/table). */
  readonly own: Uint8Array;
  /** LOOKUP bits; filled by the process table (native/table) and `lookUp`. */
  readonly lookups: Uint8Array;
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
  /** 1 when an IPv6 socket refuses v4-mapped peers. */
  readonly v6only: Uint8Array;
  /** SCOPE; filled by the process table (native/table), like the columns that follow. */
  readonly scope: Uint8Array;
  /** OWNER. */
  readonly owner: Uint8Array;
  /** 1 when it has holders and all of them are in the process tree of the desk. */
  readonly own: Uint8Array;
  /** 1 when it offers a service: TCP, or UDP below the ephemeral range (any, while the range is unknown). */
  readonly service: Uint8Array;
  /** `hashIdentity` of the listener's key text (`listenerKey` of src/checks/subjects.ts). */
  readonly key: BigUint64Array;
}

/** One row per established TCP connection to remote port 443. */
export interface ConnectionColumns {
  readonly family: Uint8Array;
  /** Remote address, 16 bytes per row. */
  readonly address: Uint8Array;
  readonly port: Uint16Array;
  readonly inode: Uint32Array;
}

/** One row per (socket, holder). */
export interface HolderColumns {
  /** The socket. */
  readonly inode: Uint32Array;
  readonly pid: Int32Array;
  readonly fd: Int32Array;
}

/** Reasons of confinement: bits of the wrap column. */
export const WRAP = {
  seccomp: 1,
  nsUser: 2,
  nsPid: 4,
  nsMnt: 8,
  nsNet: 16,
  label: 32,
  bounded: 64,
} as const;

/** Values of the wrapState column; not applicable: kernel thread, zombie, dead, gone. */
export const WRAP_STATE = {
  free: 0,
  wrapped: 1,
  blind: 2,
  notApplicable: 3,
} as const;

/** Facts of a process: bits of the seen and refused columns. */
export const FACT = {
  stat: 1,
  status: 2,
  exe: 4,
  nsUser: 8,
  nsPid: 16,
  nsMnt: 32,
  nsNet: 64,
  cgroup: 128,
  label: 256,
  descriptors: 512,
  threads: 1024,
} as const;

/** What name and executable say about a process: bits of the traits column. */
export const TRAIT = {
  /** A name that only kernel threads have: bracketed, or `kworker/…`, `ksoftirqd/…` and similar. */
  kernelName: 1,
  /**
   * The executable was unlinked: the kernel ends the link's text with " (deleted)" (d_path, fs/d_path.c). A
   * file whose own name ends so looks the same.
   */
  deleted: 2,
  /** The executable is a memfd (memfd_create(2): "/memfd:NAME (deleted)"). */
  memfd: 4,
  /** In a world-writable or temporary folder: /dev/shm, /tmp, /var/tmp, /run. */
  temporary: 8,
  /** A directory above it has a name that starts with a dot. */
  hiddenFolder: 16,
  /** The name is not the executable's base name, cut to what a name holds. */
  otherName: 32,
  /** It runs programs written in a language (core/identity.h). */
  interpreter: 64,
} as const;

/** What a process has to be looked up for in other rows or in sets of identities: bits of the lookups column. */
export const LOOKUP = {
  /** Its parent is not in the table. Not for parent 0, which is outside our pid namespace. */
  parentMissing: 1,
  /** Its identity was learned. */
  learned: 2,
  /** Its identity, without an executable, is that of a program that could be read when it was learned. */
  lost: 4,
} as const;

/** Where a listener is bound. */
export const SCOPE = {
  loopback: 0,
  public: 1,
} as const;

/** Who holds a listener. Ownerless: every process that could hold it was seen and none does. Blind: some could not be examined. */
export const OWNER = {
  held: 0,
  ownerless: 1,
  blind: 2,
} as const;
