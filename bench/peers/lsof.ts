import { programPeer } from './program.ts';

/** lsof exits with 1 if a file of a process could not be read, although it has done the work. */
export const lsof = programPeer({
  id: 'lsof',
  debianPackage: 'lsof',
  version: ['-v'],
  pattern: /revision: ([\d.]+)/,
  works: { listeners: ['-nP', '-iTCP', '-sTCP:LISTEN'] },
  codes: [0, 1],
});
