/**
 * What a check is: one predicate about one kind of subject; each subject gets a verdict: pass, fail or blind. Tier 1 is pure over
 * a snapshot: as a rule over the rows of a table, for the batch, or as a function. Tier 2 judges what the helper read of one
 * process, or its connections. Tier 3 reads by itself, periodically.
 */
import type { Scans } from '../engine/scheduled-scans.ts';
import type { Connection, Snapshot } from '../engine/snapshot.ts';
import type { Law, Suppression } from '../policy/law.ts';
import type { Severity } from '../policy/severity.ts';
import type { Content, Image } from './content.ts';
import type { PackageFacts } from './packages.ts';
import type { PeekFacts } from './peek-facts.ts';
import type { Residue } from './residue.ts';
import type { Rule } from './rule.ts';
import type { StartupFacts } from './startup.ts';
import type { ProcessSubject, Subject } from './subjects.ts';
import type { Missed } from './unread.ts';
import type { VitalFacts } from './vitals.ts';

export const AVENUE_IDS = [
  'inject_clip',
  'public_listen',
  'unknown_local',
  'new_comm',
  'scar',
  'secure_learn',
] as const;
export type AvenueId = (typeof AVENUE_IDS)[number];

/** The held generation A as the checks see it. */
export interface Known {
  /** Hashes of learned identities, comparable with the `identity` column of this process. */
  readonly identities: ReadonlySet<bigint>;
  /** Listener keys as `listenerKey` writes them. */
  readonly listeners: ReadonlySet<string>;
  /** Finding classes as `classKey` writes them. */
  readonly classes: ReadonlySet<string>;
  /** Executables of the learned identities, as text. */
  readonly executables?: ReadonlySet<string>;
  /** Contents of learned programs by `programKey`, newest first; empty where the content was never recorded. */
  readonly contents?: ReadonlyMap<string, readonly Content[]>;
  /** Hashes of learned identities without their executables; absent or empty without the privileges they were learned with. */
  readonly lost?: ReadonlySet<bigint>;
}

/** The baseline itself. */
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
  /** The automatic learning of the first use has not happened yet. */
  readonly firstUse: boolean;
  /** `unread`: the store could not be read. */
  readonly integrity: 'sound' | 'tampered' | 'key-lost' | 'unread';
  /** What does not fit, one phrase; "" when sound. */
  readonly integrityDetail: string;
}

export interface CheckContext {
  readonly snapshot: Snapshot;
  readonly law: Law;
  /** Null while nothing has been learned. */
  readonly known: Known | null;
  /** What ended runs of the desk left behind; absent where that was not read. */
  readonly residue?: Residue;
  /** Absent or null without a store. */
  readonly baseline?: BaselineState | null;
  /** Whether it is of the desk and runs what it was started for; `inTree`: of our own process tree. Absent where that is not known. */
  readonly isOurs?: (process: ProcessSubject, inTree: boolean) => boolean;
  /** How long processes have been dead, by the sweeps so far; absent where one sweep is all there is. */
  readonly dead?: { isYounger(process: ProcessSubject, sec: number): boolean };
}

export interface Fail {
  readonly check: Check;
  readonly avenue: AvenueId;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
  /** Which of the ways to fail this check; "" when there is only one. */
  readonly evidenceClass: string;
  readonly remedy: string;
  /** It was seen twice already, by the tier that found it: no second sample is taken. */
  readonly confirmed: boolean;
  /** The process behind it, or what was asked about it, is not known, as while one comes or goes: a finding only when that stays so. */
  readonly unattributed: boolean;
  /** It has not lasted as long as its check requires: not a finding yet, and no second sample is taken. */
  readonly early: boolean;
}

/** Evidence that could not be read. */
export interface Blindness {
  readonly reason: string;
  /** What would make it readable; "" when not possible in this version. */
  readonly cure: string;
  /** Pairs that stay unjudged; default 1. */
  readonly subjects?: number;
  /** Which subjects it hides: an open finding about one of them must not expire for it. Default: none. */
  readonly hides?: (subject: Subject) => boolean;
  /** Startup places among it that a later scan may read. */
  readonly missed?: readonly Missed[];
  /** Those that an error hides. */
  readonly refused?: readonly Missed[];
}

/** A fail as a check reports it; `avenue`, `severity` and `remedy` default to the check's own, `evidenceClass` to "". */
export type FailParts = Pick<Fail, 'subject' | 'summary' | 'evidence'> &
  Partial<Omit<Fail, 'check' | 'confirmed'>>;

