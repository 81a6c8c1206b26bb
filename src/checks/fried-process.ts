import { textOf } from '../engine/bytes.ts';
import type { Check } from './check.ts';
import { ageSec, isFried, isPresent, processSubject } from './subjects.ts';

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
    for (let row = 0; row < table.count; row++) {
      if (!isPresent(table, row)) continue;
      const age = ageSec(snapshot, row);
      if (!isFried(table, row) || age < law.zombieSec) {
        report.pass();
        continue;
      }
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
    }
  },
};
