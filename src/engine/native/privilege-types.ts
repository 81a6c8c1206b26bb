/** The part of the native boundary that gives up privileges and starts the desk's other programs (native/privilege, native/start). */
import type { Refusal } from './types.ts';

/** What `startChild` can start; StartWhat in native/start/protocol.h. */
export const START = { peek: 1, mail: 2 } as const;

export interface PrivilegeAddon {
  /**
   * Executes `program` in place of this process, with the capabilities `kept` (bit numbers of capabilities(7)) and no
   * others, no_new_privs and no core dumps. `starter`, unless empty, is run
   * before as a child with all privileges; its socket is handed on as `DESK_STARTER=FD:PID`. Returns only over a failure, with
   * the source `desk-start` when that did not become ready (`EPIPE`: it ended; `ETIMEDOUT`: it said nothing). It is ended
   * and reaped then.
   */
  becomeLimited(
    kept: Int32Array,
    program: readonly string[],
    environment: readonly string[],
    starter: readonly string[],
    starterEnvironment: readonly string[],
  ): Refusal;
  /** Takes the socket of a running desk-start, for all threads of this process. */
  useStarter(fd: number): void;
  /**
   * Has desk-start start a child of this process with this descriptor as its channel; its pid. Waits at most five seconds, on a
   * thread of the pool: the descriptor stays open until then.
   */
  startChild(what: (typeof START)[keyof typeof START], reads: 0 | 1, fd: number): Promise<number | Refusal>;
  /** Children that desk-start started too late for their `startChild`: killed, and each told once, to be reaped. */
  lateChildren(): readonly number[];
  /**
   * A TCP socket of this process that desk-start bound to a port of this IP address, not yet listening. Waits as `startChild`.
   */
  bindPort(address: string, port: number): Promise<number | Refusal>;
  /** How a child ended, null while it lives: waitpid(2) with WNOHANG. */
  reapChild(pid: number): { readonly code: number; readonly signal: number } | null | Refusal;
  /** SIGKILL to a child that is not reaped yet. */
  killChild(pid: number): Refusal | null;
  /** The two ends of a stream, closed at execve(2): unix(7). */
  channelPair(): readonly [ours: number, theirs: number] | Refusal;
  /**
   * No core dump of this process holds its memory from now on; with `tracing`, no process without CAP_SYS_PTRACE reads or
   * traces it either (PR_SET_DUMPABLE in prctl(2)).
   */
  keepMemoryPrivate(tracing: boolean): Refusal | null;
}
