/** Listeners and connections as plain data: the socket columns joined with the holders known. */
import { addressText } from '../base/addresses.ts';
import { textOf } from './bytes.ts';
import { SCOPE } from './native/batch-types.ts';
import type { ConnectionColumns, HolderColumns, ListenerColumns } from './native/types.ts';
import type { Connection, Counts, Holder, Listener, Machine, ProcessTable } from './snapshot.ts';

const IPPROTO_UDP = 17;
const ADDRESS_BYTES = 16;
const NO_HOLDERS: readonly Holder[] = Object.freeze([]);

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
    const fd = columns.fd[at] as number;
    const holder = Object.freeze({ pid, start: String(table.columns.start[row]), fd });
    const inode = columns.inode[at] as number;
    const holders = found.get(inode);
    if (holders) holders.push(holder);
    else found.set(inode, [holder]);
  }
  for (const holders of found.values()) Object.freeze(holders.sort((a, b) => a.pid - b.pid || a.fd - b.fd));
  return found;
}

/** The bound endpoint of a row. */
export const endpointAt = ({ protocol, family, address, port }: ListenerColumns, row: number) =>
  ({
    protocol: protocol[row] === IPPROTO_UDP ? 'udp' : 'tcp',
    family: family[row] === 4 ? 4 : 6,
    address: addressText(addressAt(family, address, row)),
    port: port[row] as number,
  }) as const;

function addressAt(family: Uint8Array, address: Uint8Array, row: number): Uint8Array {
  const at = row * ADDRESS_BYTES;
  return address.subarray(at, at + (family[row] === 4 ? 4 : ADDRESS_BYTES));
}

const OWNERS: readonly Listener['owner'][] = ['held', 'ownerless', 'blind'];

/** The first `count` listener rows, whose derived columns are filled. Listener i is row i. */
export function listenersFrom(
  columns: ListenerColumns,
  count: number,
  holders: ReadonlyMap<number, readonly Holder[]>,
  table: ProcessTable,
): readonly Listener[] {
  const listeners: Listener[] = [];
  for (let row = 0; row < count; row++) {
    const inode = columns.inode[row] as number;
    const held = holders.get(inode) ?? NO_HOLDERS;
    listeners.push(
      Object.freeze({
        ...endpointAt(columns, row),
        scope: columns.scope[row] === SCOPE.loopback ? 'loopback' : 'public',
        inode,
        creatorUid: columns.uid[row] as number,
        holders: held,
        owner: OWNERS[columns.owner[row] as number] ?? 'blind',
        executable: executableOf(held, table),
      }),
    );
  }
  return Object.freeze(listeners);
}

export function sameListeners(some: readonly Listener[], others: readonly Listener[]): boolean {
  return some.length === others.length && some.every((one, at) => sameListener(one, others[at] as Listener));
}

/** An inode may be given to another socket once the first is closed, so the endpoint is compared too. */
export const sameListener = (one: Listener, other: Listener): boolean =>
  one === other ||
  (one.inode === other.inode &&
    one.port === other.port &&
    one.protocol === other.protocol &&
    one.address === other.address &&
    one.creatorUid === other.creatorUid &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    sameHolders(one.holders, other.holders));

const sameHolders = (some: readonly Holder[], others: readonly Holder[]): boolean =>
  some.length === others.length &&
  some.every(({ pid, start, fd }, at) => {
    const other = others[at] as Holder;
    return pid === other.pid && start === other.start && fd === other.fd;
  });

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
        address: addressText(addressAt(columns.family, columns.address, row)),
        port: columns.port[row] as number,
        holders: holders.get(columns.inode[row] as number) ?? NO_HOLDERS,
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

/** TCP, or UDP below the ephemeral range: above it are mostly clients waiting for an answer. All UDP while the range is unknown. */
export function isService(
  { protocol, port }: Pick<Listener, 'protocol' | 'port'>,
  ephemeral: Machine['ephemeral'],
): boolean {
  return protocol === 'tcp' || ephemeral === null || port < ephemeral[0];
}

type ListenerCounts = Pick<Counts, 'publicListeners' | 'loopbackListeners'>;

const counted = new WeakMap<
  readonly Listener[],
  { readonly range: string; readonly counts: ListenerCounts }
>();

/** Counted once for a list, which a snapshot never changes. */
export function countListeners(
  listeners: readonly Listener[],
  ephemeral: Machine['ephemeral'],
): ListenerCounts {
  const range = String(ephemeral);
  const known = counted.get(listeners);
  if (known?.range === range) return known.counts;
  const counts = countDistinct(listeners, ephemeral);
  counted.set(listeners, { range, counts });
  return counts;
}

function countDistinct(listeners: readonly Listener[], ephemeral: Machine['ephemeral']): ListenerCounts {
  const seen = { public: new Set<string>(), loopback: new Set<string>() };
  for (const listener of listeners) {
    if (!isService(listener, ephemeral)) continue;
    seen[listener.scope].add(`${listener.protocol} ${listener.port} ${listener.executable}`);
  }
  return { publicListeners: seen.public.size, loopbackListeners: seen.loopback.size };
}
