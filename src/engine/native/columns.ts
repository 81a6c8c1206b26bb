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

function column(buffer: SharedArrayBuffer, { type, offset, length }: ColumnSpec) {
  switch (type) {
    case 'u8':
      return new Uint8Array(buffer, offset, length);
    case 'u16':
      return new Uint16Array(buffer, offset, length);
    case 'u32':
      return new Uint32Array(buffer, offset, length);
    case 'u64':
      return new BigUint64Array(buffer, offset, length);
    case 'i32':
      return new Int32Array(buffer, offset, length);
  }
}

function table<T>(buffer: SharedArrayBuffer, specs: readonly ColumnSpec[]): T {
  return Object.freeze(Object.fromEntries(specs.map((spec) => [spec.name, column(buffer, spec)]))) as T;
}

/** Bytes a capacity needs, told by the addon: allocate a SharedArrayBuffer of `layout.bytes`. */
export function allocate(layout: Layout): SharedArrayBuffer {
  return new SharedArrayBuffer(layout.bytes);
}

/**
 * The columns of `capacity` over `buffer`. `layout` must come from the addon for the same capacity; a buffer that is
 * too small throws RangeError.
 */
export function columnsOver(buffer: SharedArrayBuffer, layout: Layout, capacity: Capacity): Columns {
  if (buffer.byteLength < layout.bytes) {
    throw new RangeError(`the buffer holds ${buffer.byteLength} bytes, the layout asks for ${layout.bytes}`);
  }
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
