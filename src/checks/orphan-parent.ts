import type { Check } from './check.ts';
import { ageSec, isPresent, processSubject } from './subjects.ts';

/** A process whose parent does not exist (proc_pid_stat(5) field 4). 0 is normal: the parent is outside our pid namespace. */
export const orphanParent: Check = {
  id: 'orphan-parent',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  text: {
    about: 'A process names a parent that cannot be seen, which hints at a hidden process.',
    benign: 'A parent that ended during the sweep (young processes are passed over).',
    remedy: 'look for a hidden process with the parent pid',
  },
  judge({ snapshot, law }, report) {
    const table = snapshot.processes;
    if (table.rowOf(1) < 0) {
      // Every pid namespace has a pid 1: not seeing it means hidepid or a partial /proc, and then any parent may be unseen.
      report.blind(
        '/proc shows only a part of the processes',
        'run as root, or mount /proc without hidepid',
        table.count,
      );
      return;
    }
    for (let row = 0; row < table.count; row++) {
      if (!isPresent(table, row)) continue;
      const parent = table.columns.ppid[row] ?? 0;
      const age = ageSec(snapshot, row);
      if (parent === 0 || table.rowOf(parent) >= 0 || age < law.orphanSec) {
        report.pass();
        continue;
      }
      report.fail({
        subject: processSubject(table, row),
        summary: `process ${table.columns.pid[row]} has parent ${parent}, and no such process can be seen`,
        evidence: { parent, started_sec_ago: Math.floor(age) },
        remedy: `look for a hidden process with pid ${parent}`,
      });
    }
  },
};
