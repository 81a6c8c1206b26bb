/** The part of the native boundary that touches something: held processes with their signals, and the quarantine (native/act). */
import type { Refusal } from './types.ts';

/** A process that is held: no other can be taken for it any more. */
export interface Held {
  readonly handle: number;
  readonly pid: number;
  readonly ppid: number;
  /** Clock ticks after boot. */
  readonly start: bigint;
  readonly uid: number;
  readonly euid: number;
  /** Raw bytes; empty for kernel threads. */
  readonly executable: Uint8Array;
  readonly kernelThread: boolean;
  /** False: in a pid namespace below ours. */
  readonly ourPidNamespace: boolean;
  /** How it is related to this process. */
  readonly kin: 'none' | 'self' | 'ancestor' | 'descendant';
}

/** A listening socket of our network namespace. */
export interface SocketKey {
  /** IPPROTO_TCP or IPPROTO_UDP. */
  readonly protocol: 6 | 17;
  readonly family: 4 | 6;
  readonly port: number;
  readonly inode: number;
}

export const SIGNAL = { term: 15, kill: 9 } as const;

/** What came of a signal; every outcome but `sent` means that none was sent (Sent in native/act/held_process.h). */
export interface SignalAnswer {
  readonly outcome:
    | 'sent'
    | 'exited'
    | 'changed'
    | 'not-holding'
    | 'not-listening'
    | 'not-maker'
    | 'forbidden'
    | 'refused';
  /** Why the kernel refused the look or the signal. */
  readonly refusal: Refusal | null;
}

/**
 * Whether a holder answers for a listening socket (Standing in native/act/accountable.h): it made it, it shares the maker's user
 * ids and executable, or, where the maker is unknown, all its user ids are the creator's uid. `other`: it is never signalled.
 */
export type Standing = 'maker' | 'shares-maker' | 'creator-uid' | 'other';

/** The process that made a socket a listener, as the kernel program noted it at that moment. */
export interface SocketMaker {
  readonly pid: number;
  readonly uid: number;
  /** Clock ticks after boot. */
  readonly start: bigint;
}

export interface SocketHolders {
  /** Ascending. */
  readonly pids: readonly number[];
  /** User-space processes whose descriptors could not be read: any of them may hold it too. */
  readonly unread: number;
}

export interface QuarantineRow {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** Bytes of the manifest as they stand on disk; empty when they cannot be read. */
  readonly manifest: Uint8Array;
  /** The file itself is there. */
  readonly present: boolean;
}

/** Exports of the addon; `NativeAddon` has them all. */
export interface ActAddon {
  /**
   * Opens pidfd and folder of a process and reads who it is through them. `ESRCH` when it has ended, `EXDEV` when /proc is not
   * that of our own pids; otherwise what could not be read. To be released.
   */
  holdProcess(pid: number): Held | Refusal;
  releaseProcess(held: number): void;
  hasExited(held: number): boolean;
  /**
   * SIGTERM or SIGKILL through the pidfd, after looking once more that the process is who it was, that a descriptor of it is
   * the socket, that the socket still listens, and that the process answers for it (`not-maker` otherwise). Pid 1 and 2, kernel threads, our own kin and other pid namespaces are
   * `forbidden` whoever asks.
   */
  signalHolder(held: number, signal: 15 | 9, socket: SocketKey): SignalAnswer;
  /**
   * Whether a process answers for a socket that `creatorUid` created (`idiag_uid` of sock_diag(7)). A refusal when the process
   * cannot be read.
   */
  holderStanding(pid: number, inode: number, creatorUid: number): Standing | Refusal;
  /**
   * Null where no maker is known: since the socket became a listener this process was without a socket trace (BPF,
   * `WatchStart.makers`; UDP: `udp`), be it for a moment.
   */
  socketMaker(inode: number): SocketMaker | null;
  /** Whether the socket still listens on its port. */
  socketListens(socket: SocketKey): boolean | Refusal;
  /**
   * Of each socket (ascending inodes, each once), in their order: every process that has it among its descriptors. One look
   * through the descriptors of all processes, read anew: a few µs per process.
   */
  socketHolders(root: number, inodes: Uint32Array): readonly SocketHolders[] | Refusal;
  /** Clock ticks after boot at which a living process started. */
  processStart(root: number, pid: number): bigint | Refusal;

  /** In a refusal of these four, `source` is the step that stopped it (native/act/quarantine.h). Null = done. */
  quarantineMove(state: string, name: string, entry: string, manifest: Uint8Array): Promise<Refusal | null>;
  quarantineList(state: string): readonly QuarantineRow[] | Refusal;
  quarantineRestore(state: string, entry: string, name: string): Refusal | null;
  quarantinePurge(state: string, entry: string): Refusal | null;
}
