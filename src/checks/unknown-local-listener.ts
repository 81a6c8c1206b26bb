import { SCOPE } from '../native/batch-types.ts';
import type { Check } from './check.ts';
import { equals } from './rule.ts';
import { explainUnlearned, unlearnedRule } from './unlearned-listeners.ts';

/** A loopback listener that is neither learned, allowed by the law nor our own. */
export const unknownLocalListener: Check = {
  id: 'unknown-local-listener',
  avenue: 'unknown_local',
  severity: 'medium',
  tier: 1,
  text: {
    about: 'Something listens on loopback that neither the baseline nor the law knows.',
    benign: 'A development server, a browser helper or a test run.',
    remedy: 'stop it, learn it, or allow it in law.toml',
  },
  rule: (law, known, hash) => unlearnedRule(equals('scope', BigInt(SCOPE.loopback)), law, known, hash),
  explain: explainUnlearned,
};
