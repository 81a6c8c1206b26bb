import { programPeer } from './program.ts';

/** procps. */
export const ps = programPeer({
  id: 'ps',
  debianPackage: 'procps',
  version: ['--version'],
  pattern: /([\d.]+)/,
  works: { processes: ['-eo', 'pid,ppid,uid,stat,start,comm'] },
});
