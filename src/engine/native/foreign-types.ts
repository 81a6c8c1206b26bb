/** The part of the native boundary that looks at network namespaces other than our own. */
import type { Refusal } from './types.ts';

export interface NetworkNamespace {
  readonly inode: number;
  /** Processes in it, ascending. */
  readonly pids: readonly number[];
}

export interface NetworkNamespaces {
  /** Inode of ours. */
  readonly own: number;
  /** By their lowest pid. */
  readonly others: readonly NetworkNamespace[];
  /** Processes that keep theirs from us, ascending. */
  readonly unread: readonly number[];
}

export interface ForeignProcess {
  readonly pid: number;
  /** Clock ticks after boot, as text; "0" and "" for one that ended meanwhile or may not be asked about. */
  readonly start: string;
  readonly comm: string;
  readonly executable: string;
}

/** A listening TCP socket, or a bound UDP socket without a peer. */
export interface ForeignSocket {
  readonly protocol: 'tcp' | 'udp';
  readonly family: 4 | 6;
  /** 4 or 16 bytes, network order. */
  readonly address: Uint8Array;
  readonly port: number;
  readonly scope: 'loopback' | 'public';
  readonly inode: number;
  readonly creatorUid: number;
  /** Pids, ascending; empty when none of those who were searched shows it. */
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
  /** Why some kind of socket could not be listed; null when all were. */
  readonly refusal: Refusal | null;
}

/** Exports of the addon; `NativeAddon` has them all. */
export interface ForeignAddon {
  networkNamespaces(root: number): NetworkNamespaces | Refusal;
  /**
   * Enters the namespace through the first of `pids` that is still in it, in a thread that ends with the call. At most 64 of
   * them are asked, and searched for holders. ESRCH: none is in it any more; EACCES or EPERM: it may not be entered.
   */
  listenersOf(root: number, pids: Int32Array, namespace: number): ForeignListeners | Refusal;
}
