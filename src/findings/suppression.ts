/** Which fails are explained: by the law (the user's, what was accepted, named benign causes), or by the baseline. Pure. */
import { isLoopback } from '../base/addresses.ts';
import type { Fail, Known } from '../checks/check.ts';
import { programName } from '../checks/executables.ts';
import { OTHER_NAMESPACE } from '../checks/other-namespaces.ts';
import { endpointText, type ListenerSubject } from '../checks/subjects.ts';
import type { Verdicts } from '../checks/verdicts.ts';
import type { Listener } from '../engine/snapshot.ts';
import { BANNED_LISTENER } from '../policy/banned.ts';
import { hasEnded, type Law, type Suppression } from '../policy/law.ts';
import { severityRank } from '../policy/severity.ts';
import type { Explanation, Finding, Suppressed } from './finding.ts';
import { type Classed, classedOf, isSuppressed, keyEvidence } from './finding-class.ts';
import { classedId, findingId, memberId } from './finding-id.ts';

/** A fail of these is never suppressed. An exception for a banned listener only keeps it from being shut down. */
export const NEVER_SUPPRESSED: ReadonlySet<string> = new Set([BANNED_LISTENER, 'baseline-tampered']);

const matches = (pattern: string, text: string): boolean =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;

const matchesAny = (patterns: readonly string[] | undefined, text: string | undefined): boolean =>
  patterns === undefined || (text !== undefined && patterns.some((pattern) => matches(pattern, text)));

/** A pattern without a slash is compared with the base name, also of a program that was unlinked since it started. */
function matchesExecutable(patterns: readonly string[] | undefined, path: string | undefined): boolean {
  if (patterns === undefined) return true;
  if (path === undefined) return false;
  const name = programName(path);
  return patterns.some((pattern) => matches(pattern, pattern.includes('/') ? path : name));
}

/** Exactly the same names with the same values. */
function isShown(shown: Suppression['shown'], fail: Classed): boolean {
  if (shown === undefined) return true;
  const key = keyEvidence(fail);
  return key.size === Object.keys(shown).length && [...key].every(([name, value]) => shown[name] === value);
}

/**
 * An entry without the user or the address it was accepted for covers no process of root, and no listener beyond loopback. A
 * banned listener that was exempt stays so: a changed form of entries does not shut anything down.
 */
function coversEarlier({ check, subject }: Classed): boolean {
  if (check.id === BANNED_LISTENER) return true;
  if (subject.kind === 'process') return subject.uid !== null && subject.uid !== 0;
  return subject.kind !== 'listener' || isLoopback(subject.address);
}

function covers(suppression: Suppression, fail: Classed, nowMs: number): boolean {
  if (hasEnded(suppression, nowMs)) return false;
  if (suppression.checks.length > 0 && !suppression.checks.includes(fail.check.id)) return false;
  const { subject } = fail;
  const process = subject.kind === 'process' ? subject : undefined;
  const listener = subject.kind === 'listener' ? subject : undefined;
  // The executable of a listener is in its evidence.
  const executable = process?.executable ?? (listener && String(fail.evidence.executable ?? ''));
  return (
    matchesExecutable(suppression.executable, executable) &&
    matchesAny(suppression.comm, process?.comm) &&
    matchesAny(suppression.identity, process?.identity) &&
    (suppression.uid === undefined || process?.uid === suppression.uid) &&
    matchesAny(suppression.path, subject.kind === 'file' ? subject.path : undefined) &&
    (suppression.protocol === undefined || listener?.protocol === suppression.protocol) &&
    (suppression.port === undefined || listener?.port === suppression.port) &&
    matchesAny(suppression.evidenceClass, fail.evidenceClass) &&
    (suppression.severity === undefined ||
      severityRank(fail.severity) <= severityRank(suppression.severity)) &&
    isShown(suppression.shown, fail) &&
    (suppression.earlier === undefined || coversEarlier(fail)) &&
    // Last, since it costs a hash.
    (suppression.finding === undefined ||
      [findingId, memberId, classedId].some((idOf) => idOf(fail) === suppression.finding))
  );
}

type Exceptions = Pick<Law, 'suppressions'>;

