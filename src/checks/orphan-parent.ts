import { FACT } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { ageUnknown, olderThan } from './conditions.ts';
import { all, always, any, equals, not, pid } from './rule.ts';
import { ageOf, processSubject } from './subjects.ts';

const parentMissing = not(any(equals('ppid', 0n), pid('ppid')));

/** A process whose parent does not exist (proc_pid_stat(5) field 4). 0 is normal: the parent is outside our pid namespace. */
export const orphanParent: Check = {
  id: 'orphan-parent',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  key: ['parent'],
  text: {
    about: 'A process names a parent that cannot be seen, which hints at a hidden process.',
    benign: 'A parent that ended during the sweep (young processes are skipped).',
    remedy: 'look for a hidden process with the parent pid',
  },
  rule: ({ orphanSec }) => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: always,
    blind: [ageUnknown(parentMissing)],
    fails: all(parentMissing, olderThan(orphanSec)),
  }),
  blindness({ processes, probes }) {
    const proc = probes.find(({ id }) => id === 'proc');
    if (proc === undefined || proc.works) return null;
    // Where /proc shows a part only, any parent may be unseen.
    return {
      reason: 'only a part of the processes can be seen, so any parent may be missing',
      cure: proc.cure,
      subjects: Math.max(1, processes.count),
      hides: ({ kind }) => kind === 'process',
    };
  },
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const parent = table.columns.ppid[row] ?? 0;
    return {
      subject: processSubject(table, row),
      summary: `process ${table.columns.pid[row]} has parent ${parent}, and no such process can be seen`,
      evidence: { parent, started_sec_ago: ageOf(snapshot, row) },
      remedy: `look for a hidden process with pid ${parent}`,
    };
  },
};
