import type { Check } from './check.ts';

/** A file that a run of the desk needed while it lived, and that no process owns any more. */
export const staleRuntimeFile: Check = {
  id: 'stale-runtime-file',
  avenue: 'scar',
  severity: 'low',
  tier: 1,
  techniques: [],
  text: {
    about: 'A temporary file or note of an ended run of the desk is left in the state folder.',
    benign: 'A run was killed or the machine lost power: the next run does not need the file.',
    remedy: 'set it aside with desk field clear soft',
  },
  judge({ residue }, report) {
    if (residue === undefined) return;
    if (residue.files.length === 0) report.pass();
    for (const { path, what, owner } of residue.files)
      report.fail({
        subject: { kind: 'file', path },
        summary: `the ${what} ${path} belongs to a run of the desk (pid ${owner}) that is gone`,
        evidence: { kind: what, owner },
      });
  },
};
