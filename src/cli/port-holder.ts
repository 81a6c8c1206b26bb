/**
 * Who is at the other end before a token goes there. On loopback any local user may take a port that is free, so the
 * kernel is asked who made the sockets that listen there and who accepted this connection.
 */
import { addressBytes, isLoopback } from '../http/peer.ts';
import { allocate, columnsOver } from '../native/columns.ts';
import type { ListenerColumns, NativeAddon } from '../native/types.ts';

export type KernelCalls = Pick<NativeAddon, 'layout' | 'listSockets' | 'peerUid'>;

/** Both ends of a connection, as `net.Socket` tells them. */
export interface Ends {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

export type Holder =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'stranger'; readonly uid: number }
  /** Made by a trusted uid, but nobody has accepted the connection yet: ask again. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly reason: string };

const IPPROTO_TCP = 6;
const ADDRESS_BYTES = 16;
/** ::ffff:0:0/96 (RFC 4291 section 2.5.5.2). */
const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
const unknown = (reason: string): Holder => ({ kind: 'unknown', reason });

/**
 * Judges an established loopback connection: trusted when every socket that listens on its far end, and the socket that
 * accepted it, were made by one of the `trusted` uids. What the kernel does not tell is `unknown`.
 *
 * The listeners come first: one that closed before they were listed has either accepted the connection, which then
 * carries its maker's uid, or reset it. A connection nobody has accepted yet has no inode, so `peerUid` says ENOTCONN.
 */
export function holderOf(kernel: KernelCalls, ends: Ends, trusted: ReadonlySet<number>): Holder {
  const { localPort, remotePort } = ends;
  const local = plain(addressBytes(ends.localAddress ?? ''));
  const remote = plain(addressBytes(ends.remoteAddress ?? ''));
  if (local === null || remote === null || localPort === undefined || remotePort === undefined)
    return unknown('the connection has ended');
  if (!isLoopback(remote)) return unknown('the connection leaves this machine');
  const makers = listenerMakers(kernel, remote, remotePort);
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

const isMapped = (bytes: Uint8Array): boolean => mappedPrefix.every((byte, at) => bytes[at] === byte);

/** A v4-mapped address as the IPv4 address it is. */
function plain(bytes: Uint8Array | null): Uint8Array | null {
  return bytes?.length === ADDRESS_BYTES && isMapped(bytes) ? bytes.subarray(12) : bytes;
}

/** Uids of the sockets that may take a connection to the address; the reason when the kernel does not list them. */
function listenerMakers(kernel: KernelCalls, address: Uint8Array, port: number): readonly number[] | string {
  // The table grows when it does not fit; one that outgrows four attempts is not worth trusting.
  for (let attempt = 0, sockets = 256; attempt < 4; attempt += 1) {
    const capacity = { processes: 0, sockets, holders: 0, text: 0 };
    const layout = kernel.layout(capacity);
    const { bytes, listeners: columns } = columnsOver(allocate(layout), layout, capacity);
    const { listeners, refusals } = kernel.listSockets(bytes, capacity, false);
    const refused = refusals.find(({ source }) => source.includes('tcp'));
    if (refused !== undefined) return `${refused.source} says ${refused.code}`;
    if (listeners <= sockets) {
      const rows = [...Array(listeners).keys()].map((row) => ({
        fit: fitOf(columns, row, address, port),
        uid: columns.uid[row] as number,
      }));
      const exact = rows.filter(({ fit }) => fit === 'exact');
      const chosen = exact.length > 0 ? exact : rows.filter(({ fit }) => fit === 'wildcard');
      return chosen.map(({ uid }) => uid);
    }
    sockets = listeners * 2;
  }
  return 'the sockets of this machine change too fast to be listed';
}

/**
 * How a listening socket fits a destination. The kernel gives a connection to a socket bound to the very address before it
 * looks among the wildcards (ip(7), ipv6(7)); `::` takes IPv4 too unless it is IPV6_V6ONLY, which is not known here.
 */
function fitOf(
  columns: ListenerColumns,
  row: number,
  address: Uint8Array,
  port: number,
): 'exact' | 'wildcard' | 'none' {
  if (columns.protocol[row] !== IPPROTO_TCP || columns.port[row] !== port) return 'none';
  const isFour = columns.family[row] === 4;
  const at = row * ADDRESS_BYTES;
  const bound = plain(columns.address.subarray(at, at + (isFour ? 4 : ADDRESS_BYTES))) as Uint8Array;
  if (bound.length === address.length && bound.every((byte, index) => byte === address[index]))
    return 'exact';
  const reaches = bound.length === ADDRESS_BYTES || address.length === 4;
  return reaches && bound.every((byte) => byte === 0) ? 'wildcard' : 'none';
}
