/** The native functions that rounds call, over one buffer of their own. */
import { allocate, type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Capacity, NativeAddon } from '../../src/engine/native/types.ts';
import { CannotRun } from '../cases/case.ts';

const CAPACITY: Capacity = { processes: 65_536, sockets: 65_536, holders: 65_536, text: 16 << 20 };

export interface Parts {
  readonly addon: NativeAddon;
  readonly columns: Columns;
  readonly root: number;
  /** Lists and sweeps by the procfs backend, one shard. Rows. */
  sweepProcfs(): number;
  /** Dumps the listeners. Rows. @throws CannotRun when a dump is refused. */
  dumpListeners(): number;
}

export function parts(): Parts {
  const { addon } = loadNative();
  const layout = addon.layout(CAPACITY);
  const columns = columnsOver(allocate(layout), layout, CAPACITY);
  const root = addon.openRoot('/proc');
  if (typeof root !== 'number') throw new CannotRun(`/proc does not open: ${root.code}`);
  const { bytes } = columns;
  return {
    addon,
    columns,
    root,
    sweepProcfs() {
      const count = addon.listProcesses(root, bytes, CAPACITY);
      if (typeof count !== 'number' || count > CAPACITY.processes) throw new Error('listing failed');
      const { overflow } = addon.sweepShard(root, bytes, CAPACITY, count, 0, 1);
      if (overflow) throw new Error('the columns are too small');
      return count;
    },
    dumpListeners() {
      const { listeners, refusals } = addon.listSockets(bytes, CAPACITY, false);
      const [refusal] = refusals;
      if (refusal !== undefined) throw new CannotRun(`${refusal.source} is refused: ${refusal.code}`);
      return listeners;
    },
  };
}
