import { npmPeer } from './npm.ts';

/** Answers from memory when asked again soon, so calls are 700 ms apart. */
export const systeminformation = npmPeer({
  id: 'systeminformation',
  calls: { processes: 'processes()', listeners: 'networkConnections()' },
  gapMs: 700,
  slow: 'seconds',
});
