/** Everything a record is a function of. Made by `src/service/moments.ts`; records read nothing else. */
import type { Config } from '../config/schema.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Judgement } from '../findings/finding.ts';
import type { GateStep } from '../findings/pipeline.ts';
import type { ShortLived } from '../findings/short-lived.ts';
import type { Severity } from '../policy/severity.ts';
import type { Shutdown } from './shutdowns.ts';

export type ListenerRole = 'control' | 'office' | 'themed' | 'public';

export interface ServiceListener {
  readonly role: ListenerRole;
  readonly host: string;
  readonly port: number;
  /** `bound`; `failed` with the reason; `off` by configuration. */
  readonly state: 'bound' | 'failed' | 'off';
  /** "" unless failed: what happened and what to do. */
  readonly reason: string;
}

/** A duty of `in_charge`: false and no issue when not configured. */
export interface Duty {
  readonly configured: boolean;
  readonly healthy: boolean;
  /** "" when healthy or not configured. */
  readonly reason: string;
}

export interface ServiceFacts {
  /** Pid of the service, or of the command in `--local`. */
  readonly pid: number;
  readonly version: string;
  readonly listeners: readonly ServiceListener[];
  /** Holders of this state folder's lock, counted in /proc/locks. */
  readonly lockHolders: number;
  /** Residue files and orphans of our own. */
  readonly fieldDirt: number;
  /** Why these could not be looked for, so that `fieldDirt` is what was known before; "" when they could. */
  readonly fieldTrouble: string;
  /** Weakest thread of the service is confined. */
  readonly selfWrapped: boolean;
  /** The slow residue timer runs. */
  readonly residueTimer: boolean;
}

export interface LoopFacts {
  readonly on: boolean;
  readonly mode: 'off' | 'poll' | 'event';
  /** Pid of the loop's process, null while off. */
  readonly pid: number | null;
  readonly periodMs: number;
  /** The loop's own CPU over the last 60 s as a share of one core; null until measured. */
  readonly cpuShare: number | null;
  /** Why the loop polls though events are wanted; "" when it does not. */
  readonly eventReason: string;
  /** What reports changes, and why something does not; empty while the loop does not ask for events. */
  readonly sources: readonly { readonly id: string; readonly works: boolean; readonly reason: string }[];
  /** The loop has looked within two periods, or within two rechecks and their rests where these take longer; true while it is off. */
  readonly fresh: boolean;
  /** Since when it has not looked, whole seconds; 0 while fresh. */
  readonly staleSec: number;
}

interface RecheckFacts {
  /** Last recheck, whole µs: sweep, judge and confirm; or finding out that nothing had changed. */
  readonly lastUs: number;
  /** Median of the last 64 rechecks, µs. */
  readonly p50Us: number;
  readonly mode: 'free_ball' | 'forever';
  /** (check, subject) pairs per worker shard of the last batch. */
  readonly pairsPerShard: number;
}

export interface SiteFacts {
  /** False: the embedded public listener is the site. */
  readonly configured: boolean;
  readonly name: string;
  readonly url: string;
  /** Status of the last probe, 0 unreachable. */
  readonly status: number;
  /** "" when good; else why the probe fails. */
  readonly reason: string;
  readonly magazineOk: boolean;
  /** Configured names that resolve. */
  readonly dnsGreen: number;
  readonly dnsTotal: number;
  /** Chain verifies and more than 14 days left. */
  readonly certificateReady: boolean;
  /** Whole days the certificate lasts; null without one. */
  readonly certificateDays: number | null;
  /** When the site was probed, milliseconds since the epoch; null before. */
  readonly probedMs: number | null;
  /** What could be done about names, certificate and magazine, each a phrase. */
  readonly advice: readonly string[];
}

/** How far reading of one source of people is. */
export interface MailSource {
  /** As configured: `imap`, `maildir:PATH`, `mh:PATH`, `mbox:PATH`. */
  readonly source: string;
  /** `waiting` for its turn; `importing` what is there; `watching` for what comes; `failed`, and tried again. */
  readonly state: 'waiting' | 'importing' | 'watching' | 'failed';
  /** "" unless failed: what happened and what to do. */
  readonly reason: string;
  /** Folders it has, as far as it was looked at. */
  readonly folders: number;
  /** Messages read since the service started. */
  readonly read: number;
  /** While importing. */
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly perSec: number;
    /** Null while it is not known. */
    readonly leftSec: number | null;
  } | null;
  /** When it was last found to be complete, milliseconds since the epoch; null before. */
  readonly completeMs: number | null;
}

