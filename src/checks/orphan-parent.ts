import { FACT } from '../native/types.ts';
import type { Check } from './check.ts';
import { eachProcess } from './looks.ts';
import { ageSec, processSubject } from './subjects.ts';

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
    const proc = snapshot.probes.find(({ id }) => id === 'proc');
    if (proc !== undefined && !proc.works) {
      // Where /proc shows a part only, any parent may be unseen.
      const hides = ({ kind }: { kind: string }) => kind === 'process';
      const reason = 'only a part of the processes can be seen, so any parent may be missing';
      return report.blind({ reason, cure: proc.cure, subjects: Math.max(1, table.count), hides });
    }
    eachProcess(snapshot, report, FACT.stat, (row) => {
      const parent = table.columns.ppid[row] ?? 0;
      if (parent === 0 || table.rowOf(parent) >= 0) return report.pass();
      const age = ageSec(snapshot, row);
      if (age === null)
        return report.blind({ reason: 'the boot clock could not be read', cure: 'see desk doctor' });
      if (age < law.orphanSec) return report.pass();
      report.fail({
        subject: processSubject(table, row),
        summary: `process ${table.columns.pid[row]} has parent ${parent}, and no such process can be seen`,
        evidence: { parent, started_sec_ago: Math.floor(age) },
        remedy: `look for a hidden process with pid ${parent}`,
      });
    });
  },
};
