/**
 * The result of one CPU build on a proc root, as plain data that can be stored and compared. Used by the tests in this folder
 * and, bundled, by the aarch64 check, so it imports only what node can run by itself.
 */
import { allocate, type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import type { OwnersResult } from '../../src/engine/native/owners-types.ts';
import type { Capacity, NativeAddon, ShardResult } from '../../src/engine/native/types.ts';

/** One process; 64-bit numbers and masks as text, bytes as latin1. */
export type Row = Readonly<Record<string, number | string>>;

export interface Rendered {
  readonly reference: Row;
  readonly rows: readonly Row[];
  /** `inode pid fd`, in row order. */
  readonly holders: readonly string[];
}

export interface Swept {
  readonly columns: Columns;
  readonly count: number;
  readonly results: readonly ShardResult[];
  readonly owners: OwnersResult;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Lists and sweeps an open root in `shards` shards, and searches the descriptors for `sockets`. */
export function sweep(
  addon: NativeAddon,
  root: number,
  sockets: readonly number[] = [],
  shards = 1,
  capacity: Capacity = { processes: 512, sockets: 64, holders: 256, text: 1 << 20 },
): Swept {
  const layout = addon.layout(capacity);
  const columns = columnsOver(allocate(layout), layout, capacity);
  // Data of an earlier sweep must not remain visible.
  columns.bytes.fill(0xa5);
  const count = addon.listProcesses(root, columns.bytes, capacity);
  if (typeof count !== 'number') throw new Error(`listing was refused: ${count.code}`);
  columns.listeners.inode.set(sockets);
  const results = Array.from({ length: shards }, (_, shard) =>
    addon.sweepShard(root, columns.bytes, capacity, count, shard, shards),
  );
  return { columns, count, results, owners: own(addon, root, columns, count, sockets.length, shards) };
}

/** Walks for the holders of the sockets until none is missing. */
function own(
  addon: NativeAddon,
  root: number,
  { bytes, capacity }: Columns,
  count: number,
  listeners: number,
  shards: number,
): OwnersResult {
  let owners = addon.ownersCollect(root, bytes, capacity, count, listeners, 0, 0);
  for (let round = 0; round < 2 && owners.wanted > 0; round++) {
    for (let shard = 0; shard < shards; shard++) {
      addon.ownersWalk(root, bytes, capacity, count, listeners, 0, shard, shards);
    }
    owners = addon.ownersCollect(root, bytes, capacity, count, listeners, 0, 0);
  }
  return owners;
}

/** Text columns, which are rendered as text, and columns that are derived later or follow from others. */
const UNRENDERED = [
  'comm',
  'exeOffset',
  'exeLength',
  'cgroupOffset',
  'cgroupLength',
  'identity',
  'container',
  'traits',
  'own',
  'lookups',
];
const SHOWN: Readonly<Record<string, (value: number | bigint) => string>> = {
  flags: (value) => `0x${value.toString(16)}`,
  start: String,
  state: (value) => (value === 0 ? '' : String.fromCharCode(Number(value))),
  seen: (value) => value.toString(2),
  refused: (value) => value.toString(2),
};
const shown = (value: number | bigint) => (typeof value === 'bigint' ? value.toString(16) : value);

/** One row as a plain object. Throws when the identity hash does not match the identity text. */
export function renderRow(addon: NativeAddon, { columns }: Pick<Swept, 'columns'>, row: number): Row {
  const p = columns.processes;
  const text = (offset: Uint32Array, length: Uint32Array) => {
    const from = offset[row] as number;
    return latin1(columns.text.subarray(from, from + (length[row] as number)));
  };
  const identity = addon.identityOf(columns.bytes, columns.capacity, row);
  const hash = p.identity[row] as bigint;
  if (hash !== (identity.length === 0 ? 0n : addon.hashIdentity(identity))) {
    throw new Error(`row ${row}: the identity column is not the hash of ${latin1(identity)}`);
  }
  const numbers = Object.entries(p)
    .filter(([name]) => !UNRENDERED.includes(name))
    .map(([name, column]) => [name, (SHOWN[name] ?? shown)(column[row] as number | bigint)]);
  return {
    ...Object.fromEntries(numbers),
    comm: latin1(p.comm.subarray(row * 16, row * 16 + 16)).replace(/\0+$/, ''),
    exe: text(p.exeOffset, p.exeLength),
    cgroup: text(p.cgroupOffset, p.cgroupLength),
    identity: latin1(identity),
  };
}

/** Sweeps the root at `path` and renders everything it found. */
export function renderRoot(
  addon: NativeAddon,
  path: string,
  sockets: readonly number[],
  shards = 1,
): Rendered {
  const root = addon.openRoot(path);
  if (typeof root !== 'number') throw new Error(`${path} does not open: ${root.code}`);
  try {
    const reference = addon.reference(root);
    const swept = sweep(addon, root, sockets, shards);
    const { holders } = swept.columns;
    const held = Array.from({ length: swept.owners.holders }, (_, at) =>
      [holders.inode[at], holders.pid[at], holders.fd[at]].join(' '),
    );
    if (swept.owners.overflow || swept.results.some(({ overflow }) => overflow))
      throw new Error(`${path} does not fit`);
    return {
      reference: { ...reference, capBnd: reference.capBnd.toString(16) },
      rows: Array.from({ length: swept.count }, (_, row) => renderRow(addon, swept, row)),
      // The order of descriptors in a folder is not defined.
      holders: held.sort(),
    };
  } finally {
    addon.closeRoot(root);
  }
}
