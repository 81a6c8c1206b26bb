import { npmPeer } from './npm.ts';

/** Finds the process of one port, not all of them. */
export const findProcess = npmPeer({
  id: 'find-process',
  calls: { listeners: "find('port', 1)" },
  gapMs: 0,
  slow: 'seconds',
});
