/** Searches this machine for listeners in other network namespaces, in the calling thread. */
import { sweepForeign } from '../../src/engine/foreign-listeners.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { isRefusal } from '../../src/engine/native/types.ts';
import type { TaskPool } from '../../src/engine/pool.ts';
import { type ArgsOf, perform, type Task } from '../../src/engine/tasks.ts';

const { addon: native } = loadNative();

/** A pool that runs tasks in the calling thread. */
const pool: TaskPool = {
  workers: 2,
  run: async <T extends Task>(task: T, ...args: ArgsOf<T>) => perform(native, task, args),
  close: async () => {},
};

/** One sweep of the listeners in all other network namespaces of this machine. */
export const sweepOnce = async () => {
  const root = native.openRoot('/proc');
  if (isRefusal(root)) throw new Error(root.code);
  try {
    const report = await sweepForeign(
      { pool, root },
      { signal: new AbortController().signal, known: new Map() },
    );
    if (isRefusal(report)) throw new Error(report.code);
    return report;
  } finally {
    native.closeRoot(root);
  }
};
