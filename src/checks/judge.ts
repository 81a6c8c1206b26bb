/** Runs checks over a snapshot. Pure: the same context gives the same verdicts. */
import type { Check, CheckContext, Fail, Report } from './check.ts';
import type { Note } from './judgement.ts';

export interface Verdicts {
  /** pass + fail + blind = all (check, applicable subject) pairs. */
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
  readonly fails: readonly Fail[];
  /** One per check and reason. */
  readonly notes: readonly Note[];
}

export function judge(checks: readonly Check[], context: CheckContext): Verdicts {
  let pass = 0;
  let blind = 0;
  const fails: Fail[] = [];
  const notes = new Map<string, Note>();
  for (const check of checks) {
    const report: Report = {
      pass(subjects = 1) {
        pass += subjects;
      },
      fail({
        subject,
        summary,
        evidence,
        avenue = check.avenue,
        severity = check.severity,
        remedy = check.text.remedy,
      }) {
        fails.push({ check, avenue, severity, subject, summary, evidence, remedy });
      },
      blind(reason, cure, subjects = 1) {
        blind += subjects;
        const key = `${check.id} ${reason}`;
        const seen = notes.get(key)?.subjects ?? 0;
        notes.set(key, { check: check.id, avenue: check.avenue, reason, cure, subjects: seen + subjects });
      },
    };
    check.judge(context, report);
  }
  return { pass, fail: fails.length, blind, fails, notes: [...notes.values()] };
}
