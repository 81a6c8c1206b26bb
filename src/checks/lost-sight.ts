import { textOf } from '../engine/bytes.ts';
import { FACT } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { executableRefused, userSpace } from './conditions.ts';
import { all, member, not } from './rule.ts';
import { processSubject } from './subjects.ts';

/**
 * A program whose executable could be read when the baseline was learned and cannot be read now, with the same privileges: a
 * process without readable executable whose name and uid are those of a learned program, and that was not learned so.
 */
export const lostSight: Check = {
  id: 'lost-sight',
  avenue: 'secure_learn',
  severity: 'medium',
  tier: 1,
  text: {
    about:
      'What could be read when the baseline was learned cannot be read any more, although the desk has the same privileges.',
    benign: 'A program that has closed itself to readers (prctl PR_SET_DUMPABLE), as key agents do.',
    remedy: 'see with desk doctor what hides the process, and whether it is the program that you know',
  },
  rule: (_law, known) => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: userSpace,
    fails: all(
      executableRefused,
      member('identity', known?.lost ?? []),
      not(member('identity', known?.identities ?? [])),
    ),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const comm = textOf(table.comm(row));
    return {
      subject: processSubject(table, row),
      summary: `the executable of process ${table.columns.pid[row]} (${comm}) could be read when it was learned and cannot be read now`,
      evidence: { comm, uid: table.columns.uid[row] ?? 0 },
    };
  },
};
