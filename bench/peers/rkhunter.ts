import { programPeer } from './program.ts';

/** Ends with 1 when it warns of something. */
export const rkhunter = programPeer({
  id: 'rkhunter',
  debianPackage: 'rkhunter',
  version: ['--version'],
  pattern: /(\d+\.[\d.]+)/,
  works: { 'package files': ['--check', '--skip-keypress', '--nocolors', '--quiet'] },
  codes: [0, 1],
  slow: 'minutes',
});
