import { LOOKUP } from '../engine/native/types.ts';
import { parentBlindness } from './blindness.ts';
import type { Check } from './check.ts';
import { ageUnknown, EVERY_PROCESS, lookup, olderThan } from './conditions.ts';
import { all } from './rule.ts';
import { ageOf, processSubject } from './subjects.ts';

const parentMissing = lookup(LOOKUP.parentMissing);

/** A process whose parent does not exist (proc_pid_stat(5) field 4). 0 is normal: the parent is outside our pid namespace. */
export const orphanParent: Check = {
  id: 'orphan-parent',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  techniques: ['T1036.009'],
  key: ['parent'],
  text: {
    about: 'The parent of a process is not in the process list, which suggests a hidden process.',
    benign: 'A parent that ended during the sweep (young processes are skipped).',
    remedy: 'search for a hidden process with the parent pid',
  },
  rule: ({ orphanSec }) => ({
    ...EVERY_PROCESS,
    blind: [ageUnknown(parentMissing)],
    fails: all(parentMissing, olderThan(orphanSec)),
  }),
  blindness: parentBlindness,
  explain({ snapshot }, row) {
    const parent = snapshot.processes.columns.ppid[row] ?? 0;
    const subject = processSubject(snapshot.processes, row);
    return {
      subject,
      summary: `process ${subject.pid} has parent ${parent}, and no such process can be seen`,
      evidence: { parent, started_sec_ago: ageOf(snapshot, row) },
      remedy: `search for a hidden process with pid ${parent}`,
    };
  },
};
