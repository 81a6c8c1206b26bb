/** What a shutdown asks of the machine, read at the time of the call: a program may close one socket and open the next. */
import { setTimeout as delay } from 'node:timers/promises';
import { addressText } from '../../base/addresses.ts';
import type { ActAddon, SocketHolders } from '../../engine/native/act-types.ts';
import { allocate, columnsOver } from '../../engine/native/columns.ts';
import type { NativeAddon, Refusal } from '../../engine/native/types.ts';
import { Pool } from '../../engine/pool.ts';
import type { Listener } from '../../engine/snapshot.ts';
import { HolderSearch } from './holder-search.ts';

export type Endpoint = Pick<Listener, 'protocol' | 'address' | 'port'>;

/** A listening socket with the uid that created it. */
export interface OpenSocket {
  readonly family: 4 | 6;
  readonly inode: number;
  readonly uid: number;
}

export interface Machine {
  readonly native: ActAddon;
  /** Pid of the desk's own process. */
  readonly self: number;
  /** Every process that has the socket among its descriptors. */
  holders(inode: number): Promise<SocketHolders | Refusal>;
  /** Sockets that listen on an endpoint. */
  sockets(endpoint: Endpoint): readonly OpenSocket[];
  /** Rejects once the desk stops. */
  pause(ms: number): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  clockMs(): number;
  /** Ends all pauses; `close` follows when nothing uses the machine any more. */
  interrupt(): void;
  close(): Promise<void>;
}

type MachineAddon = ActAddon &
  Pick<NativeAddon, 'openRoot' | 'closeRoot' | 'layout' | 'listSockets' | 'mark'>;

const IPPROTO_UDP = 17;
const ADDRESS_BYTES = 16;
const FIRST_SOCKETS = 256;
/** The worker that searches for holders ends after this long without a search. */
const SEARCH_IDLE_MS = 60_000;

export function liveMachine(native: MachineAddon): Machine {
  const root = native.openRoot('/proc');
  if (typeof root !== 'number') throw new Error(`/proc cannot be opened (${root.code})`);
  // A search takes 50 ms with a thousand processes: it has a worker of its own, so that sweeps never wait for it.
  const search = new HolderSearch(root, () => new Pool(1, native.mark, { idleMs: SEARCH_IDLE_MS }));
  const stopping = new AbortController();
  return {
    native,
    self: process.pid,
    holders: (inode) => search.of(inode),
    sockets: socketLister(native),
    pause: (ms) => delay(ms, undefined, { signal: stopping.signal }),
    clockMs: () => performance.now(),
    interrupt: () => stopping.abort(),
    close: async () => {
      await search.close();
      native.closeRoot(root);
    },
  };
}

/** Takes about 0.1 ms each time. What the kernel refuses to list is an empty list. */
function socketLister(native: Pick<NativeAddon, 'layout' | 'listSockets'>): Machine['sockets'] {
  const tableOf = (sockets: number) => {
    const capacity = { processes: 0, sockets, holders: 0, text: 0 };
    const layout = native.layout(capacity);
    return { room: capacity, ...columnsOver(allocate(layout), layout, capacity) };
  };
  let table = tableOf(FIRST_SOCKETS);
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
      const begin = row * ADDRESS_BYTES;
      const bytes = listeners.address.subarray(begin, begin + (family === 4 ? 4 : ADDRESS_BYTES));
      if (addressText(bytes) === address)
        found.push({ family, inode: listeners.inode[row] as number, uid: listeners.uid[row] as number });
    }
    return found;
  };
}
