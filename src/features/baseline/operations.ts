/** What can be asked of the baseline, as the desk offers it. */
import type { Desk } from '../../desk.ts';
import type { Learning } from './learning.ts';

export const baselineOf = (learning: Learning): Desk['baseline'] => ({
  learn: (windowMin) => (windowMin === undefined ? learning.learnOnce() : learning.openWindow(windowMin)),
  difference: () => learning.difference(),
  restore: (generation) => learning.restore(generation),
  reviewed: () => learning.reviewed(),
});
