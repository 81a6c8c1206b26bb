/**
 * Who is at the other end before a token goes there. On loopback any local user may take a port that is free, so the
 * kernel is asked who made the sockets that listen there and who accepted this connection.
 */
import { isLoopback, unmappedBytes } from '../base/addresses.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import { type ListenerCalls, listenerUids } from '../http/listener-uids.ts';

export type KernelCalls = ListenerCalls & Pick<NativeAddon, 'peerUid'>;

/** Both ends of a connection, as `net.Socket` has them. */
interface Ends {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

type Holder =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'stranger'; readonly uid: number }
  /** Made by a trusted uid, but the connection is not accepted yet: ask again. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string };

const unknown = (reason: string): Holder => ({ kind: 'unknown', reason });

/**
 * Judges an established loopback connection: trusted when every socket that listens on its far end, and the socket that
 * accepted it, were made by one of the `trusted` uids. What the kernel does not say is `unknown`.
 *
 * The listeners come first: one that closed before they were listed has either accepted the connection, which then
 * carries its maker's uid, or reset it. A connection that is not accepted yet has no inode, so `peerUid` says ENOTCONN.
 */
export function holderOf(kernel: KernelCalls, ends: Ends, trusted: ReadonlySet<number>): Holder {
  const { localPort, remotePort } = ends;
  const local = unmappedBytes(ends.localAddress ?? '');
  const remote = unmappedBytes(ends.remoteAddress ?? '');
  if (local === null || remote === null || localPort === undefined || remotePort === undefined)
    return unknown('the connection has ended');
  if (!isLoopback(remote)) return unknown('the connection leaves this machine');
  const makers = listenerUids(kernel, remote, remotePort);
  if (typeof makers === 'string') return unknown(makers);
  if (makers.length === 0) return unknown('nothing listens there any more');
  const accepted = kernel.peerUid(local, localPort, remote, remotePort);
  const stranger = [...makers, ...(typeof accepted === 'number' ? [accepted] : [])].find(
    (uid) => !trusted.has(uid),
  );
  if (stranger !== undefined) return { kind: 'stranger', uid: stranger };
  if (typeof accepted === 'number') return { kind: 'trusted' };
  if (accepted.code === 'ENOTCONN') return { kind: 'pending' };
  return unknown(`${accepted.source} says ${accepted.code}`);
}
