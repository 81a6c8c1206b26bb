/** The sockets that listen on one endpoint at this very moment. A program may close one and open the next all the time. */
import { formatAddress } from '../../engine/addresses.ts';
import type { Listener } from '../../engine/snapshot.ts';
import { allocate, columnsOver } from '../../native/columns.ts';
import type { NativeAddon } from '../../native/types.ts';

export type Endpoint = Pick<Listener, 'protocol' | 'address' | 'port'>;

/** A listening socket with the uid that made it. */
export interface OpenSocket {
  readonly family: 4 | 6;
  readonly inode: number;
  readonly uid: number;
}

const IPPROTO_UDP = 17;
const ADDRESS_BYTES = 16;

/** Asks the kernel, some 0.1 ms each time. What it refuses to list is told as nothing: it is looked for no further. */
export function socketLister(
  native: Pick<NativeAddon, 'layout' | 'listSockets'>,
): (endpoint: Endpoint) => readonly OpenSocket[] {
  const tableOf = (sockets: number) => {
    const capacity = { processes: 0, sockets, holders: 0, text: 0 };
    const layout = native.layout(capacity);
    return { room: capacity, ...columnsOver(allocate(layout), layout, capacity) };
  };
  let table = tableOf(256);
  return ({ protocol, address, port }) => {
    const { listeners: count } = native.listSockets(table.bytes, table.room, false);
    if (count > table.room.sockets) {
      table = tableOf(count * 2);
      return [];
    }
    const { listeners } = table;
    const found: OpenSocket[] = [];
    for (let row = 0; row < count; row++) {
      if (listeners.port[row] !== port || (listeners.protocol[row] === IPPROTO_UDP) !== (protocol === 'udp'))
        continue;
      const family = listeners.family[row] === 4 ? 4 : 6;
      const bytes = listeners.address.subarray(
        row * ADDRESS_BYTES,
        row * ADDRESS_BYTES + (family === 4 ? 4 : 16),
      );
      if (formatAddress(bytes) === address)
        found.push({ family, inode: listeners.inode[row] as number, uid: listeners.uid[row] as number });
    }
    return found;
  };
}
