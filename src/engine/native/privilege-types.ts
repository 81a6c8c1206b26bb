/** The part of the native boundary that gives up privileges and starts the desk's other programs (native/privilege, native/start). */
import type { Refusal } from './types.ts';

/** What `startChild` can start; StartWhat in native/start/protocol.h. */
export const START = { peek: 1, mail: 2 } as const;

export interface PrivilegeAddon {
  /**
   * Executes `program` in place of this process, with only the capabilities `kept` (bit numbers of capabilities(7)), no_new_privs and no
   * core dumps. `starter`, unless empty, is started first as a child with all privileges; its socket is passed as `DESK_STARTER=FD:PID`.
   * Returns only after a failure; with the source `desk-start` when that was not ready (`EPIPE`: it ended; `ETIMEDOUT`), and was killed.
   */
  becomeLimited(
    kept: Int32Array,
    program: readonly string[],
    environment: readonly string[],
    starter: readonly string[],
    starterEnvironment: readonly string[],
  ): Refusal;
  useStarter(fd: number): void;
  /** The pid of a child of this process that desk-start starts. Waits at most 5 s on a pool thread; `fd` must stay open until then. */
  startChild(what: (typeof START)[keyof typeof START], reads: 0 | 1, fd: number): Promise<number | Refusal>;
  /** Children started too late for their `startChild`: killed, and each reported once, to be reaped. */
  lateChildren(): readonly number[];
  /** A TCP socket that desk-start bound to a port of this IP address, not yet listening. Waits as `startChild`. */
  bindPort(address: string, port: number): Promise<number | Refusal>;
  /** How a child ended, null while it lives: waitpid(2) with WNOHANG. */
  reapChild(pid: number): { readonly code: number; readonly signal: number } | null | Refusal;
  killChild(pid: number): Refusal | null;
  /** The two ends of a stream, closed at execve(2): unix(7). */
  channelPair(): readonly [ours: number, theirs: number] | Refusal;
  /** No core dump holds its memory from now on; with `tracing`, it can be traced only with CAP_SYS_PTRACE (PR_SET_DUMPABLE in prctl(2)). */
  keepMemoryPrivate(tracing: boolean): Refusal | null;
  /**
   * One datagram to an AF_UNIX socket, of the service manager (sd_notify(3)) or the journal: an absolute path, or `@NAME` for an
   * abstract one. Never waits: `EAGAIN` when its buffer is full, `EMSGSIZE` for too long a one, `EINVAL` for another address.
   */
  sendDatagram(address: string, message: Uint8Array): Refusal | null;
}