export interface MailFacts {
  /** Sources of people are configured. */
  readonly configured: boolean;
  readonly passwordSet: boolean;
  readonly clientRunning: boolean;
  /** Within its cap: no one had to be left out. */
  readonly finite: boolean;
  readonly people: number;
  /** Messages that were counted. */
  readonly messages: number;
  readonly sources: readonly MailSource[];
  /** Why the ledger is not kept as it should be, "" when it is or when nothing is configured. */
  readonly trouble: string;
  /** What could be done about the ledger, each a phrase. */
  readonly advice: readonly string[];
  /** `~`-relative path of the ledger export, "" until exported. */
  readonly exportPath: string;
}

export interface BaselineFacts {
  /** Number of the held generation A; 0 = the empty baseline. */
  readonly generation: number;
  /** RFC 3339, "" for generation 0. */
  readonly learnedAt: string;
  /** Identities in A. */
  readonly identities: number;
  /** Those of A seen again since. */
  readonly seenAgain: number;
  /** All rows of A. */
  readonly rows: number;
  /** Rows that were learned and that a person should look at, and has not. */
  readonly toReview: number;
  /** Running identities that are in A. */
  readonly runningKnown: number;
  readonly windowOpen: boolean;
}

export interface GateFacts {
  readonly state: 'pass' | 'fail';
  /** Authoritative generations in the store; always 1. */
  readonly god: number;
  /** Generation number of B. */
  readonly observation: number;
  readonly lastRun: { readonly at: string; readonly steps: readonly GateStep[] } | null;
  /** Observation of a clean gate differs from A. */
  readonly differs: boolean;
}

/** What the store no longer keeps, counted. */
export interface Dropped {
  /** Closed findings by severity. */
  readonly findings: Readonly<Record<Severity, number>>;
  readonly gateRuns: number;
  /** Lines of findings' histories that were never stored. */
  readonly lines: number;
  /** Rows of residue: what the scars of a run of the gate touched. */
  readonly residue: number;
  /** Time of the newest drop, RFC 3339; "" when nothing was dropped. */
  readonly lastAt: string;
  /** The checks that lost most, at most five. */
  readonly checks: readonly { readonly check: string; readonly severity: Severity; readonly count: number }[];
}

export const NOTHING_DROPPED: Dropped = {
  findings: { low: 0, medium: 0, high: 0, critical: 0 },
  gateRuns: 0,
  lines: 0,
  residue: 0,
  lastAt: '',
  checks: [],
};

interface EgressFacts {
  /** The guard is the only way out and loaded. */
  readonly guardLoaded: boolean;
  /** Established :443 connections of desk processes. */
  readonly deskHttps: number;
  /** Those to addresses off the allowlist. */
  readonly outside: number;
}

export interface AssistantFacts {
  /** None is configured, one on this machine's loopback, or one beyond it. */
  readonly place: 'none' | 'here' | 'elsewhere';
  /** Holders of the assistant's loopback port. */
  readonly pids: number;
}

/** What the remedies did not do, or not yet. */
export interface RemedyFacts {
  /** Banned listeners that are down, the newest first. */
  readonly shutDown: readonly Shutdown[];
  /** Banned listeners that are shut down by themselves when their grace ends. */
  readonly pending: readonly { readonly finding: string; readonly at: string; readonly advice: string }[];
  /** Banned listeners that could not be shut down: why, and what a person can do. */
  readonly refused: readonly { readonly finding: string; readonly reason: string; readonly advice: string }[];
}

export interface DeskFacts {
  readonly config: Config;
  /** Why the last reload kept the previous configuration, one phrase; "" when it did not. */
  readonly configTrouble: string;
  /** Local date of the configuration file `YYYY-MM-DD`; "" without a file. */
  readonly configDate: string;
  /** Base URLs as they are reached, without trailing slash. */
  readonly urls: {
    readonly control: string;
    readonly office: string;
    readonly themed: string;
    readonly public: string;
  };
  readonly service: ServiceFacts;
  readonly loop: LoopFacts;
  readonly recheck: RecheckFacts;
  readonly site: SiteFacts;
  readonly mail: MailFacts;
  readonly baseline: BaselineFacts;
  readonly gate: GateFacts;
  readonly dropped: Dropped;
  readonly shortLived: ShortLived;
  readonly egress: EgressFacts;
  readonly assistant: AssistantFacts;
  readonly lawVersion: string;
  /** What of the law has ended, each a phrase with what to do. */
  readonly lawExpired: readonly string[];
  readonly remedies: RemedyFacts;
  readonly duties: {
    readonly antivirus: Duty;
    readonly field_hygiene: Duty;
    readonly learning_security: Duty;
    readonly secure_learn: Duty;
    readonly av_close: Duty;
    readonly field_clear: Duty;
    readonly trickle_train: Duty;
    readonly mail_people: Duty;
    readonly law_pack: Duty;
  };
}

export interface Moment {
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  readonly desk: DeskFacts;
}
