import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../engine/native/batch-types.ts';
import { FACT } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { executableUnread, trait, userSpace } from './conditions.ts';
import { lookWhileItRuns, withoutDeleted } from './executables.ts';
import { UNKNOWN } from './peek-facts.ts';
import { processSubject, runsAsRoot } from './subjects.ts';

/** A process whose executable never was a file: it was written into memory (memfd_create(2)) and run from there. */
export const memfdExecutable: Check = {
  id: 'memfd-executable',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  key: ['executable'],
  text: {
    about: 'A program runs from memory and never was a file.',
    benign:
      'runc and lxc-attach run a copy of themselves from memory, so that a container cannot change them.',
    remedy: lookWhileItRuns('PID'),
  },
  // A name can be borrowed, root cannot.
  causes: [
    {
      name: 'runc',
      why: 'runc runs a sealed copy of itself while it enters a container',
      executable: ['/memfd:runc_cloned:*'],
      uid: 0,
    },
    {
      name: 'lxc-attach',
      why: 'lxc-attach runs a sealed copy of itself while it enters a container',
      executable: ['/memfd:lxc-attach (deleted)'],
      uid: 0,
    },
  ],
  rule: () => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: userSpace,
    blind: [executableUnread],
    fails: trait(TRAIT.memfd),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const executable = withoutDeleted(textOf(table.exe(row)));
    const pid = table.columns.pid[row] ?? 0;
    const subject = processSubject(table, row);
    return {
      subject,
      severity: runsAsRoot(subject) ? 'critical' : 'high',
      summary: `process ${pid} (${textOf(table.comm(row))}) runs a program from memory: ${executable}`,
      evidence: {
        executable,
        parent: table.columns.ppid[row] ?? 0,
        uid: subject.uid ?? UNKNOWN,
        ...(subject.euid !== undefined && { euid: subject.euid }),
      },
      remedy: lookWhileItRuns(pid),
    };
  },
};
