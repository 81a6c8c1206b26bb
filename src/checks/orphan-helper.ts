import type { Check } from './check.ts';
import { processSubject, processText } from './subjects.ts';

/** A process that a run of the desk started and left behind. */
export const orphanHelper: Check = {
  id: 'orphan-helper',
  avenue: 'scar',
  severity: 'medium',
  tier: 1,
  techniques: [],
  text: {
    about: 'A helper process of the desk still runs although the run that started it has ended.',
    benign: 'A helper that hangs on the process it was reading: it ends when that read does.',
    remedy: 'check what the helper waits for, then end it',
  },
  judge({ snapshot, residue }, report) {
    if (residue === undefined) return;
    const table = snapshot.processes;
    let found = 0;
    for (const { pid, start, run } of residue.orphans) {
      const row = table.rowOf(pid);
      // It has ended since it was found.
      if (row < 0 || String(table.columns.start[row] ?? 0n) !== start) continue;
      found++;
      const subject = processSubject(table, row);
      report.fail({
        subject,
        summary: `${processText(subject)} was started by a run of the desk (pid ${run}) that has ended`,
        evidence: { run, parent: table.columns.ppid[row] ?? 0 },
        remedy: `see what process ${pid} waits for, then end it`,
      });
    }
    if (found === 0) report.pass();
  },
};
