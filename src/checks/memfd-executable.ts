import { TRAIT } from '../engine/native/batch-types.ts';
import type { Check } from './check.ts';
import { executableUnread, trait, USER_SPACE } from './conditions.ts';
import { inspectWhileItRuns, withoutDeleted } from './executables.ts';
import { UNKNOWN } from './peek-facts.ts';
import { processSubject, processText, runsAsRoot } from './subjects.ts';

/** A process whose executable never was a file: it was written into memory (memfd_create(2)) and run from there. */
export const memfdExecutable: Check = {
  id: 'memfd-executable',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  techniques: ['T1620'],
  key: ['executable'],
  text: {
    about: 'A program runs from memory, not from a file.',
    benign:
      'runc and lxc-attach run a copy of themselves from memory, so that a container cannot change them.',
    remedy: inspectWhileItRuns('PID'),
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
  rule: () => ({ ...USER_SPACE, blind: [executableUnread], fails: trait(TRAIT.memfd) }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const subject = processSubject(table, row);
    const executable = withoutDeleted(subject.executable);
    return {
      subject,
      severity: runsAsRoot(subject) ? 'critical' : 'high',
      summary: `${processText(subject)} runs a program from memory: ${executable}`,
      evidence: {
        executable,
        parent: table.columns.ppid[row] ?? 0,
        uid: subject.uid ?? UNKNOWN,
        ...(subject.euid !== undefined && { euid: subject.euid }),
      },
      remedy: inspectWhileItRuns(subject.pid),
    };
  },
};
