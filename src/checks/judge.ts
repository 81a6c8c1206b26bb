/** Runs checks over a snapshot. Pure: the same context gives the same verdicts. */
import type { Blindness, Check, CheckContext, Fail, Report } from './check.ts';
import type { Note, Subject } from './judgement.ts';

export interface Verdicts {
  /** pass + fail + blind = all (check, applicable subject) pairs. */
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
  readonly fails: readonly Fail[];
  /** One per check and reason. */
  readonly notes: readonly Note[];
  /** Whether a check could not look at a subject this time. */
  hidden(check: string, subject: Subject): boolean;
}

export function judge(checks: readonly Check[], context: CheckContext): Verdicts {
  let pass = 0;
  let blind = 0;
  const fails: Fail[] = [];
  const notes = new Map<string, Note>();
  const hiding: { readonly check: string; readonly hides: NonNullable<Blindness['hides']> }[] = [];
  for (const check of checks) {
    const report: Report = {
      pass() {
        pass += 1;
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
      blind({ reason, cure, subjects = 1, hides }) {
        blind += subjects;
        const key = `${check.id} ${reason}`;
        const seen = notes.get(key)?.subjects ?? 0;
        notes.set(key, { check: check.id, avenue: check.avenue, reason, cure, subjects: seen + subjects });
        if (hides !== undefined) hiding.push({ check: check.id, hides });
      },
    };
    check.judge(context, report);
  }
  return {
    pass,
    fail: fails.length,
    blind,
    fails,
    notes: [...notes.values()],
    hidden: (check, subject) => hiding.some((one) => one.check === check && one.hides(subject)),
  };
}
