/** Which fails are explained: by the law (the user's, what was accepted, named benign causes), or by the baseline. Pure. */
import type { Law } from '../law/law.ts';
import type { Fail, Known } from './check.ts';
import { findingId } from './finding-id.ts';

/** An exception of the law. Every field given must match; a text that ends in `*` matches what starts like it. */
export interface Excuse {
  /** Catalogue ids; empty = any check. */
  readonly checks: readonly string[];
  /** Id of one finding. */
  readonly finding?: string;
  readonly executable?: readonly string[];
  readonly comm?: readonly string[];
  readonly uid?: number;
  readonly path?: readonly string[];
  readonly protocol?: 'tcp' | 'udp';
  readonly port?: number;
  readonly evidenceClass?: readonly string[];
  readonly why: string;
  /** Milliseconds since the epoch; null = never. */
  readonly expiresMs: number | null;
  readonly source: 'law' | 'accepted' | 'benign';
  /** Name of the benign cause; "" for others. */
  readonly name: string;
}

/** Why a fail counts as passed. */
export interface Explanation {
  readonly source: Excuse['source'] | 'baseline';
  readonly name: string;
  readonly why: string;
}

/**
 * The baseline's key of a finding class: check, who, evidence class, severity. With the severity in it, what was harmless
 * when it was learned does not excuse what has become grave.
 */
export function classKey({
  check,
  subject,
  evidenceClass,
  severity,
}: Pick<Fail, 'subject' | 'evidenceClass' | 'severity'> & {
  readonly check: Pick<Fail['check'], 'id'>;
}): string {
  const who = (): string => {
    switch (subject.kind) {
      case 'process':
        return subject.identity;
      case 'listener':
        return `${subject.protocol} ${subject.port}`;
      case 'file':
        return subject.path;
      case 'host':
        return subject.name;
      case 'desk':
        return 'desk';
    }
  };
  return [check.id, who(), evidenceClass, severity].join('\0');
}

const matches = (patterns: readonly string[] | undefined, text: string | undefined): boolean =>
  patterns === undefined ||
  (text !== undefined &&
    patterns.some((pattern) =>
      pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern,
    ));

function covers(excuse: Excuse, fail: Fail, nowMs: number): boolean {
  if (excuse.expiresMs !== null && excuse.expiresMs <= nowMs) return false;
  if (excuse.checks.length > 0 && !excuse.checks.includes(fail.check.id)) return false;
  const { subject } = fail;
  const process = subject.kind === 'process' ? subject : undefined;
  const listener = subject.kind === 'listener' ? subject : undefined;
  // A listener's executable stands in its evidence.
  const executable = process?.executable ?? (listener && String(fail.evidence.executable ?? ''));
  return (
    matches(excuse.executable, executable) &&
    matches(excuse.comm, process?.comm) &&
    (excuse.uid === undefined || process?.uid === excuse.uid) &&
    matches(excuse.path, subject.kind === 'file' ? subject.path : undefined) &&
    (excuse.protocol === undefined || listener?.protocol === excuse.protocol) &&
    (excuse.port === undefined || listener?.port === excuse.port) &&
    matches(excuse.evidenceClass, fail.evidenceClass) &&
    // Last, since it costs a hash.
    (excuse.finding === undefined || excuse.finding === findingId(fail))
  );
}

/** What explains a fail, the law before the baseline; null when nothing does. */
export function explanationOf(
  fail: Fail,
  law: Pick<Law, 'excuses'>,
  known: Known | null,
  nowMs: number,
): Explanation | null {
  const excuse = law.excuses.find((one) => covers(one, fail, nowMs));
  if (excuse !== undefined) return { source: excuse.source, name: excuse.name, why: excuse.why };
  if (known?.excused.has(classKey(fail)))
    return { source: 'baseline', name: '', why: 'it was so when the baseline was learned' };
  return null;
}
