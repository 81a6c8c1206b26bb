/**
 * What a check is: one predicate about one kind of subject, pure over a snapshot. A check says what it needs, has its
 * words at the top of its file, and reports a verdict for every subject it applies to: pass, fail or blind.
 */
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../law/law.ts';
import type { AvenueId, Severity, Subject } from './judgement.ts';

/** The held generation A as the checks see it; null while nothing has been learned. */
export interface Known {
  /** Hashes of learned identities, comparable with the `identity` column of this process. */
  readonly identities: ReadonlySet<bigint>;
  /** Listener keys as `listenerKey` writes them. */
  readonly listeners: ReadonlySet<string>;
}

export interface CheckContext {
  readonly snapshot: Snapshot;
  readonly law: Law;
  readonly known: Known | null;
}

export interface Fail {
  readonly check: Check;
  readonly avenue: AvenueId;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
  readonly remedy: string;
}

/** Evidence that could not be read. */
export interface Blindness {
  readonly reason: string;
  /** What would let us look; "" when nothing would in this version. */
  readonly cure: string;
  /** Pairs that stay unjudged; default 1. */
  readonly subjects?: number;
  /** Which subjects it hides: an open finding about one of them must not expire for it. Default: none. */
  readonly hides?: (subject: Subject) => boolean;
}

export interface Report {
  pass(): void;
  /** `avenue`, `severity` and `remedy` default to the check's own. */
  fail(fail: {
    subject: Subject;
    summary: string;
    evidence: Readonly<Record<string, string | number>>;
    avenue?: AvenueId;
    severity?: Severity;
    remedy?: string;
  }): void;
  blind(blindness: Blindness): void;
}

export interface Check {
  /** Catalogue id, equal to the file name. */
  readonly id: string;
  readonly avenue: AvenueId;
  readonly severity: Severity;
  /** 1 every recheck · 2 once per new process or exec · 3 on demand and on the slow timer. */
  readonly tier: 1 | 2 | 3;
  readonly text: {
    /** What a fail means, one sentence. */
    readonly about: string;
    /** Why a fail may be benign. */
    readonly benign: string;
    /** What to do about a fail. */
    readonly remedy: string;
  };
  judge(context: CheckContext, report: Report): void;
}
