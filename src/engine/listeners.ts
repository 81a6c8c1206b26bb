/** Listeners and connections as plain data: the socket columns joined with the holders known. */
import type { ConnectionColumns, HolderColumns, ListenerColumns } from '../native/types.ts';
import { formatAddress, isLoopback } from './addresses.ts';
import { textOf } from './bytes.ts';
import type { Connection, Holder, Listener, ProcessTable } from './snapshot.ts';

const IPPROTO_UDP = 17;
const ADDRESS_BYTES = 16;
const NOBODY: readonly Holder[] = Object.freeze([]);

/** The first `count` holder rows by socket inode, each list ascending by pid, then descriptor; those gone are left out. */
export function holdersByInode(
  columns: HolderColumns,
  count: number,
  table: ProcessTable,
): Map<number, readonly Holder[]> {
  const found = new Map<number, Holder[]>();
  for (let at = 0; at < count; at++) {
    const pid = columns.pid[at] as number;
    const row = table.rowOf(pid);
    if (row < 0 || table.columns.state[row] === 0) continue;
    const holder = Object.freeze({
      pid,
      start: String(table.columns.start[row]),
      fd: columns.fd[at] as number,
    });
    const inode = columns.inode[at] as number;
    const holders = found.get(inode);
    if (holders) holders.push(holder);
    else found.set(inode, [holder]);
  }
  for (const holders of found.values()) Object.freeze(holders.sort((a, b) => a.pid - b.pid || a.fd - b.fd));
  return found;
}

function addressAt(family: Uint8Array, address: Uint8Array, row: number): Uint8Array {
  const at = row * ADDRESS_BYTES;
  return address.subarray(at, at + (family[row] === 4 ? 4 : ADDRESS_BYTES));
}

/**
 * The first `count` listener rows. `sightComplete` says that every process which could hold a socket was seen and its
 * descriptors read: only then is a socket without holder `ownerless`, else it is `blind`.
 */
export function listenersFrom(
  columns: ListenerColumns,
  count: number,
  holders: ReadonlyMap<number, readonly Holder[]>,
  table: ProcessTable,
  sightComplete: boolean,
): readonly Listener[] {
  const listeners: Listener[] = [];
  const seen = new Set<number>();
  for (let row = 0; row < count; row++) {
    const inode = columns.inode[row] as number;
    // A dump cut into several datagrams may show a socket twice when its hash chain changed between two of them.
    if (inode !== 0 && seen.has(inode)) continue;
    seen.add(inode);
    const bytes = addressAt(columns.family, columns.address, row);
    const held = holders.get(inode) ?? NOBODY;
    listeners.push(
      Object.freeze({
        protocol: columns.protocol[row] === IPPROTO_UDP ? 'udp' : 'tcp',
        family: columns.family[row] === 4 ? 4 : 6,
        address: formatAddress(bytes),
        port: columns.port[row] as number,
        scope: isLoopback(bytes) ? 'loopback' : 'public',
        inode,
        creatorUid: columns.uid[row] as number,
        holders: held,
        owner: held.length > 0 ? 'held' : sightComplete ? 'ownerless' : 'blind',
        executable: executableOf(held, table),
      }),
    );
  }
  return Object.freeze(listeners);
}

/** The first `count` connection rows. */
export function connectionsFrom(
  columns: ConnectionColumns,
  count: number,
  holders: ReadonlyMap<number, readonly Holder[]>,
): readonly Connection[] {
  const connections: Connection[] = [];
  for (let row = 0; row < count; row++) {
    connections.push(
      Object.freeze({
        family: columns.family[row] === 4 ? 4 : 6,
        address: formatAddress(addressAt(columns.family, columns.address, row)),
        port: columns.port[row] as number,
        holders: holders.get(columns.inode[row] as number) ?? NOBODY,
      }),
    );
  }
  return Object.freeze(connections);
}

function executableOf(holders: readonly Holder[], table: ProcessTable): string {
  const first = holders[0];
  if (first === undefined) return '';
  const row = table.rowOf(first.pid);
  return row < 0 ? '' : textOf(table.exe(row));
}
