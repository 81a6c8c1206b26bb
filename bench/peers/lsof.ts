import { programPeer } from './program.ts';

/** lsof ends with 1 when a file of a process could not be looked at, and has done the work all the same. */
export const lsof = programPeer({
  id: 'lsof',
  debianPackage: 'lsof',
  version: ['-v'],
  pattern: /revision: ([\d.]+)/,
  works: { listeners: ['-nP', '-iTCP', '-sTCP:LISTEN'] },
  codes: [0, 1],
});
