/**
 * Cook: raw fails become findings. A fail is confirmed when a second sample shows it again; a finding that no longer fails
 * expires, unless its check could not look at the subject this time.
 */
import { createHash } from 'node:crypto';
import { SEVERITY_SCORE } from '../checks/avenues.ts';
import type { Fail } from '../checks/check.ts';
import type { Verdicts } from '../checks/judge.ts';
import type { Finding, Subject } from '../checks/judgement.ts';

/** What makes a subject the same one at the next look: pid + start time, socket inode, file, host. */
function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'process':
      return `process ${subject.pid} ${subject.start}`;
    case 'listener':
      return `listener ${subject.protocol} ${subject.address} ${subject.port} ${subject.inode}`;
    case 'file':
      return `file ${subject.path}`;
    case 'host':
      return `host ${subject.name}`;
    case 'desk':
      return 'desk';
  }
}

/** The same for the same subject failing the same check. */
export const findingKey = (check: string, subject: Subject): string => `${check}\0${subjectKey(subject)}`;

const keyOf = ({ check, subject }: Fail): string => findingKey(check.id, subject);

/** Stable id of a finding: 16 hex digits of SHA-256 over its key. */
const idOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

/** Findings by their keys: which one a fail belongs to is known without its id. */
export type Findings = ReadonlyMap<string, Finding>;

export const byKey = (findings: readonly Finding[]): Findings =>
  new Map(findings.map((finding) => [findingKey(finding.check, finding.subject), finding]));

/** Fails that no open finding stands for yet, by key: they ask for a second sample. */
export function unconfirmed(open: Findings, fails: readonly Fail[]): ReadonlyMap<string, Fail> {
  return new Map(fails.map((fail) => [keyOf(fail), fail] as const).filter(([key]) => !open.has(key)));
}

export interface Cooked {
  readonly open: Findings;
  /** Confirmed findings, most severe first, then oldest. */
  readonly findings: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
}

/**
 * `open` are the findings held so far, `newest` the newest sample; `awaited` the keys that had to show twice (those of the
 * first sample that no finding stood for). `at` is the time of the newest sample, RFC 3339.
 */
export function cook(
  open: Findings,
  newest: Pick<Verdicts, 'fails' | 'hidden'>,
  awaited: Pick<ReadonlySet<string>, 'has'>,
  at: string,
): Cooked {
  const findings = new Map<string, Finding>();
  for (const fail of newest.fails) {
    const key = keyOf(fail);
    const held = open.get(key);
    if (held === undefined && !awaited.has(key)) continue;
    findings.set(key, {
      id: held?.id ?? idOf(key),
      check: fail.check.id,
      avenue: fail.avenue,
      severity: fail.severity,
      subject: fail.subject,
      summary: fail.summary,
      evidence: fail.evidence,
      firstSeen: held?.firstSeen ?? at,
      lastSeen: at,
      benign: fail.check.text.benign,
      remedy: fail.remedy.replaceAll(';', ','),
      scar: fail.severity !== 'low',
    });
  }
  for (const [key, held] of open)
    if (!findings.has(key) && newest.hidden(held.check, held.subject)) findings.set(key, held);
  const sorted = [...findings.values()].sort(
    (a, b) =>
      SEVERITY_SCORE[b.severity] - SEVERITY_SCORE[a.severity] ||
      a.firstSeen.localeCompare(b.firstSeen) ||
      a.id.localeCompare(b.id),
  );
  const isNew = ({ check, subject }: Finding): boolean => !open.has(findingKey(check, subject));
  return {
    open: findings,
    findings: sorted,
    opened: sorted.filter(isNew),
    closed: [...open].flatMap(([key, held]) => (findings.has(key) ? [] : [held])),
  };
}
