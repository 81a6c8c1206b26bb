/**
 * What a check is: one predicate about one kind of subject. A check has its words at the top of its file. In tier 1, which is
 * pure over a snapshot, one about processes or listeners says what it judges by as a rule, for the batch, and explains the
 * rows that failed; another one judges by itself. One of tier 2 judges what the helper read of one process, or the connections
 * of one; one of tier 3 looks for itself, now and then. Either way every subject gets a verdict: pass, fail or blind.
 */
import type { SlowLooks } from '../engine/slow-looks.ts';
import type { Connection, Snapshot } from '../engine/snapshot.ts';
import type { Law, Suppression } from '../policy/law.ts';
import type { Severity } from '../policy/severity.ts';
import type { Content, Image } from './content.ts';
import type { PeekFacts } from './peek-facts.ts';
import type { Residue } from './residue.ts';
import type { Rule } from './rule.ts';
import type { ProcessSubject, Subject } from './subjects.ts';

export const AVENUE_IDS = [
  'inject_clip',
  'public_listen',
  'unknown_local',
  'new_comm',
  'scar',
  'secure_learn',
] as const;
export type AvenueId = (typeof AVENUE_IDS)[number];

/** The held generation A as the checks see it; null while nothing has been learned. */
export interface Known {
  /** Hashes of learned identities, comparable with the `identity` column of this process. */
  readonly identities: ReadonlySet<bigint>;
  /** Listener keys as `listenerKey` writes them. */
  readonly listeners: ReadonlySet<string>;
  /** Finding classes as `classKey` writes them. */
  readonly excused: ReadonlySet<string>;
  /** Executables of the learned identities, as text. */
  readonly executables?: ReadonlySet<string>;
  /** Contents of learned programs by `programKey`, newest first; none where the content of one was never recorded. */
  readonly contents?: ReadonlyMap<string, readonly Content[]>;
  /**
   * Hashes of what learned identities would be if their executables could not be read; absent or empty while we have not the
   * privileges they were learned with.
   */
  readonly lost?: ReadonlySet<bigint>;
}

/** What is to be said of the baseline itself. */
export interface BaselineState {
  /** Number of the held generation A; 0 = the empty baseline. */
  readonly generation: number;
  /** Milliseconds since the epoch; null for generation 0. */
  readonly learnedMs: number | null;
  /** Uid and capabilities that A was learned with, and those we have now; "" while they are not known. */
  readonly privilege: string;
  readonly privilegeNow: string;
  /** The open learning window; null when there is none. */
  readonly window: { readonly openedMs: number; readonly untilMs: number } | null;
  /** Learning by itself is still to come. */
  readonly firstUse: boolean;
  /** `unread`: the store could not be asked. */
  readonly integrity: 'sound' | 'tampered' | 'key-lost' | 'unread';
  /** What does not fit, one phrase; "" when sound. */
  readonly integrityDetail: string;
}

export interface CheckContext {
  readonly snapshot: Snapshot;
  readonly law: Law;
  readonly known: Known | null;
  /** What ended runs of the desk left behind; absent where nobody looked. */
  readonly residue?: Residue;
  /** Absent or null where there is no store to ask. */
  readonly baseline?: BaselineState | null;
  /** Asked of processes of our own tree: whether we started it, and it runs what it was started for. Absent where nobody knows. */
  readonly isOurs?: (process: ProcessSubject) => boolean;
  /** How long processes have been dead, by the looks so far; absent where one look is all there is. */
  readonly dead?: { isYounger(process: ProcessSubject, sec: number): boolean };
}

export interface Fail {
  readonly check: Check;
  readonly avenue: AvenueId;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
  /** Which of the ways to fail this check; "" when there is only one. What a baseline or an exception excuses beside. */
  readonly evidenceClass: string;
  readonly remedy: string;
  /** It was seen twice already, by the tier that found it: no second sample is waited for. */
  readonly confirmed: boolean;
  /** Who is behind it could not be told, as while a process comes or goes: a finding only when that stays so. */
  readonly doubtful: boolean;
  /** It has not lasted as long as its check wants: no finding yet, and no second sample is taken for it. */
  readonly early: boolean;
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

/** A fail as a check tells it; `avenue`, `severity` and `remedy` default to the check's own, `evidenceClass` to "". */
export interface FailParts {
  readonly subject: Subject;
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
  readonly avenue?: AvenueId;
  readonly severity?: Severity;
  readonly evidenceClass?: string;
  readonly remedy?: string;
  readonly doubtful?: boolean;
  readonly early?: boolean;
}

export interface Report {
  pass(): void;
  fail(fail: FailParts): void;
  blind(blindness: Blindness): void;
}

/** A named reason why a fail is none, on unless the law turns it off. Every field given must match, as in an exception. */
export interface BenignCause
  extends Omit<Suppression, 'checks' | 'source' | 'expiresMs' | 'finding' | 'evidenceClass'> {
  /** Kebab-case, one of a kind in the catalogue unless it is the same cause. */
  readonly name: string;
  readonly why: string;
  readonly evidenceClass?: readonly string[];
}

/** A build, a pipe of commands or a cron job is over by then; what stays is reported. Findings of medium and above never wait. */
export const SETTLED_SEC = 5;

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
  /** Benign causes that the default law knows. */
  readonly causes?: readonly BenignCause[];
  /**
   * Names of the evidence that makes a finding: what is accepted or learned holds these values, and fails with other ones are
   * another finding. What changes by itself (a pid, an address of memory, a count) is none of it. Default: none.
   */
  readonly key?: readonly string[];
  /** A low fail of it about a process is a finding once the process is `SETTLED_SEC` old: who ends before is counted only. */
  readonly settles?: true;
  /** Each process is a finding of its own: two ways of looking know different words of it and must agree on the id. */
  readonly alone?: true;
}

