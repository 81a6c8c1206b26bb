import type { Resident } from './resident.ts';

export const forkstat: Resident = {
  id: 'forkstat',
  debianPackage: 'forkstat',
  does: 'forkstat -e all, its output discarded',
  needs: { forkstat: 'forkstat' },
  version: ['-h'],
  pattern: /forkstat,? version ([\w.]+)/i,
  settleSec: 2,
  run: () => ({ words: ['forkstat', '-e', 'all'] }),
};
