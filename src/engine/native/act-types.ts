/** The part of the native boundary that touches something: held processes with their signals, and the quarantine (native/act). */
import type { Refusal } from './types.ts';

export interface Held {
  readonly handle: number;
  readonly pid: number;
  readonly ppid: number;
  readonly start: bigint;
  readonly uid: number;
  readonly euid: number;
  /** Raw bytes; empty for kernel threads. */
  readonly executable: Uint8Array;
  readonly kernelThread: boolean;
  /** False: in a pid namespace below ours. */
  readonly ourPidNamespace: boolean;
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

/** Only `sent` means that a signal was sent (Sent in native/act/held_process.h). */
export interface SignalAnswer {
  readonly outcome:
    | ('sent' | 'exited' | 'changed' | 'forbidden' | 'refused')
    | ('not-holding' | 'not-listening' | 'not-maker');
  readonly refusal: Refusal | null;
}

/**
 * Why a holder is responsible for a listening socket (Standing in native/act/accountable.h): it made it, it has the maker's user ids
 * and executable, or, with an unknown maker, all its user ids are the creator's uid. `other` is never signalled.
 */
export type Standing = 'maker' | 'shares-maker' | 'creator-uid' | 'other';

/** The process that made a socket a listener, recorded by the kernel program. */
export interface SocketMaker {
  readonly pid: number;
  readonly uid: number;
  readonly start: bigint;
}

export interface SocketHolders {
  /** Ascending. */
  readonly pids: readonly number[];
  /** User-space processes whose descriptors could not be read: any of them may hold it too. */
  readonly unread: number;
}

export interface QuarantineRow {
  readonly id: string;
  /** Bytes of the manifest; empty when they cannot be read. */
  readonly manifest: Uint8Array;
  readonly present: boolean;
}

export interface ActAddon {
  /** Opens pidfd and folder of a process, until released. `ESRCH`: it has ended; `EXDEV`: /proc is of another pid namespace. */
  holdProcess(pid: number): Held | Refusal;
  releaseProcess(held: number): void;
  hasExited(held: number): boolean;
  /**
   * A signal through the pidfd, after checking again that the process is the same, holds the socket, and is responsible for it
   * (else `not-maker`), and that the socket listens. Pid 1 and 2, kernel threads, our own kin and other pid namespaces are `forbidden`.
   */
  signalHolder(held: number, signal: 15 | 9, socket: SocketKey): SignalAnswer;
  /** `creatorUid`: `idiag_uid` of sock_diag(7). */
  holderStanding(pid: number, inode: number, creatorUid: number): Standing | Refusal;
  /** Null without a socket trace (`WatchStart.makers`, `udp`) since the socket became a listener. */
  socketMaker(inode: number): SocketMaker | null;
  /** Whether a descriptor of the process is the socket now. */
  holdsSocket(pid: number, inode: number): boolean | Refusal;
  socketListens(socket: SocketKey): boolean | Refusal;
  /** For each of the sockets (ascending inodes, each once). One pass, a few µs per process. */
  socketHolders(root: number, inodes: Uint32Array): readonly SocketHolders[] | Refusal;
  /** Clock ticks after boot at which a living process started. */
  processStart(root: number, pid: number): bigint | Refusal;

  /** In a refusal of these four, `source` is the step that stopped it (native/act/quarantine.h). Null = done. */
  quarantineMove(state: string, name: string, entry: string, manifest: Uint8Array): Promise<Refusal | null>;
  quarantineList(state: string): readonly QuarantineRow[] | Refusal;
  quarantineRestore(state: string, entry: string, name: string): Refusal | null;
  quarantinePurge(state: string, entry: string): Refusal | null;
}
