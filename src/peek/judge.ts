/** From looks at one process to verdicts. Pure. */
import type { FailParts, PeekCheck, PeekContext, Report } from '../checks/check.ts';
import type { PeekFacts } from '../checks/peek-facts.ts';
import { Gathering, type Verdicts } from '../checks/verdicts.ts';

export type Looked = Omit<PeekContext, 'facts'>;

/** Ids of the checks that fail by these facts. */
export function failing(checks: readonly PeekCheck[], facts: PeekFacts, looked: Looked): ReadonlySet<string> {
  const ids = new Set<string>();
  const ignored = () => undefined;
  for (const check of checks)
    check.peek({ ...looked, facts }, { pass: ignored, blind: ignored, fail: () => ids.add(check.id) });
  return ids;
}

/**
 * Verdicts by the last of these looks. A check fails when it fails by at least two of them, the last included: by one look
 * alone nothing is found.
 */
export function verdictsOf(
  checks: readonly PeekCheck[],
  looks: readonly PeekFacts[],
  looked: Looked,
): Verdicts {
  const gathering = new Gathering({ confirmed: true });
  const [last, ...earlier] = [...looks].reverse();
  if (last === undefined) return gathering.verdicts();
  const before = earlier.map((facts) => failing(checks, facts, looked));
  for (const check of checks) {
    const report = gathering.report(check);
    const seenBefore = before.some((ids) => ids.has(check.id));
    const confirming: Report = {
      ...report,
      fail: (parts: FailParts) => (seenBefore ? report.fail(parts) : report.pass()),
    };
    check.peek({ ...looked, facts: last }, confirming);
  }
  return gathering.verdicts();
}

/** What mends a helper that does not work. */
export const HELPER_CURE = 'run "npm rebuild hostess-desk", or "node native/build.mjs" in a checkout';

/** What every check says while no helper can be started. */
export function blindVerdicts(checks: readonly PeekCheck[], reason: string, subjects: number): Verdicts {
  const gathering = new Gathering({ confirmed: true });
  for (const check of checks) gathering.blind(check, { reason, cure: HELPER_CURE, subjects });
  return gathering.verdicts();
}
