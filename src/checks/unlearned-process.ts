import { textOf } from '../engine/bytes.ts';
import { FACT } from '../engine/native/types.ts';
import { LEARN } from './blindness.ts';
import type { Check } from './check.ts';
import { executableRefused, facts, userSpace } from './conditions.ts';
import { all, always, any, member, never, not } from './rule.ts';
import { processSubject } from './subjects.ts';

/** Of a process that is about to end the executable is neither there nor refused: nothing says what it was. */
const identified = any(facts(FACT.exe), executableRefused);

/** A running identity (executable, container flag, comm of interpreters) that the baseline does not hold. */
export const unlearnedProcess: Check = {
  id: 'unlearned-process',
  avenue: 'new_comm',
  severity: 'low',
  tier: 1,
  settles: true,
  text: {
    about: 'A program runs that the baseline does not know.',
    benign: 'A program you started or installed since the baseline was learned.',
    remedy: 'stop it or learn it',
  },
  exemptsOurs: true,
  rule: (_law, known) => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: all(userSpace, identified),
    blind:
      known === null
        ? [
            {
              when: always,
              reason: 'nothing has been learned yet, so no program is known good',
              cure: LEARN,
              hides: false,
            },
          ]
        : [],
    fails: known === null ? never : not(member('identity', known.identities)),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const executable = textOf(table.exe(row));
    const comm = textOf(table.comm(row));
    return {
      subject: processSubject(table, row),
      // Programs of one interpreter differ by their names alone.
      summary: `${executable === '' ? comm : `${executable} (${comm})`} runs as process ${table.columns.pid[row]} and was never learned`,
      evidence: { executable, comm, uid: table.columns.uid[row] ?? 0 },
    };
  },
};
