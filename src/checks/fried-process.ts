import { textOf } from '../engine/bytes.ts';
import { FACT } from '../native/types.ts';
import type { Check } from './check.ts';
import { eachProcess } from './looks.ts';
import { ageSec, isFried, processSubject } from './subjects.ts';

/** A zombie or dead process old enough to be residue. */
export const friedProcess: Check = {
  id: 'fried-process',
  avenue: 'scar',
  severity: 'low',
  tier: 1,
  text: {
    about: 'A process is dead and nobody has collected it.',
    benign: 'A parent that is busy or stopped in a debugger.',
    remedy: 'restart the parent so that it collects its children',
  },
  judge({ snapshot, law }, report) {
    const table = snapshot.processes;
    eachProcess(snapshot, report, FACT.stat, (row) => {
      if (!isFried(table, row)) return report.pass();
      const age = ageSec(snapshot, row);
      if (age === null)
        return report.blind({ reason: 'the boot clock could not be read', cure: 'see desk doctor' });
      if (age < law.zombieSec) return report.pass();
      const parent = table.columns.ppid[row] ?? 0;
      report.fail({
        subject: processSubject(table, row),
        summary: `process ${table.columns.pid[row]} (${textOf(table.comm(row))}) is a zombie that its parent ${parent} does not collect`,
        evidence: {
          state: String.fromCharCode(table.columns.state[row] ?? 0),
          parent,
          started_sec_ago: Math.floor(age),
        },
        remedy: `restart the parent, process ${parent}, so that it collects its children`,
      });
    });
  },
};
