import { programPeer } from './program.ts';

/** Ends with 2 when it found something. */
export const debsums = programPeer({
  id: 'debsums',
  debianPackage: 'debsums',
  version: ['--version'],
  pattern: /(\d+\.[\d.]+)/,
  works: { 'package files': ['-s'] },
  codes: [0, 2],
  slow: 'minutes',
});
