/** Listeners of other network namespaces, read from within each. No snapshot has them. */
import { addressText } from '../base/addresses.ts';
import { inShards } from './hidden.ts';
import { isService } from './listeners.ts';
import type { ForeignListeners, ForeignProcess, ForeignSocket } from './native/foreign-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import type { TaskPool } from './pool.ts';

/** More are reported as blind: some 0.1 ms each. */
const MOST_NAMESPACES = 1_000;
/** Processes through which a namespace is entered, and in which holders are searched. */
const MOST_ASKED = 64;

export interface ForeignListener extends Pick<ForeignSocket, 'protocol' | 'family' | 'port' | 'scope'> {
  readonly namespace: number;
  readonly address: string;
  readonly inode: number;
  readonly creatorUid: number;
  /** `isService`, by the ephemeral ports of the namespace. */
  readonly service: boolean;
  readonly holders: readonly ForeignProcess[];
  readonly within: ForeignProcess;
}

export interface ForeignReport {
  readonly listeners: readonly ForeignListener[];
  /** Inodes of the namespaces that were entered. */
  readonly entered: ReadonlySet<number>;
  /** Inodes of those that could not be entered or fully read, with why. */
  readonly closed: ReadonlyMap<number, Refusal>;
  /** Namespaces beyond `MOST_NAMESPACES`. */
  readonly left: number;
  /** Pids of the processes whose namespace could not be read. */
  readonly unread: readonly number[];
}

const CLOSED: Refusal = { errno: 13, code: 'EACCES', source: 'ns/net' };

export interface ForeignOptions {
  readonly signal: AbortSignal;
  /** Inodes of network namespaces by pid, as a sweep knows them: the kernel's iterator reports what /proc refuses us. */
  readonly known: ReadonlyMap<number, number>;
}

/** A refusal when our own namespace, or the processes, cannot be read. */
export async function sweepForeign(
  { pool, root }: { readonly pool: TaskPool; readonly root: number },
  { signal, known }: ForeignOptions,
): Promise<ForeignReport | Refusal> {
  const all = await pool.run('networkNamespaces', root);
  if (isRefusal(all)) return all;
  const asked = all.others.slice(0, MOST_NAMESPACES);
  const closed = new Map<number, Refusal>();
  const found = new Map<number, readonly ForeignListener[]>();
  const listed = new Set(all.others.map(({ inode }) => inode)).add(all.own);
  for (const pid of all.unread) {
    const namespace = known.get(pid);
    if (namespace !== undefined && !listed.has(namespace)) closed.set(namespace, CLOSED);
  }
  await inShards({ pool, signal }, [asked.length, 1], async (index) => {
    const { inode: namespace, pids } = asked[index] as (typeof asked)[number];
    const through = Int32Array.from(pids.slice(0, MOST_ASKED));
    const answer = await pool.run('listenersOf', root, through, namespace);
    if (isRefusal(answer)) {
      // All its processes ended or left it meanwhile.
      if (answer.code !== 'ESRCH' && answer.code !== 'ENOENT') closed.set(namespace, answer);
      return;
    }
    if (answer.refusal !== null) closed.set(namespace, answer.refusal);
    found.set(namespace, listenersIn(namespace, answer));
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
    service: isService(socket, ephemeral),
    holders: holders.map(about),
    within: about(pid),
  }));
}
