/**
 * "Who can use sudo": of the accounts with rights, those that a rule of sudo names, and root. A query compares whole entries of a list.
 * Pure.
 */
import { inList } from './follow-rows.ts';
import type { Plan, Step } from './plan.ts';
import { type Condition, said, TABLES } from './tables.ts';

const SUDO = /\bsudo(?:ers)?\b/;
const ANY_RIGHTS = 'rights is not none';
const WITH_SUDO: Condition = {
  query: ANY_RIGHTS,
  words: said(
    'with sudo, or as root',
    'mit sudo oder als root',
    'con sudo, o como root',
    'avec sudo, ou comme root',
  ),
  step: null,
};
const KINDS: ReadonlySet<Plan['kind']> = new Set(['list', 'whether', 'count']);

/** The plan with the answer narrowed to sudo, where the question asks for it; else as it is. */
export function withSudo(plan: Plan, plain: string): Plan {
  const isOfRights = plan.conditions.some(({ query }) => query === ANY_RIGHTS);
  if (plan.table !== 'accounts' || !isOfRights || !SUDO.test(plain) || !KINDS.has(plan.kind)) return plan;
  const [, where = ''] = / where (.*?)(?: order by .*)?$/.exec(plan.query) ?? [];
  const select = plan.kind === 'count' ? 'count()' : TABLES.accounts?.select;
  const step: Step = (record) => {
    const names = record.rows
      .filter(({ rights }) => /\bsudo\b|\(uid 0\)/.test(JSON.stringify(rights)))
      .map(({ name }) => String(name));
    return `accounts select ${select} where ${inList('name', names) ?? 'name = ""'}`;
  };
  return {
    ...plan,
    conditions: plan.conditions.map((one) => (one.query === ANY_RIGHTS ? WITH_SUDO : one)),
    query: `accounts select ${TABLES.accounts?.select} where ${where}`,
    steps: [step],
  };
}
