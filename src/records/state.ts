/** Everything a record is a function of. Made by `src/service/publisher.ts`; records read only this. */
import type { Config, ListenerRole } from '../config/schema.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Judgement } from '../findings/finding.ts';
import type { GateStep } from '../findings/pipeline.ts';
import type { ShortLived } from '../findings/short-lived.ts';
import type { Severity } from '../policy/severity.ts';
import type { AlertFacts } from './alerts.ts';
import type { MailSource } from './mail.ts';
import type { Shutdown } from './shutdowns.ts';
import type { VitalsFacts } from './vitals.ts';

export type { ListenerRole };

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
  /** Why the scan for these failed, so that `fieldDirt` is the previous value; "" when it worked. */
  readonly fieldTrouble: string;
  readonly selfWrapped: boolean;
  readonly residueTimer: boolean;
  /** Why listeners of other network namespaces are not seen; "" when they are. */
  readonly namespacesTrouble: string;
}

export interface LoopFacts {
  readonly on: boolean;
  readonly mode: 'off' | 'poll' | 'event';
  readonly pid: number | null;
  readonly periodMs: number;
  /** The loop's own CPU over the last 60 s as a share of one core; null until measured. */
  readonly cpuShare: number | null;
  /** Why the loop polls although events are configured; "" when it does not. */
  readonly eventReason: string;
  /** What reports changes, and why something does not; empty while the loop does not ask for events. */
  readonly sources: readonly { readonly id: string; readonly works: boolean; readonly reason: string }[];
  /** The last recheck was within two periods, or two rechecks and their pauses where these take longer; true while it is off. */
  readonly fresh: boolean;
  /** Whole seconds since the last recheck; 0 while fresh. */
  readonly staleSec: number;
  /** Milliseconds since the newest recheck has ended well, or a look has shown that none is needed; 0 while the loop is off. */
  readonly quietMs: number;
}

interface RecheckFacts {
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
  readonly status: number;
  /** "" when good; else why the probe fails. */
  readonly reason: string;
  readonly magazineOk: boolean;
  readonly dnsGreen: number;
  readonly dnsTotal: number;
  /** Chain verifies and more than 14 days left. */
  readonly certificateReady: boolean;
  /** Whole days the certificate lasts; null without one. */
  readonly certificateDays: number | null;
  /** When it ends, milliseconds since the epoch; null without one. */
  readonly certificateEndsMs: number | null;
  /** When the site was probed, milliseconds since the epoch; null before. */
  readonly probedMs: number | null;
  /** The last probe failed for the first time and is about to be repeated. */
  readonly isFailing: boolean;
  /** What could be done about names, certificate and magazine, each a phrase. */
  readonly advice: readonly string[];
}

/** A site of `[[sites]]`. */
export interface FurtherFacts {
  readonly name: string;
  readonly url: string;
  readonly state: 'up' | 'down' | 'unknown';
  readonly isProbed: boolean;
  /** The last probe failed for the first time and is about to be repeated. */
  readonly isFailing: boolean;
  /** "" when it is up; else why not. */
  readonly reason: string;
  /** Whole days its certificate lasts; null without one. */
  readonly certificateDays: number | null;
  /** What could be done about its certificate, each a phrase. */
  readonly advice: readonly string[];
}

export interface MailFacts {
  readonly configured: boolean;
  readonly passwordSet: boolean;
  readonly clientRunning: boolean;
  /** Within its cap: no person was left out. */
  readonly finite: boolean;
  readonly people: number;
  readonly messages: number;
  readonly sources: readonly MailSource[];
  /** Why the ledger is not kept as it should be, "" when it is or without configuration. */
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
  readonly identities: number;
  /** Those of A seen again since. */
  readonly seenAgain: number;
  readonly rows: number;
  /** Learned rows that a person should still review. */
  readonly toReview: number;
  /** Running identities that are in A. */
  readonly runningKnown: number;
  readonly windowOpen: boolean;
}

interface GateFacts {
  readonly state: 'pass' | 'fail';
  readonly god: number;
  /** Generation number of B. */
  readonly observation: number;
  readonly lastRun: { readonly at: string; readonly steps: readonly GateStep[] } | null;
  /** Observation of a clean gate differs from A. */
  readonly differs: boolean;
}

/** What the store no longer keeps, counted. */
export interface Dropped {
  readonly findings: Readonly<Record<Severity, number>>;
  readonly gateRuns: number;
  /** Lines of findings' histories that were never stored. */
  readonly lines: number;
  /** Rows of residue: what the scars of a run of the gate touched. */
  readonly residue: number;
  /** Time of the newest drop, RFC 3339; "" without drops. */
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
  readonly deskHttps: number;
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

/** What features add to the facts. */
export interface FeatureFacts {
  readonly site: SiteFacts;
  readonly sites: readonly FurtherFacts[];
  readonly mail: MailFacts;
  readonly assistant: AssistantFacts;
  /** The last reading of the state of the machine; null before the first one. */
  readonly vitals: VitalsFacts | null;
  readonly alerts: AlertFacts;
}

/** The facts of a desk without these features. */
export const NO_FACTS: FeatureFacts = {
  site: {
    configured: false,
    name: '',
    url: '',
    status: 0,
    reason: 'this build of the desk does not probe the site',
    magazineOk: false,
    dnsGreen: 0,
    dnsTotal: 0,
    certificateReady: false,
    certificateDays: null,
    certificateEndsMs: null,
    probedMs: null,
    isFailing: false,
    advice: [],
  },
  sites: [],
  mail: {
    configured: false,
    passwordSet: false,
    clientRunning: false,
    finite: true,
    people: 0,
    messages: 0,
    sources: [],
    trouble: '',
    advice: [],
    exportPath: '',
  },
  assistant: { place: 'none', pids: 0 },
  vitals: null,
  alerts: { targets: [], heartbeats: [], quiet: null },
};

export interface DeskFacts extends FeatureFacts {
  readonly config: Config;
  /** Why the last reload kept the previous configuration, one phrase; "" when it did not. */
  readonly configTrouble: string;
  /** Local date of the configuration file `YYYY-MM-DD`; "" without a file. */
  readonly configDate: string;
  /** Why the office is not on port 80, an error code; "" where it is, or where the configuration names another port. */
  readonly officeRefusal: string;
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
  readonly baseline: BaselineFacts;
  readonly gate: GateFacts;
  readonly dropped: Dropped;
  readonly shortLived: ShortLived;
  readonly egress: EgressFacts;
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

export interface DeskState {
  readonly snapshot: Snapshot;
  readonly judgement: Judgement;
  /** The recheck that made it, whole µs: sweep, judge and confirm; or detecting that nothing changed. */
  readonly recheckUs: number;
  /** Gathered when they are first read, which costs more than many a recheck. */
  readonly desk: DeskFacts;
}
