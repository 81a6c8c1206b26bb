import { SCOPE } from '../engine/native/batch-types.ts';
import type { Listener } from '../engine/snapshot.ts';
import type { Check, CheckContext } from './check.ts';
import { equals } from './rule.ts';
import { isLoggedIn, LISTENER_KEY, listenerAt } from './subjects.ts';
import { explainUnlearned, unlearnedRule } from './unlearned-listeners.ts';

/** Whether every holder belongs to a logged-in user and runs an executable (of a script: the interpreter) that was learned. */
function isDevelopment({ snapshot, known }: CheckContext, { holders, executable }: Listener): boolean {
  const { processes } = snapshot;
  const learned = (row: number): boolean =>
    known?.identities.has(processes.columns.identity[row] ?? 0n) === true ||
    (executable !== '' && known?.executables?.has(executable) === true);
  return (
    holders.length > 0 &&
    holders.every(({ pid }) => {
      const row = processes.rowOf(pid);
      return row >= 0 && learned(row) && isLoggedIn(snapshot, row);
    })
  );
}

/** A loopback listener that is neither learned, allowed by the law nor our own. */
export const unknownLocalListener: Check = {
  id: 'unknown-local-listener',
  avenue: 'unknown_local',
  severity: 'medium',
  tier: 1,
  key: LISTENER_KEY,
  text: {
    about: 'Something listens on loopback that neither the baseline nor the law knows.',
    benign: 'A development server, a browser helper or a test run.',
    remedy: 'stop it, accept it with desk accept, or allow it in law.toml',
  },
  rule: (law, known, hash) => unlearnedRule(equals('scope', BigInt(SCOPE.loopback)), law, known, hash),
  given: (context, row) => isDevelopment(context, listenerAt(context.snapshot, row)),
  // A scar is not learned: it closes the gate.
  explain: (context, row) => ({
    ...explainUnlearned(context, row),
    ...(isDevelopment(context, listenerAt(context.snapshot, row)) && {
      severity: 'low',
      remedy: 'stop it, learn it, or allow it in law.toml',
    }),
  }),
};
