/** Tasks of the slow looks: each reads one thing once, in a few milliseconds. */
import type { SocketHolders } from '../native/act-types.ts';
import type { ForeignListeners, NetworkNamespaces } from '../native/foreign-types.ts';
import type { ModuleViews } from '../native/host-types.ts';
import { isRefusal, type NativeAddon, type Refusal } from '../native/types.ts';

interface TaintTask {
  readonly kind: 'slow taint';
  readonly root: number;
}

interface ModulesTask {
  readonly kind: 'slow modules';
  readonly root: number;
  readonly sys: string;
}

interface NamespacesTask {
  readonly kind: 'slow namespaces';
  readonly root: number;
}

/** Enters one network namespace, through the first of `pids` that is still in it. */
interface ForeignTask {
  readonly kind: 'slow foreign listeners';
  readonly root: number;
  readonly pids: Int32Array;
  readonly namespace: number;
}

/** Lists the processes that the kernel's task iterator tells. `root` must be /proc. */
interface IteratorTask {
  readonly kind: 'slow iterator';
  readonly root: number;
}

/** Looks through the descriptors of every process. Inodes ascend, each once. */
interface HoldersTask {
  readonly kind: 'slow socket holders';
  readonly root: number;
  readonly inodes: Uint32Array;
}

export type SlowTask = TaintTask | ModulesTask | NamespacesTask | ForeignTask | IteratorTask | HoldersTask;

interface Results {
  readonly 'slow taint': bigint | Refusal;
  readonly 'slow modules': ModuleViews | Refusal;
  readonly 'slow namespaces': NetworkNamespaces | Refusal;
  readonly 'slow foreign listeners': ForeignListeners | Refusal;
  readonly 'slow iterator': Int32Array | Refusal;
  readonly 'slow socket holders': readonly SocketHolders[] | Refusal;
}

export type SlowResultOf<T extends SlowTask> = Results[T['kind']];

export function isSlow(task: { readonly kind: string }): task is SlowTask {
  return task.kind.startsWith('slow ');
}

export function performSlow(native: NativeAddon, task: SlowTask): SlowResultOf<SlowTask> {
  switch (task.kind) {
    case 'slow taint':
      return native.kernelTaint(task.root);
    case 'slow modules':
      return native.moduleViews(task.root, task.sys);
    case 'slow namespaces':
      return native.networkNamespaces(task.root);
    case 'slow foreign listeners':
      return native.listenersOf(task.root, task.pids, task.namespace);
    case 'slow iterator':
      return iteratorPids(native, task.root);
    case 'slow socket holders':
      return native.socketHolders(task.root, task.inodes);
  }
}

/** Pids ascending. */
function iteratorPids(native: NativeAddon, root: number): Int32Array | Refusal {
  for (let room = 1024; ; ) {
    const pids = new Int32Array(room);
    const count = native.iteratorPids(root, pids);
    if (isRefusal(count)) return count;
    if (count <= room) return pids.slice(0, count);
    room = count + (count >> 2);
  }
}
