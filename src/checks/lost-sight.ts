import { LOOKUP } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { executableRefused, lookup, USER_SPACE } from './conditions.ts';
import { all, not } from './rule.ts';
import { processSubject, processText } from './subjects.ts';

/**
 * A program whose executable could be read when the baseline was learned and cannot be read now, with the same privileges: a
 * process without readable executable whose name and uid are those of a learned program, and that was not learned so.
 */
export const lostSight: Check = {
  id: 'lost-sight',
  avenue: 'secure_learn',
  severity: 'medium',
  tier: 1,
  techniques: ['T1562.001'],
  text: {
    about:
      'A program that could be read when the baseline was learned is no longer readable, although the desk has the same privileges.',
    benign: 'A program that made itself unreadable (prctl PR_SET_DUMPABLE), as key agents do.',
    remedy:
      'run desk doctor to see what hides the process, and check whether it is the program that you know',
  },
  rule: () => ({
    ...USER_SPACE,
    fails: all(executableRefused, lookup(LOOKUP.lost), not(lookup(LOOKUP.learned))),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const subject = processSubject(table, row);
    return {
      subject,
      summary: `the executable of ${processText(subject)} could be read when it was learned and cannot be read now`,
      evidence: { comm: subject.comm, uid: table.columns.uid[row] ?? 0 },
    };
  },
};
