import type { Check } from './check.ts';
import { ageUnknown, EVERY_PROCESS, olderThan, zombie } from './conditions.ts';
import { all } from './rule.ts';
import { ageOf, processSubject, processText } from './subjects.ts';

/**
 * A zombie or dead process, started long enough ago to be residue. How long it has been dead is measured from sweep to sweep
 * (findings/zombie-age.ts): no file of /proc says when it died.
 */
export const friedProcess: Check = {
  id: 'fried-process',
  avenue: 'scar',
  severity: 'low',
  tier: 1,
  techniques: [],
  text: {
    about: 'A process is dead and its parent has not collected it.',
    benign: 'A parent that is busy or stopped in a debugger.',
    remedy: 'restart the parent so that it collects its children',
  },
  rule: ({ zombieSec }) => ({
    ...EVERY_PROCESS,
    blind: [ageUnknown(zombie)],
    fails: all(zombie, olderThan(zombieSec)),
  }),
  explain({ snapshot, law, dead }, row) {
    const { columns } = snapshot.processes;
    const parent = columns.ppid[row] ?? 0;
    const subject = processSubject(snapshot.processes, row);
    return {
      subject,
      early: dead?.isYounger(subject, law.zombieSec) === true,
      summary: `${processText(subject)} is a zombie that its parent ${parent} does not collect`,
      evidence: {
        state: String.fromCharCode(columns.state[row] ?? 0),
        parent,
        started_sec_ago: ageOf(snapshot, row),
      },
      remedy: `restart the parent, process ${parent}, so that it collects its children`,
    };
  },
};
