import { SCOPE } from '../engine/native/batch-types.ts';
import type { Listener } from '../engine/snapshot.ts';
import { explainUnlearned, seesHolders, unlearnedRule } from './allowed-listeners.ts';
import type { Check, CheckContext } from './check.ts';
import { equals } from './rule.ts';
import { isLoggedIn, LISTENER_KEY, listenerAt } from './subjects.ts';

/** Whether every holder belongs to a logged-in user and runs an executable (of a script: the interpreter) that was learned. */
function isDevelopment({ snapshot, known }: CheckContext, { holders, executable }: Listener): boolean {
  const { processes } = snapshot;
  const isLearned = executable !== '' && known?.executables?.has(executable) === true;
  const isOne = ({ pid }: Listener['holders'][number]): boolean => {
    const row = processes.rowOf(pid);
    const learned = isLearned || known?.identities.has(processes.columns.identity[row] ?? 0n) === true;
    return row >= 0 && learned && isLoggedIn(snapshot, row);
  };
  return holders.length > 0 && holders.every(isOne);
}

/** A loopback listener that is neither learned, allowed by the law nor our own. */
export const unknownLocalListener: Check = {
  id: 'unknown-local-listener',
  avenue: 'unknown_local',
  severity: 'medium',
  tier: 1,
  techniques: ['T1090.001'],
  key: LISTENER_KEY,
  text: {
    about: 'A loopback listener is not in the baseline or the law.',
    benign: 'A development server, a browser helper or a test run.',
    remedy: 'stop it, accept it with desk accept, or allow it in law.toml',
  },
  rule: (law, known, hash) => unlearnedRule(equals('scope', BigInt(SCOPE.loopback)), law, known, hash),
  given: (context, row) =>
    `${isDevelopment(context, listenerAt(context.snapshot, row))} ${seesHolders(context)}`,
  // A scar is not learned: it closes the gate.
  explain: (context, row) => ({
    ...explainUnlearned(context, row),
    ...(isDevelopment(context, listenerAt(context.snapshot, row)) && {
      severity: 'low',
      remedy: 'stop it, learn it, or allow it in law.toml',
    }),
  }),
};
