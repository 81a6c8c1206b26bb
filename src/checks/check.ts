/**
 * What a check is: one predicate about one kind of subject, pure over a snapshot. A check has its words at the top of its
 * file. One about processes or listeners says what it judges by as a rule, for the batch, and explains the rows that
 * failed; another one judges by itself. Either way every subject gets a verdict: pass, fail or blind.
 */
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../law/law.ts';
import type { AvenueId, Severity, Subject } from './judgement.ts';
import type { Rule } from './rule.ts';

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

/** A fail as a check tells it; `avenue`, `severity` and `remedy` default to the check's own. */
export interface FailParts {
  readonly subject: Subject;
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
  readonly avenue?: AvenueId;
  readonly severity?: Severity;
  readonly remedy?: string;
}

export interface Report {
  pass(): void;
  fail(fail: FailParts): void;
  blind(blindness: Blindness): void;
}

interface Words {
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
}

/** A check of tier 1 about rows of a table. */
export interface RuleCheck extends Words {
  /** Asked again when law or baseline change. `hash` is that of the `identity` and `key` columns. */
  rule(law: Law, known: Known | null, hash: (text: string) => bigint): Rule;
  /** Asked for rows that failed only. */
  explain(context: CheckContext, row: number): FailParts;
  /** Why nothing can be judged this time; null when it can. */
  blindness?(snapshot: Snapshot): Blindness | null;
  /** Rows of one key are one finding: the first is explained. */
  once?(snapshot: Snapshot, row: number): bigint;
}

/** A check that is not about rows. */
export interface PlainCheck extends Words {
  judge(context: CheckContext, report: Report): void;
}

export type Check = RuleCheck | PlainCheck;
