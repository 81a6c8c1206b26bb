/** From inspections of one process to verdicts. Pure. */
import { COMPILED } from '../../base/compiled.ts';
import type { Blindness, PeekCheck, PeekContext, Report } from '../../checks/check.ts';
import { CheckRuns } from '../../checks/check-runs.ts';
import type { PeekFacts } from '../../checks/peek-facts.ts';
import type { Subject } from '../../checks/subjects.ts';
import { Gathering, type Verdicts } from '../../checks/verdicts.ts';

type Inspected = Omit<PeekContext, 'facts'>;

const isSubject =
  ({ subject: { pid, start } }: Inspected) =>
  (one: Subject): boolean =>
    one.kind === 'process' && one.pid === pid && one.start === start;

/** By id, the checks that fail by these facts (null), or throw. */
export function failing(
  checks: readonly PeekCheck[],
  facts: PeekFacts,
  inspected: Inspected,
  runs = new CheckRuns(),
): ReadonlyMap<string, Blindness | null> {
  const found = new Map<string, Blindness | null>();
  const ignored = () => undefined;
  for (const check of checks) {
    const report: Report = { pass: ignored, blind: ignored, fail: () => found.set(check.id, null) };
    const failed = runs.run(check, () => check.peek({ ...inspected, facts }, report));
    if (failed !== null) found.set(check.id, failed);
  }
  return found;
}

/**
 * Verdicts by the last of these inspections. A check fails when it fails by at least two of them, the last included: a single
 * inspection is not enough.
 */
export function verdictsOf(
  checks: readonly PeekCheck[],
  read: readonly PeekFacts[],
  inspected: Inspected,
  runs = new CheckRuns(),
): Verdicts {
  const gathering = new Gathering({ confirmed: true, runs });
  const [last, ...earlier] = [...read].reverse();
  if (last === undefined) return gathering.verdicts();
  const before = earlier.map((facts) => failing(checks, facts, inspected, runs));
  const hides = isSubject(inspected);
  for (const check of checks) {
    const seenBefore = before.map((found) => found.get(check.id));
    const failed = seenBefore.find((one) => one !== null && one !== undefined);
    gathering.run(
      check,
      (report) => {
        const fail: Report['fail'] = (parts) => {
          if (seenBefore.includes(null)) report.fail(parts);
          else if (failed !== undefined) report.blind({ ...failed, hides });
          else report.pass();
        };
        check.peek({ ...inspected, facts: last }, { ...report, fail });
      },
      hides,
    );
  }
  return gathering.verdicts();
}

/** While no helper can be started. */
export function blindVerdicts(checks: readonly PeekCheck[], reason: string, subjects: number): Verdicts {
  const gathering = new Gathering({ confirmed: true });
  for (const check of checks) gathering.blind(check, { reason, cure: COMPILED.remedy, subjects });
  return gathering.verdicts();
}