export interface Report {
  pass(): void;
  fail(fail: FailParts): void;
  blind(blindness: Blindness): void;
}

/** A named reason why a fail is harmless, on unless the law disables it. Every field given must match, as in an exception. */
export interface BenignCause
  extends Omit<Suppression, 'checks' | 'source' | 'expiresMs' | 'finding' | 'evidenceClass'> {
  /** Kebab-case; checks that share a cause share its name. */
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
  /** Techniques of MITRE ATT&CK that a fail may show; none for hygiene of the machine or the desk. */
  readonly techniques: readonly string[];
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
   * Names of the evidence that makes a finding: what is accepted or learned holds these values, and other values make another
   * finding. Not what changes by itself (a pid, an address, a count). Default: none.
   */
  readonly key?: readonly string[];
  /** A low fail about a process is a finding once the process is `SETTLED_SEC` old: one that ends before is counted only. */
  readonly settles?: true;
  /** Each process is a finding of its own: two ways of reading know different facts of it and must agree on the id. */
  readonly alone?: true;
}

/** A check of tier 1 about rows of a table. */
export interface RuleCheck extends Words {
  /** Called again when law or baseline change. `hash` is that of the `identity` and `key` columns. */
  rule(law: Law, known: Known | null, hash: (text: string) => bigint): Rule;
  /** Called for rows that failed, and kept while the row says the same. */
  explain(context: CheckContext, row: number): FailParts;
  /** What an explanation depends on beside the row itself, cheap to read: explained again when it has changed. */
  given?(context: CheckContext, row: number): string | number | boolean;
  /** Why nothing can be judged this time; null when it can. */
  blindness?(snapshot: Snapshot): Blindness | null;
  /** What the desk started itself passes: where its programs are, and that they were not learned, does not count. */
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

/** A check of tier 2: called when the helper has read the process, and again when the law changes. */
export interface PeekCheck extends Words {
  readonly tier: 2;
  peek(context: PeekContext, report: Report): void;
}

/** One learned program as a check of its content sees it. */
export interface ContentContext {
  /** Path as `programKey` writes it; "" means all whose executable could not be read. */
  readonly program: string;
  /** The processes that run it. */
  readonly running: readonly {
    readonly subject: ProcessSubject;
    /** Null when it could not be read. */
    readonly image: Image | null;
    /** "" when it could not be read, undefined while it was not read. */
    readonly sha256: string | undefined;
    /** What its content is called where it is another one. */
    readonly name: string;
  }[];
  /** Newest first; empty when none was recorded. */
  readonly learned: readonly Content[];
}

/** A check of tier 2 about the content of learned programs: called when a process was read, and again when something was learned. */
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

/** A check of tier 2 about connections: called for each desk process that has some, at every recheck. */
export interface EgressCheck extends Words {
  readonly tier: 2;
  egress(context: EgressContext, report: Report): void;
}

/** What checks of tier 3 read by: of the kernel, and of files. */
export interface CheckScans extends Scans {
  /** Every place that starts something, for the check with this id: checks of one pass share what was read. */
  startup(check: string): Promise<StartupFacts>;
  /** What the last comparison of all packages found; null before the first one. */
  packages(): PackageFacts | null;
  /** The last two readings of the state of the machine, the earlier one first; null where it is not read. */
  vitals(): Promise<readonly [VitalFacts, VitalFacts] | null>;
}

/** What a check of tier 3 judges by. Rows of the snapshot may have been overwritten since. */
export interface ScanContext extends CheckContext {
  readonly scans: CheckScans;
}

/** A check of tier 3, or the slow part of one of tier 1: reads by itself, twice before it reports a fail. */
export interface ScanCheck extends Words {
  readonly tier: 1 | 3;
  /** Its scan affects other programs: run in a full pass on request, never by the schedule. */
  readonly onDemand?: true;
  /** What it finds is read again when it changes, so that open findings need no pass of their own. */
  readonly steady?: true;
  /** It judges what starts by itself: where it throws, none of that was read. */
  readonly startup?: true;
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
  const { subject, summary, evidence, evidenceClass = '', unattributed = false, early = false } = parts;
  const { avenue = check.avenue, severity = check.severity, remedy = check.text.remedy } = parts;
  // A thousand may fail: one shape, without a spread.
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
    unattributed,
    early,
  };
}

/** Whether two fails of one check are about the same, in the same words. */
export const saysTheSame = (one: Fail, other: Fail): boolean => textOf(one) === textOf(other);

const textOf = ({ check: _, ...parts }: Fail): string => JSON.stringify(parts);
