/** The worker thread: loads the addon once, then performs one task per message. */
import { getHeapStatistics } from 'node:v8';
import { threadId, workerData } from 'node:worker_threads';
import { loadNative } from './native/load.ts';
import { type ArgsOf, heapSlot, perform, type Task } from './tasks.ts';

const { addon } = loadNative();

const heaps: Float64Array = workerData;

export default ([task, args]: readonly [Task, ArgsOf<Task>]): unknown => {
  try {
    return perform(addon, task, args);
  } finally {
    heaps[heapSlot(threadId)] = getHeapStatistics().total_heap_size;
  }
};
