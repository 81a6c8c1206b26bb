/**
 * Cook: raw fails become findings. A fail is confirmed when a second sample shows it again; a finding that no longer fails
 * expires, unless its check could not look at the subject this time.
 */
import { SEVERITY_SCORE } from '../checks/avenues.ts';
import type { Fail } from '../checks/check.ts';
import { endpointKey, findingKey, idOfKey } from '../checks/finding-id.ts';
import type { Finding } from '../checks/judgement.ts';
import type { Verdicts } from '../checks/verdicts.ts';

const keyOf = ({ check, subject }: Fail): string => findingKey(check.id, subject);
const endpointOf = ({ check, subject }: Fail): string | null => endpointKey(check.id, subject);

/** Findings by their keys: which one a fail belongs to is known without its id. */
export type Findings = ReadonlyMap<string, Finding>;

export const byKey = (findings: readonly Finding[]): Findings =>
  new Map(findings.map((finding) => [findingKey(finding.check, finding.subject), finding]));

/**
 * Fails that no open finding stands for yet and no tier has confirmed, by key, less the early ones: they ask for a second sample. Those of
 * listeners by their endpoint too: who closes a socket and opens the next one all the time listens all the same.
 */
export function unconfirmed(open: Findings, fails: readonly Fail[]): ReadonlyMap<string, Fail> {
  const fresh = fails.filter((fail) => !fail.early && !fail.confirmed && !open.has(keyOf(fail)));
  return new Map(
    fresh.flatMap((fail) => {
      const endpoint = endpointOf(fail);
      const own = [keyOf(fail), fail] as const;
      return endpoint === null ? [own] : [own, [endpoint, fail] as const];
    }),
  );
}

export interface Cooked {
  readonly open: Findings;
  /** Confirmed findings, most severe first, then oldest. */
  readonly findings: readonly Finding[];
  /** Scars of the newest sample that the first one did not show, or that are in doubt. */
  readonly unconfirmed: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
}

interface Newest extends Pick<Verdicts, 'fails' | 'hidden'> {
  /** Keys of the fails in doubt: they neither open a finding nor change an open one. */
  readonly doubted?: ReadonlySet<string>;
}

/**
 * `open` are the findings held so far, `newest` the newest sample; `awaited` the keys that had to show twice (those of the
 * first sample that no finding stood for). `at` is the time of the newest sample, RFC 3339.
 */
export function cook(
  open: Findings,
  { fails, hidden, doubted }: Newest,
  awaited: Pick<ReadonlySet<string>, 'has'>,
  at: string,
): Cooked {
  const findings = new Map<string, Finding>();
  const once: Finding[] = [];
  for (const fail of fails) {
    const key = keyOf(fail);
    const held = open.get(key);
    const finding = findingOf(fail, key, held, at);
    const seenBefore = awaited.has(key) || awaited.has(endpointOf(fail) ?? key);
    const waits = fail.early || doubted?.has(key) === true;
    if (waits && held !== undefined) findings.set(key, held);
    else if (!waits && (held !== undefined || fail.confirmed || seenBefore)) findings.set(key, finding);
    else if (finding.scar) once.push(finding);
  }
  for (const [key, held] of open)
    if (!findings.has(key) && hidden(held.check, held.subject)) findings.set(key, held);
  const sorted = [...findings.values()].sort(
    (a, b) =>
      SEVERITY_SCORE[b.severity] - SEVERITY_SCORE[a.severity] ||
      order(a.firstSeen, b.firstSeen) ||
      order(a.id, b.id),
  );
  const isNew = ({ check, subject }: Finding): boolean => !open.has(findingKey(check, subject));
  return {
    open: findings,
    findings: sorted,
    unconfirmed: once,
    opened: sorted.filter(isNew),
    closed: [...open].flatMap(([key, held]) => (findings.has(key) ? [] : [held])),
  };
}

/** By code units: for times and ids, and many times faster than by the rules of a language. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const findingOf = (fail: Fail, key: string, held: Finding | undefined, at: string): Finding => ({
  id: held?.id ?? idOfKey(key),
  check: fail.check.id,
  avenue: fail.avenue,
  severity: fail.severity,
  subject: fail.subject,
  summary: fail.summary,
  evidence: fail.evidence,
  // Attached when it was read: no recheck waits for that.
  about: null,
  evidenceClass: fail.evidenceClass,
  firstSeen: held?.firstSeen ?? at,
  lastSeen: at,
  benign: fail.check.text.benign,
  remedy: fail.remedy.includes(';') ? fail.remedy.replaceAll(';', ',') : fail.remedy,
  scar: fail.severity !== 'low',
});
