/** The part of the native boundary that searches hidden processes and ports (native/probe/hidden_*). */
import type { Refusal } from './types.ts';

/** What a round of `confirmPids` saw (PidEvidence in native/probe/hidden_pid.h). */
export const EVIDENCE = {
  session: 1,
  pidfd: 2,
  iterator: 4,
  unlisted: 8,
  mounted: 16,
  noFolder: 32,
  /** We may inspect it, so no mount option hides it. */
  ours: 64,
} as const;

/** Whether hidden processes can be found here. Null = works. */
export interface PidSight {
  /** `EMEDIUMTYPE`: the root is not a proc; `EXDEV`: it shows another pid namespace than ours. */
  readonly root: Refusal | null;
  readonly getsid: Refusal | null;
  readonly pidfdOpen: Refusal | null;
  readonly openat2: Refusal | null;
  /** hidepid= of the mount: `contents` closes folders of others, the last two leave them out. */
  readonly hides: 'nothing' | 'contents' | 'invisible' | 'ptraceable' | Refusal;
  /** /proc/sys/kernel/pid_max: the first number that is not assigned. */
  readonly pidMax: number | Refusal;
}

interface PidProbe {
  /** Processes that are not listed, ascending. */
  readonly suspects: Int32Array;
  /** Numbers of the range that are not listed. */
  readonly tried: number;
  /** Known to getsid (threads included), and to pidfd_open. */
  readonly sessions: number;
  readonly leaders: number;
}

export interface PidDescription {
  /** Raw bytes without padding. */
  readonly comm: Uint8Array;
  /** Clock ticks after boot. */
  readonly start: bigint;
  /** Executable path, raw bytes; empty when there is none or it is unreadable. */
  readonly exe: Uint8Array;
  /** Read through a proc that is mounted nowhere, since the root's folder is covered or closed. */
  readonly freshProc: boolean;
}

/** IPPROTO_TCP or IPPROTO_UDP. */
type PortProtocol = 6 | 17;

/** Whether hidden ports can be found here. Null = works. */
export interface PortSight {
  readonly v4: Refusal | null;
  readonly v6: Refusal | null;
  /** Refused: the table lacks TCP sockets that are only bound (kernels before 6.8). */
  readonly bound: Refusal | null;
}

interface PortProbe {
  readonly tried: number;
  readonly taken: number;
  /** Ports that may not be bound, and the range they are in. */
  readonly refused: number;
  readonly lowestRefused: number;
  readonly highestRefused: number;
  /** For the lowest: `ENOTCONN` and `ETIMEDOUT` are from desk-start. */
  readonly refusedBy: Refusal | null;
  readonly refusal: Refusal | null;
}

export type BoundTo = 'nothing' | 'wildcard' | 'loopback' | 'other';

export interface PortVerdict {
  readonly kind: 'free' | 'listed' | 'hidden';
  readonly v4: BoundTo;
  readonly v6: BoundTo;
}

export interface HiddenAddon {
  hiddenPidSight(root: number): PidSight;
  /** Thread-group leaders, ascending; a count beyond the array's length means: grow and ask again. */
  listPids(root: number, into: Int32Array): number | Refusal;
  /** getsid and pidfd_open for the numbers of [from, to) that are not in `listed` (ascending). About 0.4 µs each. */
  probePids(listed: Int32Array, from: number, to: number): PidProbe;
  /** Those of `pids` (ascending) with a mount on their folder. About 1 µs each. */
  coveredPids(root: number, pids: Int32Array): Int32Array | Refusal;
  /**
   * One round of confirmation of at most 128 suspects (ascending): EVIDENCE bits of each; 0 = it ended, is a thread, or is listed.
   * `elsewhere`: pids (ascending) of another source.
   */
  confirmPids(root: number, suspects: Int32Array, elsewhere: Int32Array): Uint8Array | Refusal;
  /** `ESRCH` when it has ended. */
  describePid(root: number, pid: number): PidDescription | Refusal;

  hiddenPortSight(): PortSight;
  /** Adds the local port of every socket of one family, in all states, to 8192 bytes of bits. */
  portTable(protocol: PortProtocol, family: 4 | 6, table: Uint8Array): Refusal | null;
  /** Binds and closes every port of [from, to); sets the bits of those in use. About 8 µs each. */
  probePorts(protocol: PortProtocol, from: number, to: number, taken: Uint8Array): PortProbe;
  /** One round of confirmation. */
  confirmPort(protocol: PortProtocol, port: number): PortVerdict | Refusal;
}
