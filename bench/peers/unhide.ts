import { programPeer } from './program.ts';

/** Ends with 1 when it found something. */
export const unhide = programPeer({
  id: 'unhide',
  debianPackage: 'unhide',
  version: ['-V'],
  pattern: /(\d{8}|\d+\.[\d.]+)/,
  works: { 'hidden pids': ['quick'] },
  codes: [0, 1],
  slow: 'minutes',
});
