import { textOf } from '../engine/bytes.ts';
import { FACT } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { ageUnknown, olderThan, zombie } from './conditions.ts';
import { all, always } from './rule.ts';
import { ageOf, processSubject } from './subjects.ts';

/**
 * A zombie or dead process, started long enough ago to be residue. That it has been dead for so long is seen over time
 * (gate/dead-since.ts): no file of /proc tells when it died.
 */
export const friedProcess: Check = {
  id: 'fried-process',
  avenue: 'scar',
  severity: 'low',
  tier: 1,
  text: {
    about: 'A process is dead and its parent has not collected it.',
    benign: 'A parent that is busy or stopped in a debugger.',
    remedy: 'restart the parent so that it collects its children',
  },
  rule: ({ zombieSec }) => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: always,
    blind: [ageUnknown(zombie)],
    fails: all(zombie, olderThan(zombieSec)),
  }),
  explain({ snapshot, law, dead }, row) {
    const table = snapshot.processes;
    const parent = table.columns.ppid[row] ?? 0;
    const subject = processSubject(table, row);
    return {
      subject,
      early: dead?.isYounger(subject, law.zombieSec) === true,
      summary: `process ${table.columns.pid[row]} (${textOf(table.comm(row))}) is a zombie that its parent ${parent} does not collect`,
      evidence: {
        state: String.fromCharCode(table.columns.state[row] ?? 0),
        parent,
        started_sec_ago: ageOf(snapshot, row),
      },
      remedy: `restart the parent, process ${parent}, so that it collects its children`,
    };
  },
};
