/** Which fails are explained: by the law (the user's, what was accepted, named benign causes), or by the baseline. Pure. */
import { isLoopback } from '../base/addresses.ts';
import type { Listener } from '../engine/snapshot.ts';
import { BANNED_LISTENER } from '../law/banned.ts';
import { hasEnded } from '../law/expiry.ts';
import type { Law } from '../law/law.ts';
import type { Known } from './check.ts';
import { programName } from './executables.ts';
import { type Classed, classedOf, isExcused, keyEvidence } from './finding-class.ts';
import { findingId, memberId } from './finding-id.ts';
import {
  type Explanation,
  type Finding,
  type ListenerSubject,
  type Severity,
  severityRank,
} from './judgement.ts';
import { OTHER_NAMESPACE } from './other-namespaces.ts';
import { endpointText } from './subjects.ts';

/** Nothing explains a fail of these. An exception for a banned listener only keeps it from being shut down. */
export const INEXCUSABLE: ReadonlySet<string> = new Set([BANNED_LISTENER, 'baseline-tampered']);

/** An exception of the law. Every field given must match; a text that ends in `*` matches what starts like it. */
export interface Excuse {
  /** Catalogue ids; empty = any check. */
  readonly checks: readonly string[];
  /** Id of one finding, or of one process of it (`memberId`). */
  readonly finding?: string;
  /** Whole paths; one without a slash is a base name. */
  readonly executable?: readonly string[];
  readonly comm?: readonly string[];
  /** What the baseline knows a process by. */
  readonly identity?: readonly string[];
  readonly uid?: number;
  readonly path?: readonly string[];
  readonly protocol?: 'tcp' | 'udp';
  readonly port?: number;
  readonly evidenceClass?: readonly string[];
  /** All of the evidence that made the finding (`keyEvidence`): these names, and no others, with these values. */
  readonly shown?: Readonly<Record<string, string>>;
  /** This severe at most. */
  readonly severity?: Severity;
  readonly why: string;
  /** Milliseconds since the epoch; null = never. */
  readonly expiresMs: number | null;
  readonly source: Exclude<Explanation['source'], 'baseline'>;
  /** Name of the benign cause; "" for others. */
  readonly name: string;
  /** An entry that was accepted before entries held the user of a process and the address of a listener. */
  readonly earlier?: true;
}

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
function isShown(shown: Excuse['shown'], fail: Classed): boolean {
  if (shown === undefined) return true;
  const key = keyEvidence(fail);
  return key.size === Object.keys(shown).length && [...key].every(([name, value]) => shown[name] === value);
}

/**
 * Whom it was accepted for is not known any more: no process of root, and no listener beyond loopback. A banned listener that was
 * spared stays spared: nothing is shut down because entries are written otherwise now.
 */
function coversEarlier({ check, subject }: Classed): boolean {
  if (check.id === BANNED_LISTENER) return true;
  if (subject.kind === 'process') return subject.uid !== null && subject.uid !== 0;
  return subject.kind !== 'listener' || isLoopback(subject.address);
}

function covers(excuse: Excuse, fail: Classed, nowMs: number): boolean {
  if (hasEnded(excuse, nowMs)) return false;
  if (excuse.checks.length > 0 && !excuse.checks.includes(fail.check.id)) return false;
  const { subject } = fail;
  const process = subject.kind === 'process' ? subject : undefined;
  const listener = subject.kind === 'listener' ? subject : undefined;
  // A listener's executable stands in its evidence.
  const executable = process?.executable ?? (listener && String(fail.evidence.executable ?? ''));
  return (
    matchesExecutable(excuse.executable, executable) &&
    matchesAny(excuse.comm, process?.comm) &&
    matchesAny(excuse.identity, process?.identity) &&
    (excuse.uid === undefined || process?.uid === excuse.uid) &&
    matchesAny(excuse.path, subject.kind === 'file' ? subject.path : undefined) &&
    (excuse.protocol === undefined || listener?.protocol === excuse.protocol) &&
    (excuse.port === undefined || listener?.port === excuse.port) &&
    matchesAny(excuse.evidenceClass, fail.evidenceClass) &&
    (excuse.severity === undefined || severityRank(fail.severity) <= severityRank(excuse.severity)) &&
    isShown(excuse.shown, fail) &&
    (excuse.earlier === undefined || coversEarlier(fail)) &&
    // Last, since it costs a hash.
    (excuse.finding === undefined || [findingId(fail), memberId(fail)].includes(excuse.finding))
  );
}

/** What explains a fail, the law before the baseline; null when nothing does. */
export function explanationOf(
  fail: Classed,
  law: Pick<Law, 'excuses'>,
  known: Known | null,
  nowMs: number,
): Explanation | null {
  if (INEXCUSABLE.has(fail.check.id)) return null;
  const excuse = law.excuses.find((one) => covers(one, fail, nowMs));
  if (excuse !== undefined) return { source: excuse.source, name: excuse.name, why: excuse.why };
  if (known !== null && isExcused(known.excused, fail))
    return { source: 'baseline', name: '', why: 'it was so when the baseline was learned' };
  return null;
}

/** The same for a finding. */
export const explanationOfFinding = (
  finding: Finding,
  ...rest: [law: Pick<Law, 'excuses'>, known: Known | null, nowMs: number]
): Explanation | null => explanationOf(classedOf(finding), ...rest);

/** The exception that keeps a banned listener from being shut down: one that names its check. Null when there is none. */
export function bannedExcuse(
  law: Pick<Law, 'excuses'>,
  listener: Omit<ListenerSubject, 'kind'> & Pick<Listener, 'creatorUid' | 'executable'>,
  nowMs: number,
): Excuse | null {
  const { executable, creatorUid, ...socket } = listener;
  const matched: Classed = {
    check: { id: BANNED_LISTENER },
    subject: { ...socket, kind: 'listener' },
    evidence: { executable, endpoint: endpointText(socket), creator_uid: creatorUid },
    evidenceClass: socket.namespace === undefined ? '' : OTHER_NAMESPACE,
    severity: 'critical',
  };
  const named = law.excuses.filter(({ checks }) => checks.includes(BANNED_LISTENER));
  return named.find((excuse) => covers(excuse, matched, nowMs)) ?? null;
}
