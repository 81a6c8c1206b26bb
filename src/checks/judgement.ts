/** The outcome of the checks over one snapshot. Words: docs/glossary.md. */

export const AVENUE_IDS = [
  'inject_clip',
  'public_listen',
  'unknown_local',
  'new_comm',
  'scar',
  'secure_learn',
] as const;
export type AvenueId = (typeof AVENUE_IDS)[number];

/** From the least to the most severe. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** 0 for the least severe. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** The most severe first, equals in their order. */
export const mostSevereFirst = <T extends { readonly severity: Severity }>(findings: readonly T[]): T[] =>
  [...findings].sort((a, b) => severityRank(b.severity) - severityRank(a.severity));

export interface ProcessSubject {
  readonly kind: 'process';
  readonly pid: number;
  /** Clock ticks after boot, as text: with the pid it is that process or none. */
  readonly start: string;
  readonly comm: string;
  readonly executable: string;
  /** What the baseline knows it by. */
  readonly identity: string;
  /** Real uid, null when it could not be read. */
  readonly uid: number | null;
  /** Effective uid where that is another one, as of a setuid program. */
  readonly euid?: number;
}

export interface ListenerSubject {
  readonly kind: 'listener';
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
  readonly inode: number;
  /** Inode of its network namespace where that is not ours. */
  readonly namespace?: number;
}

export type Subject =
  | ProcessSubject
  | ListenerSubject
  | {
      readonly kind: 'file';
      readonly path: string;
      /** Which of several contents that run from there: its digest, or another name that stays while it is there. */
      readonly content?: string;
    }
  | { readonly kind: 'host'; readonly name: string }
  | { readonly kind: 'desk' };

/** Who a process is, as far as it could be read when the finding was made: what the process says of itself, and what the kernel does. */
export interface ProcessAbout {
  readonly pid: number;
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
  /** RFC 3339; "" when it is not known. */
  readonly started: string;
  /** Working directory; "" when it could not be read. */
  readonly directory: string;
  /** Command line without secrets, bounded; null when it could not be read or is not to be. */
  readonly command: string | null;
}

/** Pids that a finding tells of its members. */
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
  readonly members: { readonly count: number; readonly pids: readonly number[] };
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
  /** What to do, one phrase without semicolon; "" when nothing is known. */
  readonly remedy: string;
  /** Severity medium or above and explained by neither baseline nor law. */
  readonly scar: boolean;
}

/** All blinds of one check and one reason. Opens its avenue, never counts as a scar. */
export interface Note {
  readonly check: string;
  readonly avenue: AvenueId;
  readonly reason: string;
  /** What would cure it. */
  readonly cure: string;
  readonly subjects: number;
}

/** Why a fail counts as passed. */
export interface Explanation {
  readonly source: 'law' | 'accepted' | 'benign' | 'baseline';
  /** Of the benign cause; "" for others. */
  readonly name: string;
  readonly why: string;
}

/** A fail that counts as passed, because law or baseline explain it. */
export interface Excused extends Explanation {
  readonly check: string;
  readonly avenue: AvenueId;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly summary: string;
}

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

/** What accepting a finding has done: `spared` only keeps the listener from being shut down. */
export interface Accepting extends Pick<Accepted, 'id' | 'covers'> {
  readonly effect: 'explained' | 'spared';
}

/** (check, subject) pairs. */
export interface PairCounts {
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
}

export interface Avenue {
  readonly id: AvenueId;
  readonly name: string;
  readonly open: boolean;
  readonly detail: string;
}

export interface Judgement {
  /** Generation of the snapshot judged. */
  readonly generation: number;
  /** (tier-1 check, applicable subject) pairs: megaN = pass + fail + blind. */
  readonly megaN: number;
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
  /** The catalogue that was judged by. */
  readonly checks: readonly { readonly id: string; readonly avenue: AvenueId }[];
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  readonly excused: readonly Excused[];
  /** Pairs of all tiers. */
  readonly everyTier: PairCounts;
  /** The six, in the order of AVENUE_IDS. */
  readonly avenues: readonly Avenue[];
  /** Findings that are scars. */
  readonly scars: readonly Finding[];
  /** What would be a scar and was seen once only: nothing to tell, and nothing to learn from. */
  readonly unconfirmed: readonly Finding[];
  /** Sum over findings of 1, 3, 9, 27 by severity. */
  readonly openScore: number;
  /** Share of checks with neither finding nor blind, 0..1. */
  readonly quietShare: number;
}
