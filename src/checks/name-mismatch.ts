import { TRAIT } from '../engine/native/batch-types.ts';
import type { Check } from './check.ts';
import { executableUnread, knowsCause, trait, USER_SPACE } from './conditions.ts';
import { BROWSERS, names } from './executables.ts';
import { all, never, not } from './rule.ts';
import { processSubject } from './subjects.ts';

const INTERPRETER = 'interpreter';

/** A process whose name differs from its program (proc_pid_comm(5) against the base name of proc_pid_exe(5)). */
export const nameMismatch: Check = {
  id: 'name-mismatch',
  avenue: 'inject_clip',
  severity: 'low',
  tier: 1,
  techniques: ['T1036.005', 'T1036.011'],
  settles: true,
  key: ['executable'],
  text: {
    about: 'The name of a process differs from its program.',
    benign:
      'Programs started by a link with another name, and those that name their workers after their work.',
    remedy: 'check what the process does and stop it if it is not yours',
  },
  causes: [
    {
      name: 'interpreters',
      why: 'an interpreter has the name of the script that it runs',
      evidenceClass: [INTERPRETER],
    },
    { name: 'browsers', why: 'browsers name their processes after the work they do', executable: BROWSERS },
    {
      name: 'electron',
      why: 'applications built on Electron start their helpers as /proc/self/exe',
      executable: names(`/usr/share/code/* /usr/share/codium/* /usr/share/discord/* /usr/lib/slack/*
        /usr/lib/electron* /opt/Signal/* /opt/Element/* /opt/Slack/* /snap/code/*`),
    },
    {
      name: 'systemd',
      why: 'systemd names its helpers after the program they will start',
      executable: ['/usr/lib/systemd/*', '/lib/systemd/*'],
    },
  ],
  rule: (law) => ({
    ...USER_SPACE,
    blind: [executableUnread],
    fails: all(
      trait(TRAIT.otherName),
      not(trait(TRAIT.memfd)),
      not(knowsCause(law, 'name-mismatch', 'interpreters') ? trait(TRAIT.interpreter) : never),
    ),
  }),
  explain({ snapshot }, row) {
    const subject = processSubject(snapshot.processes, row);
    const { pid, comm, executable } = subject;
    const interpreter = ((snapshot.processes.columns.traits[row] ?? 0) & TRAIT.interpreter) !== 0;
    return {
      subject,
      summary: `process ${pid} calls itself ${comm} and runs ${executable}`,
      evidence: { comm, executable },
      evidenceClass: interpreter ? INTERPRETER : comm,
    };
  },
};
