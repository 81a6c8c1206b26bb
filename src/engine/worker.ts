/** The worker thread: loads the addon once, then performs one task per message. */
import { loadNative } from './native/load.ts';
import { perform, type Task } from './tasks.ts';

const { addon } = loadNative();

export default function work(task: Task): ReturnType<typeof perform> {
  return perform(addon, task);
}
