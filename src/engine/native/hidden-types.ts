/** The part of the native boundary that looks for hidden processes and ports (native/probe/hidden_*). */
import type { Refusal } from './types.ts';

/** What a round of `confirmPids` saw (PidEvidence in native/probe/hidden_pid.h). */
export const EVIDENCE = {
  session: 1,
  pidfd: 2,
  iterator: 4,
  unlisted: 8,
  mounted: 16,
  noFolder: 32,
  /** We have the right to look into it: no mount option hides it from us. */
  ours: 64,
} as const;

/** Whether hidden processes can be told here. Null = works. */
export interface PidSight {
  /** `EMEDIUMTYPE`: the root is no proc; `EXDEV`: it shows another pid namespace than ours. */
  readonly root: Refusal | null;
  readonly getsid: Refusal | null;
  readonly pidfdOpen: Refusal | null;
  readonly openat2: Refusal | null;
  /** What the mount hides of others (hidepid=): `contents` only closes their folders, the last two leave them out. */
  readonly hides: 'nothing' | 'contents' | 'invisible' | 'ptraceable' | Refusal;
  /** /proc/sys/kernel/pid_max: the first number that is not given. */
  readonly pidMax: number | Refusal;
}

export interface PidProbe {
  /** Numbers that a probe knows as a process and the list does not hold, ascending. */
  readonly suspects: Int32Array;
  /** Numbers asked: those of the range that are not listed. */
  readonly tried: number;
  /** Of them, those getsid knew (threads among them), and those pidfd_open knew as processes. */
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
  /** Read through a proc of our own, mounted nowhere, since the root's folder is covered or closed. */
  readonly freshProc: boolean;
}

/** IPPROTO_TCP or IPPROTO_UDP. */
export type PortProtocol = 6 | 17;

/** Whether hidden ports can be told here. Null = works. */
export interface PortSight {
  readonly v4: Refusal | null;
  readonly v6: Refusal | null;
  /** Refused: the socket table leaves out TCP sockets that are bound and neither listen nor connect (kernels before 6.8). */
  readonly bound: Refusal | null;
}

export interface PortProbe {
  readonly tried: number;
  readonly taken: number;
  /** Ports that may not be bound, so that nothing is known of them, from the lowest to the highest; 0 when there is none. */
  readonly refused: number;
  readonly lowestRefused: number;
  readonly highestRefused: number;
  /** Why the lowest was: `ENOTCONN` and `ETIMEDOUT` are those of desk-start. Null when none was. */
  readonly refusedBy: Refusal | null;
  /** What stopped the pass before its end. */
  readonly refusal: Refusal | null;
}

/** On which addresses of a family a socket holds a port. */
export type BoundTo = 'nothing' | 'wildcard' | 'loopback' | 'other';

export interface PortVerdict {
  readonly kind: 'free' | 'listed' | 'hidden';
  readonly v4: BoundTo;
  readonly v6: BoundTo;
}

/** Exports of the addon; `NativeAddon` has them all. */
export interface HiddenAddon {
  hiddenPidSight(root: number): PidSight;
  /** Thread-group leaders of the root, ascending; a count beyond the array's length means: grow and ask again. */
  listPids(root: number, into: Int32Array): number | Refusal;
  /** Asks getsid and pidfd_open for every number of [from, to) that `listed` (ascending) does not hold. About 0.4 µs each. */
  probePids(listed: Int32Array, from: number, to: number): PidProbe;
  /** Those of `pids` (ascending) on whose folder something is mounted. About 1 µs each. */
  coveredPids(root: number, pids: Int32Array): Int32Array | Refusal;
  /**
   * One round of confirmation for at most 128 suspects (ascending): EVIDENCE bits of each, in their order; 0 = it ended, is a
   * thread, or is in plain sight. `elsewhere`: pids (ascending) that another source saw just now.
   */
  confirmPids(root: number, suspects: Int32Array, elsewhere: Int32Array): Uint8Array | Refusal;
  /** Who a hidden process is; a refusal `ESRCH` when it has ended. */
  describePid(root: number, pid: number): PidDescription | Refusal;

  hiddenPortSight(): PortSight;
  /** Adds the local port of every socket of one family, in all states, to 8192 bytes of bits. */
  portTable(protocol: PortProtocol, family: 4 | 6, table: Uint8Array): Refusal | null;
  /** Binds and closes every port of [from, to); sets the bits of those in use. About 8 µs each. */
  probePorts(protocol: PortProtocol, from: number, to: number, taken: Uint8Array): PortProbe;
  /** One round of confirmation of a port that was in use and in no table. */
  confirmPort(protocol: PortProtocol, port: number): PortVerdict | Refusal;
}
