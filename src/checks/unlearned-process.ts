import { FACT, LOOKUP } from '../engine/native/types.ts';
import { LEARN } from './blindness.ts';
import type { Check } from './check.ts';
import { EVERY_PROCESS, executableRefused, facts, lookup, userSpace } from './conditions.ts';
import { all, always, any, type BlindRule, never, not } from './rule.ts';
import { processSubject } from './subjects.ts';

/** The executable of a process that is about to end is neither there nor refused: it cannot be identified. */
const identified = any(facts(FACT.exe), executableRefused);

const UNLEARNED: BlindRule<never> = {
  when: always,
  reason: 'nothing has been learned yet, so no program is known good',
  cure: LEARN,
  hides: false,
};

/** A running identity (executable, container flag, comm of interpreters) that the baseline does not hold. */
export const unlearnedProcess: Check = {
  id: 'unlearned-process',
  avenue: 'new_comm',
  severity: 'low',
  tier: 1,
  techniques: ['T1105', 'T1204.002'],
  settles: true,
  text: {
    about: 'A running program is not in the baseline.',
    benign: 'A program you started or installed since the baseline was learned.',
    remedy: 'stop it or learn it',
  },
  exemptsOurs: true,
  rule: (_law, known) => ({
    ...EVERY_PROCESS,
    applies: all(userSpace, identified),
    blind: known === null ? [UNLEARNED] : [],
    fails: known === null ? never : not(lookup(LOOKUP.learned)),
  }),
  explain({ snapshot }, row) {
    const subject = processSubject(snapshot.processes, row);
    const { pid, comm, executable } = subject;
    return {
      subject,
      // Programs of one interpreter differ by their names alone.
      summary: `${executable === '' ? comm : `${executable} (${comm})`} runs as process ${pid} and was never learned`,
      evidence: { executable, comm, uid: snapshot.processes.columns.uid[row] ?? 0 },
    };
  },
};
