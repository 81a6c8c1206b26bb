/**
 * Cook: raw fails become findings. A fail is confirmed when a second sample shows it again; a finding that no longer fails
 * expires, unless its check could not look at the subject this time.
 */
import { SEVERITY_SCORE } from '../checks/avenues.ts';
import type { Fail } from '../checks/check.ts';
import { findingId } from '../checks/finding-id.ts';
import type { Finding } from '../checks/judgement.ts';
import type { Verdicts } from '../checks/verdicts.ts';

/** Fails that no open finding stands for yet and no tier has confirmed, by their finding's id: they ask for a second sample. */
export function unconfirmed(
  open: ReadonlyMap<string, Finding>,
  fails: readonly Fail[],
): ReadonlyMap<string, Fail> {
  return new Map(
    fails
      .map((fail) => [findingId(fail), fail] as const)
      .filter(([id, { confirmed }]) => !confirmed && !open.has(id)),
  );
}

export interface Cooked {
  /** Confirmed findings, most severe first, then oldest. */
  readonly findings: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
}

/**
 * `open` are the findings held so far, `newest` the newest sample; `awaited` the ids that had to show twice (those of the
 * first sample that no finding stood for). `at` is the time of the newest sample, RFC 3339.
 */
export function cook(
  open: ReadonlyMap<string, Finding>,
  newest: Pick<Verdicts, 'fails' | 'hidden'>,
  awaited: Pick<ReadonlySet<string>, 'has'>,
  at: string,
): Cooked {
  const findings = new Map<string, Finding>();
  for (const fail of newest.fails) {
    const id = findingId(fail);
    const held = open.get(id);
    if (held === undefined && !fail.confirmed && !awaited.has(id)) continue;
    findings.set(id, {
      id,
      check: fail.check.id,
      avenue: fail.avenue,
      severity: fail.severity,
      subject: fail.subject,
      summary: fail.summary,
      evidence: fail.evidence,
      evidenceClass: fail.evidenceClass,
      firstSeen: held?.firstSeen ?? at,
      lastSeen: at,
      benign: fail.check.text.benign,
      remedy: fail.remedy.replaceAll(';', ','),
      scar: fail.severity !== 'low',
    });
  }
  for (const held of open.values())
    if (!findings.has(held.id) && newest.hidden(held.check, held.subject)) findings.set(held.id, held);
  const sorted = [...findings.values()].sort(
    (a, b) =>
      SEVERITY_SCORE[b.severity] - SEVERITY_SCORE[a.severity] ||
      a.firstSeen.localeCompare(b.firstSeen) ||
      a.id.localeCompare(b.id),
  );
  return {
    findings: sorted,
    opened: sorted.filter((finding) => !open.has(finding.id)),
    closed: [...open.values()].filter((finding) => !findings.has(finding.id)),
  };
}
