import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../engine/native/batch-types.ts';
import { FACT } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { executableUnread, knowsCause, trait, userSpace } from './conditions.ts';
import { BROWSERS } from './executables.ts';
import { all, never, not } from './rule.ts';
import { processSubject } from './subjects.ts';

const INTERPRETER = 'interpreter';

/** A process that bears another name than its program (proc_pid_comm(5) against the base name of proc_pid_exe(5)). */
export const nameMismatch: Check = {
  id: 'name-mismatch',
  avenue: 'inject_clip',
  severity: 'low',
  tier: 1,
  settles: true,
  key: ['executable'],
  text: {
    about: 'A process has another name than the program it runs.',
    benign:
      'Programs started by a link with another name, and those that name their workers after their work.',
    remedy: 'look at what the process does and stop it if it is not yours',
  },
  causes: [
    {
      name: 'interpreters',
      why: 'an interpreter has the name of the script that it runs',
      evidenceClass: [INTERPRETER],
    },
    {
      name: 'browsers',
      why: 'browsers name their processes after the work they do',
      executable: BROWSERS,
    },
    {
      name: 'electron',
      why: 'applications built on Electron start their helpers as /proc/self/exe',
      executable: [
        ...['/usr/share/code/*', '/usr/share/codium/*', '/usr/share/discord/*', '/usr/lib/slack/*'],
        ...['/usr/lib/electron*', '/opt/Signal/*', '/opt/Element/*', '/opt/Slack/*', '/snap/code/*'],
      ],
    },
    {
      name: 'systemd',
      why: 'systemd names its helpers after what they are about to be',
      executable: ['/usr/lib/systemd/*', '/lib/systemd/*'],
    },
  ],
  rule: (law) => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: userSpace,
    blind: [executableUnread],
    fails: all(
      trait(TRAIT.otherName),
      not(trait(TRAIT.memfd)),
      not(knowsCause(law, 'name-mismatch', 'interpreters') ? trait(TRAIT.interpreter) : never),
    ),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const comm = textOf(table.comm(row));
    const executable = textOf(table.exe(row));
    const interpreter = ((table.columns.traits[row] ?? 0) & TRAIT.interpreter) !== 0;
    return {
      subject: processSubject(table, row),
      summary: `process ${table.columns.pid[row]} calls itself ${comm} and runs ${executable}`,
      evidence: { comm, executable },
      evidenceClass: interpreter ? INTERPRETER : comm,
    };
  },
};
