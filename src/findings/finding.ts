/** Findings, and the judgement of one snapshot that they are part of. Words: docs/glossary.md. */
import type { AvenueId } from '../checks/check.ts';
import type { NamedProcess } from '../checks/origin.ts';
import type { Subject } from '../checks/subjects.ts';
import type { Missed } from '../checks/unread.ts';
import type { Note, PairCounts } from '../checks/verdicts.ts';
import { BANNED_LISTENER } from '../policy/banned.ts';
import type { Severity } from '../policy/severity.ts';

/** A process as far as it could be read when the finding was made, by the kernel and by its own words. */
export interface ProcessAbout {
  readonly pid: number;
  /** Clock ticks after boot, as text; absent where an earlier version read it. */
  readonly start?: string;
  readonly name: string;
  /** "" when it could not be read. */
  readonly executable: string;
  /** What runs, in a few words: of an interpreter with its script or module. The process chooses these words itself. */
  readonly program: string;
  /** Real uid, null when it could not be read. */
  readonly uid: number | null;
  /** Its name in /etc/passwd; "" without one. */
  readonly user: string;
  /** Null when it has none, or that one has ended. */
  readonly parent: { readonly pid: number; readonly name: string } | null;
  /** Its parents when it was read, the nearest first; none where they have ended. */
  readonly ancestors: readonly NamedProcess[];
  /** The unit of systemd that it belongs to, `user@1000.service/agent.service` of the systemd of a user; "" outside of units. */
  readonly unit: string;
  /** RFC 3339; "" when it is not known. */
  readonly started: string;
  /** Working directory; "" when it could not be read. */
  readonly directory: string;
  /** Command line without secrets, bounded; null when it could not be read or is not to be. */
  readonly command: string | null;
}

/** Pids of its members that a finding names. */
export const MOST_PIDS = 64;

/** Confirmed equal fails: those of one program and user in one class are one finding. */
export interface Finding {
  /** Stable while members come and go (16 hex digits). */
  readonly id: string;
  readonly check: string;
  readonly avenue: AvenueId;
  readonly severity: Severity;
  /** Of several processes the oldest one; summary and evidence are of it. */
  readonly subject: Subject;
  /** Everything that fails so. Pids of processes, the subject's first, at most `MOST_PIDS`; of anything else 1 and none. */
  readonly members: {
    readonly count: number;
    readonly pids: readonly number[];
    /** It stays open for a time without any, also after a restart. */
    readonly comeAndGo?: true;
  };
  /** One sentence a person can act on. */
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
  /** The process that it is about, or that holds the listener; null while that was not read, and for other subjects. */
  readonly about: ProcessAbout | null;
  /** Which of the ways to fail its check; "" when there is only one. */
  readonly evidenceClass: string;
  /** RFC 3339. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Why this may be benign. */
  readonly benign: string;
  /** What to do, one phrase without semicolon; "" when unknown. */
  readonly remedy: string;
  /** Severity medium or above and explained by neither baseline nor law. */
  readonly scar: boolean;
}

/** Why a fail counts as passed. */
export interface Explanation {
  readonly source: 'law' | 'accepted' | 'benign' | 'baseline';
  /** Of the benign cause; "" for others. */
  readonly name: string;
  readonly why: string;
}

/** A fail that counts as passed, because law or baseline explain it. */
export type Suppressed = Explanation & Pick<Finding, 'check' | 'avenue' | 'severity' | 'subject' | 'summary'>;

/** An entry of what was accepted, with the id that takes it back. */
export interface Accepted {
  readonly id: string;
  /** Conditions, all of which hold for a finding that it covers. */
  readonly covers: readonly { readonly key: string; readonly value: string }[];
  readonly why: string;
  /** Milliseconds since the epoch; null = never. */
  readonly expiresMs: number | null;
  /** When it was accepted; null for an entry that does not say so. */
  readonly acceptedMs: number | null;
}

/** What accepting a finding has done: `spared` means only that the listener is not shut down. */
export interface Accepting extends Pick<Accepted, 'id' | 'covers'> {
  readonly effect: 'explained' | 'spared';
}

export interface Avenue {
  readonly id: AvenueId;
  readonly name: string;
  readonly open: boolean;
  readonly detail: string;
}

export interface Judgement extends PairCounts {
  /** Generation of the snapshot judged. */
  readonly generation: number;
  /** (tier-1 check, applicable subject) pairs: pass + fail + blind. */
  readonly megaN: number;
  /** The catalogue that was judged by. */
  readonly checks: readonly { readonly id: string; readonly avenue: AvenueId }[];
  readonly findings: readonly Finding[];
  /** By the id of a finding the keys of all its members (`memberKey`), however many they are. */
  readonly members: ReadonlyMap<string, Pick<ReadonlySet<string>, 'has'>>;
  readonly notes: readonly Note[];
  /** Startup places that the last scan could not read, and a later one may. */
  readonly missed: readonly Missed[];
  /** Those that an error hid from it. */
  readonly refused: readonly Missed[];
  readonly suppressed: readonly Suppressed[];
  /** Pairs of all tiers. */
  readonly everyTier: PairCounts;
  /** The six, in the order of AVENUE_IDS. */
  readonly avenues: readonly Avenue[];
  /** Findings that are scars. */
  readonly scars: readonly Finding[];
  /** Would be scars but were seen only once: not reported and not learned. */
  readonly unconfirmed: readonly Finding[];
  /** Sum over findings of 1, 3, 9, 27 by severity. */
  readonly openScore: number;
  /** Share of checks with neither finding nor blind, 0..1. */
  readonly quietShare: number;
}

/** What accepting a finding would do. */
export interface Acceptance {
  readonly effect: 'explained' | 'spared' | 'never';
  /** Repeated when accepting, so that only what was shown is covered: 12 hex digits, the id of the entry. */
  readonly id: string;
  /** Conditions of the exception, all of which hold for a finding that it covers; none for `never`. */
  readonly covers: Accepted['covers'];
}

/** The check whose findings are files that an ended run of the desk left. */
export const STALE_FILE = 'stale-runtime-file';

/** Checks with a remedy of the desk; of the findings of all others it only says what a person could do. */
export const REMEDIED: ReadonlySet<string> = new Set([BANNED_LISTENER, STALE_FILE]);

/** Must outlive a crash and a flood of others. */
export const isGrave = ({ severity }: Pick<Finding, 'severity'>): boolean =>
  severity === 'high' || severity === 'critical';

/** `1 scar`, `2 scars`. */
export const scarsText = (count: number): string => `${count} ${count === 1 ? 'scar' : 'scars'}`;

/** A finding with its history. */
export interface KnownFinding {
  readonly finding: Finding;
  readonly history: readonly { readonly at: string; readonly event: string }[];
}
