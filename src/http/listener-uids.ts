/** Which users made the sockets that listen on an address. On loopback any local user may take a port that is free. */
import { unmappedBytes } from '../base/addresses.ts';
import { allocate, columnsOver } from '../engine/native/columns.ts';
import type { ListenerColumns, NativeAddon } from '../engine/native/types.ts';

export type ListenerCalls = Pick<NativeAddon, 'layout' | 'listSockets'>;

const IPPROTO_TCP = 6;
const ADDRESS_BYTES = 16;

/**
 * Uids of the users who made the sockets that may take a TCP connection to the address (4 or 16 bytes); the reason when the
 * kernel does not list them.
 */
export function listenerUids(
  kernel: ListenerCalls,
  address: Uint8Array,
  port: number,
): readonly number[] | string {
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
 * tries the wildcards (ip(7), ipv6(7)); `::` takes IPv4 too unless it is IPV6_V6ONLY, which is not known here.
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
  const bound = unmappedBytes(columns.address.subarray(at, at + (isFour ? 4 : ADDRESS_BYTES))) as Uint8Array;
  if (bound.length === address.length && bound.every((byte, index) => byte === address[index]))
    return 'exact';
  const reaches = bound.length === ADDRESS_BYTES || address.length === 4;
  return reaches && bound.every((byte) => byte === 0) ? 'wildcard' : 'none';
}
