/** What a shutdown asks of the machine, read at the time of the call: a program may close one socket and open the next. */
import { setTimeout as delay } from 'node:timers/promises';
import { endpointAt } from '../../engine/listeners.ts';
import type { ActAddon, SocketHolders } from '../../engine/native/act-types.ts';
import { allocate, columnsOver } from '../../engine/native/columns.ts';
import type { NativeAddon, Refusal } from '../../engine/native/types.ts';
import { Pool } from '../../engine/pool.ts';
import type { Listener } from '../../engine/snapshot.ts';
import { HolderSearch } from './holder-search.ts';

export type Endpoint = Pick<Listener, 'protocol' | 'address' | 'port'>;

interface OpenSocket {
  readonly family: 4 | 6;
  readonly inode: number;
  readonly uid: number;
}

export interface Machine {
  readonly native: ActAddon;
  readonly self: number;
  /** Every process that has the socket among its descriptors. */
  holders(inode: number): Promise<SocketHolders | Refusal>;
  sockets(endpoint: Endpoint): readonly OpenSocket[];
  /** Rejects once the desk stops. */
  pause(ms: number): Promise<void>;
  clockMs(): number;
  /** Ends all pauses; `close` follows when nothing uses the machine any more. */
  interrupt(): void;
  close(): Promise<void>;
}

type MachineAddon = ActAddon &
  Pick<NativeAddon, 'openRoot' | 'closeRoot' | 'layout' | 'listSockets' | 'mark'>;

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

/** About 0.1 ms a call. A refused list is empty. */
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
      if (listeners.port[row] !== port) continue;
      const { family, ...one } = endpointAt(listeners, row);
      if (one.protocol === protocol && one.address === address)
        found.push({ family, inode: listeners.inode[row] as number, uid: listeners.uid[row] as number });
    }
    return found;
  };
}
