/** The worker thread: loads the addon once, then performs one task per message. */
import { loadNative } from './native/load.ts';
import { type ArgsOf, perform, type Task } from './tasks.ts';

const { addon } = loadNative();

export default ([task, args]: readonly [Task, ArgsOf<Task>]): unknown => perform(addon, task, args);