/** A check of tier 1 about rows of a table. */
export interface RuleCheck extends Words {
  /** Asked again when law or baseline change. `hash` is that of the `identity` and `key` columns. */
  rule(law: Law, known: Known | null, hash: (text: string) => bigint): Rule;
  /** Asked for rows that failed only, and kept while the row says the same. */
  explain(context: CheckContext, row: number): FailParts;
  /** What an explanation depends on beside the row itself, cheap to read: explained again when it has changed. */
  given?(context: CheckContext, row: number): string | number | boolean;
  /** Why nothing can be judged this time; null when it can. */
  blindness?(snapshot: Snapshot): Blindness | null;
  /** What the desk started itself passes: where its programs lie, and that nobody learned them, says nothing of these. */
  readonly exemptsOurs?: true;
}

/** A check of tier 1 that is not about rows. */
export interface PlainCheck extends Words {
  judge(context: CheckContext, report: Report): void;
}

/** One process as a check of tier 2 sees it. */
export interface PeekContext {
  readonly law: Law;
  readonly subject: ProcessSubject;
  readonly facts: PeekFacts;
}

/** A check of tier 2: asked when the process was peeked at, and again when the law changes. */
export interface PeekCheck extends Words {
  readonly tier: 2;
  peek(context: PeekContext, report: Report): void;
}

/** One learned program as a check of its content sees it. */
export interface ContentContext {
  /** Path as `programKey` writes it; "" stands for all whose executable could not be read. */
  readonly program: string;
  /** The processes that run it. `image`: null when it could not be read. `sha256`: "" when it could not be, undefined while it was not read. `name`: what its content is called where it is another one. */
  readonly running: readonly {
    readonly subject: ProcessSubject;
    readonly image: Image | null;
    readonly sha256: string | undefined;
    readonly name: string;
  }[];
  /** Newest first; empty when none was recorded. */
  readonly learned: readonly Content[];
}

/** A check of tier 2 about the content of learned programs: asked when a process was looked at, and again when something was learned. */
export interface ContentCheck extends Words {
  readonly tier: 2;
  content(context: ContentContext, report: Report): void;
}

/** One process of the desk as a check of its connections sees it. */
interface EgressContext {
  readonly subject: ProcessSubject;
  /** Its established connections to port 443; `allowed`: the allowlist names the place. */
  readonly connections: readonly (Pick<Connection, 'family' | 'address' | 'port'> & {
    readonly allowed: boolean;
  })[];
}

/** A check of tier 2 about connections: asked of each desk process that has some, at every moment. */
export interface EgressCheck extends Words {
  readonly tier: 2;
  egress(context: EgressContext, report: Report): void;
}

/** What a check of tier 3 judges by. Rows of the snapshot may have been overwritten since. */
export interface ScanContext extends CheckContext {
  readonly scans: SlowLooks;
}

/** A check of tier 3, or the part of one of tier 1 that is slow: looks by itself, twice before it reports a fail. */
export interface ScanCheck extends Words {
  readonly tier: 1 | 3;
  /** Its look is felt by others: made when somebody asks for a full pass, never by the schedule. */
  readonly onDemand?: true;
  /** Rejects only for its own mistakes: what the machine refuses is reported as blind. */
  scan(context: ScanContext, report: Report, signal: AbortSignal): Promise<void>;
}

export type Check = RuleCheck | PlainCheck | PeekCheck | ContentCheck | EgressCheck | ScanCheck;

/** What every recheck judges. */
type QuickCheck = RuleCheck | PlainCheck;
export const isQuick = (check: Check): check is QuickCheck => 'rule' in check || 'judge' in check;
export const isPeek = (check: Check): check is PeekCheck => 'peek' in check;
export const isContent = (check: Check): check is ContentCheck => 'content' in check;
export const isEgress = (check: Check): check is EgressCheck => 'egress' in check;
export const isScan = (check: Check): check is ScanCheck => 'scan' in check;

/** A fail with the check's own words where `parts` have none. */
export function failOf(check: Check, parts: FailParts, { confirmed }: Pick<Fail, 'confirmed'>): Fail {
  const { subject, summary, evidence, evidenceClass = '', doubtful = false, early = false } = parts;
  const { avenue = check.avenue, severity = check.severity, remedy = check.text.remedy } = parts;
  // Made a thousand times where a thousand fail: of one shape, without a spread.
  return {
    check,
    avenue,
    severity,
    subject,
    summary,
    evidence,
    evidenceClass,
    remedy,
    confirmed,
    doubtful,
    early,
  };
}