/** What explains a fail, the law before the baseline; null if unexplained. */
export function explanationOf(
  fail: Classed,
  law: Exceptions,
  known: Known | null,
  nowMs: number,
): Explanation | null {
  if (NEVER_SUPPRESSED.has(fail.check.id)) return null;
  const suppression = law.suppressions.find((one) => covers(one, fail, nowMs));
  if (suppression !== undefined)
    return { source: suppression.source, name: suppression.name, why: suppression.why };
  if (known !== null && isSuppressed(known.classes, fail))
    return { source: 'baseline', name: '', why: 'it was so when the baseline was learned' };
  return null;
}

/** The same for a finding. */
export const explanationOfFinding = (
  finding: Finding,
  ...rest: [law: Exceptions, known: Known | null, nowMs: number]
): Explanation | null => explanationOf(classedOf(finding), ...rest);

/** The exception that keeps a banned listener from being shut down: one that names its check. Null without one. */
export function bannedSuppression(
  law: Exceptions,
  listener: Omit<ListenerSubject, 'kind'> & Pick<Listener, 'creatorUid' | 'executable'>,
  nowMs: number,
): Suppression | null {
  const { executable, creatorUid, ...socket } = listener;
  const matched: Classed = {
    check: { id: BANNED_LISTENER },
    subject: { ...socket, kind: 'listener' },
    evidence: { executable, endpoint: endpointText(socket), creator_uid: creatorUid },
    evidenceClass: socket.namespace === undefined ? '' : OTHER_NAMESPACE,
    severity: 'critical',
  };
  const named = law.suppressions.filter(({ checks }) => checks.includes(BANNED_LISTENER));
  return named.find((suppression) => covers(suppression, matched, nowMs)) ?? null;
}

interface ExplainedFails {
  /** What neither law nor baseline explains. */
  readonly fails: readonly Fail[];
  readonly suppressed: readonly Suppressed[];
}

interface Explained {
  readonly verdicts: Verdicts;
  readonly suppressed: readonly Suppressed[];
}

/**
 * Explains verdicts. What explains a fail is kept with it while law and generation are the same and no exception ends: a fail that
 * lasts is not matched against the law again.
 */
export class Explainer {
  #of = new WeakMap<Fail, Suppressed | 'nothing'>();
  #whole = new WeakMap<readonly Fail[], ExplainedFails>();
  #law: Exceptions | null = null;
  #known: Known | null = null;
  /** Milliseconds since the epoch between which that holds. */
  #fromMs = 0;
  #untilMs = 0;

  /** The same verdicts with the fails that law or baseline explain counted as passed; the same fails for the same ones while that holds. */
  explained(verdicts: Verdicts, law: Exceptions, known: Known | null, nowMs: number): Explained {
    if (law !== this.#law || known !== this.#known || nowMs < this.#fromMs || nowMs >= this.#untilMs)
      this.#forget(law, known, nowMs);
    const whole = this.#whole.get(verdicts.fails) ?? this.#explain(verdicts.fails, law, known, nowMs);
    this.#whole.set(verdicts.fails, whole);
    const { fails, suppressed } = whole;
    const { length } = suppressed;
    const counts = { pass: verdicts.pass + length, fail: verdicts.fail - length };
    return { verdicts: { ...verdicts, ...counts, fails }, suppressed };
  }

  #explain(all: readonly Fail[], law: Exceptions, known: Known | null, nowMs: number): ExplainedFails {
    const fails: Fail[] = [];
    const suppressed: Suppressed[] = [];
    for (const fail of all) {
      let one = this.#of.get(fail);
      if (one === undefined) {
        one = suppressedBy(fail, explanationOf(fail, law, known, nowMs));
        this.#of.set(fail, one);
      }
      if (one === 'nothing') fails.push(fail);
      else suppressed.push(one);
    }
    return { fails, suppressed };
  }

  #forget(law: Exceptions, known: Known | null, nowMs: number): void {
    const ends = law.suppressions.map(({ expiresMs }) => expiresMs ?? Number.POSITIVE_INFINITY);
    this.#of = new WeakMap();
    this.#whole = new WeakMap();
    this.#law = law;
    this.#known = known;
    this.#fromMs = nowMs;
    this.#untilMs = Math.min(Number.POSITIVE_INFINITY, ...ends.filter((endMs) => endMs > nowMs));
  }
}

function suppressedBy(fail: Fail, explanation: Explanation | null): Suppressed | 'nothing' {
  if (explanation === null) return 'nothing';
  const { check, avenue, severity, subject, summary } = fail;
  return { check: check.id, avenue, severity, subject, summary, ...explanation };
}
