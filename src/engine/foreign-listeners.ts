/**
 * Listeners of network namespaces other than our own: the namespaces of all processes, then each one's sockets, asked from
 * within it. They are not the desk's own, and no snapshot has them.
 */
import { addressText } from '../base/addresses.ts';
import { inLanes } from './hidden.ts';
import type { ForeignListeners, ForeignProcess, ForeignSocket } from './native/foreign-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import type { TaskPool } from './pool.ts';

/** More are told as blind: some 0.1 ms each. */
const MOST_NAMESPACES = 1_000;
/** Processes through which a namespace is entered, and among which holders are looked for. */
const MOST_ASKED = 64;

export interface ForeignListener extends Pick<ForeignSocket, 'protocol' | 'family' | 'port' | 'scope'> {
  /** Inode of the namespace. */
  readonly namespace: number;
  readonly address: string;
  readonly inode: number;
  readonly creatorUid: number;
  /** TCP, or UDP below the ephemeral ports of the namespace: what is above waits for an answer more often than for strangers. */
  readonly service: boolean;
  /** Those that were found; empty when none was. */
  readonly holders: readonly ForeignProcess[];
  /** A process of the namespace. */
  readonly within: ForeignProcess;
}

export interface ForeignReport {
  readonly listeners: readonly ForeignListener[];
  /** Inodes of the namespaces that were entered. */
  readonly entered: ReadonlySet<number>;
  /** Inodes of those that may not be entered, or not wholly be read, with why. */
  readonly closed: ReadonlyMap<number, Refusal>;
  /** Namespaces beyond the most that one look enters. */
  readonly left: number;
  /** Pids of the processes whose namespace could not be read. */
  readonly unread: readonly number[];
}

/** All processes in it keep themselves from us. */
const KEPT: Refusal = { errno: 13, code: 'EACCES', source: 'ns/net' };

interface Parts {
  readonly pool: TaskPool;
  readonly root: number;
}

export interface ForeignOptions {
  readonly signal: AbortSignal;
  /** Inodes of network namespaces by pid, as a sweep knows them: the kernel's iterator tells what /proc keeps from us. */
  readonly known: ReadonlyMap<number, number>;
}

/** A refusal when not even our own namespace, or the processes, can be told. */
export async function sweepForeign(
  { pool, root }: Parts,
  { signal, known }: ForeignOptions,
): Promise<ForeignReport | Refusal> {
  const all = await pool.run({ kind: 'slow namespaces', root });
  if (isRefusal(all)) return all;
  const asked = all.others.slice(0, MOST_NAMESPACES);
  const closed = new Map<number, Refusal>();
  const found = new Map<number, readonly ForeignListener[]>();
  const listed = new Set(all.others.map(({ inode }) => inode)).add(all.own);
  for (const pid of all.unread) {
    const namespace = known.get(pid);
    if (namespace !== undefined && !listed.has(namespace)) closed.set(namespace, KEPT);
  }
  await inLanes(pool, asked.length, signal, async (index) => {
    const { inode: namespace, pids } = asked[index] as (typeof asked)[number];
    const through = Int32Array.from(pids.slice(0, MOST_ASKED));
    const told = await pool.run({ kind: 'slow foreign listeners', root, pids: through, namespace });
    if (isRefusal(told)) {
      // Everybody left it meanwhile.
      if (told.code !== 'ESRCH' && told.code !== 'ENOENT') closed.set(namespace, told);
      return;
    }
    if (told.refusal !== null) closed.set(namespace, told.refusal);
    found.set(namespace, listenersIn(namespace, told));
  });
  return {
    listeners: asked.flatMap(({ inode }) => found.get(inode) ?? []),
    entered: new Set(found.keys()),
    closed,
    left: all.others.length - asked.length,
    unread: all.unread.filter((pid) => !known.has(pid)),
  };
}

function listenersIn(
  namespace: number,
  { pid, processes, ephemeral, listeners }: ForeignListeners,
): readonly ForeignListener[] {
  const about = (wanted: number): ForeignProcess =>
    processes.find((one) => one.pid === wanted) ?? { pid: wanted, start: '0', comm: '', executable: '' };
  return listeners.map(({ address, holders, ...socket }) => ({
    ...socket,
    namespace,
    address: addressText(address),
    service: socket.protocol === 'tcp' || ephemeral === null || socket.port < ephemeral[0],
    holders: holders.map(about),
    within: about(pid),
  }));
}
