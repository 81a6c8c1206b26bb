/** The part of the native boundary that reads network namespaces other than our own. */
import type { Refusal } from './types.ts';

export interface NetworkNamespaces {
  readonly own: number;
  /** By their lowest pid; pids ascending. */
  readonly others: readonly { readonly inode: number; readonly pids: readonly number[] }[];
  /** Processes whose namespace may not be read, ascending. */
  readonly unread: readonly number[];
}

export interface ForeignProcess {
  readonly pid: number;
  /** Clock ticks after boot, as text; "0" and "" when ended or refused. */
  readonly start: string;
  readonly comm: string;
  readonly executable: string;
}

export interface ForeignSocket {
  readonly protocol: 'tcp' | 'udp';
  readonly family: 4 | 6;
  readonly address: Uint8Array;
  readonly port: number;
  readonly scope: 'loopback' | 'public';
  readonly inode: number;
  readonly creatorUid: number;
  /** Ascending; empty when none was found. */
  readonly holders: readonly number[];
}

export interface ForeignListeners {
  /** The process through which the namespace was entered. */
  readonly pid: number;
  /** That one and every holder, ascending. */
  readonly processes: readonly ForeignProcess[];
  /** Ephemeral ports there, lowest and highest; null when they could not be read. */
  readonly ephemeral: readonly [number, number] | null;
  readonly listeners: readonly ForeignSocket[];
  /** Null when all kinds of sockets were listed. */
  readonly refusal: Refusal | null;
}

export interface ForeignAddon {
  networkNamespaces(root: number): NetworkNamespaces | Refusal;
  /**
   * Enters the namespace through the first of `pids` (at most 64, also searched for holders) that is in it, in a thread of the call.
   * ESRCH: none is in it any more; EACCES or EPERM: it may not be entered.
   */
  listenersOf(root: number, pids: Int32Array, namespace: number): ForeignListeners | Refusal;
}
