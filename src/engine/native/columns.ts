/** Typed arrays over the shared buffer of a sweep, placed where the addon says the columns lie. */
import type {
  Capacity,
  ColumnSpec,
  ConnectionColumns,
  HolderColumns,
  Layout,
  ListenerColumns,
  ProcessColumns,
} from './types.ts';

export interface Columns {
  /** The whole buffer, as the addon takes it. */
  readonly bytes: Uint8Array;
  readonly capacity: Capacity;
  readonly processes: ProcessColumns;
  readonly listeners: ListenerColumns;
  readonly connections: ConnectionColumns;
  readonly holders: HolderColumns;
  readonly text: Uint8Array;
}

type MakeArray = new (buffer: SharedArrayBuffer, offset: number, length: number) => ArrayBufferView;
const ARRAYS: Readonly<Record<ColumnSpec['type'], MakeArray>> = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  i32: Int32Array,
};

const table = <T>(buffer: SharedArrayBuffer, specs: readonly ColumnSpec[]): T =>
  Object.freeze(
    Object.fromEntries(
      specs.map(({ name, type, offset, length }) => [name, new ARRAYS[type](buffer, offset, length)]),
    ),
  ) as T;

export const allocate = (layout: Layout): SharedArrayBuffer => new SharedArrayBuffer(layout.bytes);

/** The columns of `capacity` over `buffer`; `layout` is the addon's for that capacity. RangeError for a buffer that is too small. */
export function columnsOver(buffer: SharedArrayBuffer, layout: Layout, capacity: Capacity): Columns {
  if (buffer.byteLength < layout.bytes)
    throw new RangeError(`the buffer holds ${buffer.byteLength} bytes, the layout asks for ${layout.bytes}`);
  return Object.freeze({
    bytes: new Uint8Array(buffer),
    capacity,
    processes: table<ProcessColumns>(buffer, layout.processes),
    listeners: table<ListenerColumns>(buffer, layout.listeners),
    connections: table<ConnectionColumns>(buffer, layout.connections),
    holders: table<HolderColumns>(buffer, layout.holders),
    text: new Uint8Array(buffer, layout.text.offset, layout.text.length),
  });
}
