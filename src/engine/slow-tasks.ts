/** Tasks of the slow looks: each reads one thing once, in a few milliseconds. */
import type { SocketHolders } from '../native/act-types.ts';
import { allocate, columnsOver } from '../native/columns.ts';
import type { ForeignListeners, NetworkNamespaces } from '../native/foreign-types.ts';
import type { DeviceLook, ModuleViews } from '../native/host-types.ts';
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

interface DevicesTask {
  readonly kind: 'slow devices';
  readonly root: number;
  readonly dev: string;
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

export type SlowTask =
  | TaintTask
  | ModulesTask
  | DevicesTask
  | NamespacesTask
  | ForeignTask
  | IteratorTask
  | HoldersTask;

interface Results {
  readonly 'slow taint': bigint | Refusal;
  readonly 'slow modules': ModuleViews | Refusal;
  readonly 'slow devices': DeviceLook | Refusal;
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
    case 'slow devices':
      return native.strangeNodes(task.root, task.dev);
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

const TEXT_BYTES = 256 * 1024;

/** Pids ascending. Of the rows only the pids are wanted: that texts do not fit does not matter. */
function iteratorPids(native: NativeAddon, root: number): Int32Array | Refusal {
  for (let room = 1024; ; ) {
    const capacity = { processes: room, sockets: 1, holders: 1, text: TEXT_BYTES };
    const layout = native.layout(capacity);
    const { bytes, processes } = columnsOver(allocate(layout), layout, capacity);
    const swept = native.sweepTasks(root, bytes, capacity, false);
    if (isRefusal(swept)) return swept;
    if (swept.count <= room)
      return processes.pid.slice(0, swept.count).filter((_, row) => processes.state[row] !== 0);
    room = swept.count + (swept.count >> 2);
  }
}
