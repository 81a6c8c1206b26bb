/** What the checks judge by, as data; made from `law.toml` and the accepted findings in src/features/law. */
import type { Severity } from './severity.ts';

interface Expiring {
  /** Milliseconds since the epoch; null = never. */
  readonly expiresMs: number | null;
}

/** It has ended and has no effect any more. */
export const hasEnded = ({ expiresMs }: Expiring, nowMs: number): boolean =>
  expiresMs !== null && expiresMs <= nowMs;

/** Listeners that need not be learned. */
export interface AllowedListener extends Expiring {
  readonly ports: readonly number[];
  readonly protocol: 'tcp' | 'udp';
  readonly scope: 'loopback' | 'public' | 'any';
  /** Path of the holder's executable; "" = any. */
  readonly executable: string;
  readonly why: string;
}

export interface Law {
  /** `built-in 1`, else a digest of what is in force. */
  readonly version: string;
  readonly bannedPorts: ReadonlySet<number>;
  readonly allowedListeners: readonly AllowedListener[];
  /** Why a fail is not a finding: first the user's exceptions, then what was accepted, then named benign causes. */
  readonly suppressions: readonly Suppression[];
  /** A zombie this old is residue, seconds. */
  readonly zombieSec: number;
  /** A parent may be missing this long before the child counts as orphaned, seconds. */
  readonly orphanSec: number;
  /** A process this old counts when it maps a deleted library, seconds. */
  readonly librarySec: number;
  /** A baseline older than this is reported, days. */
  readonly learningDays: number;
  /** A learning window open for longer is reported, minutes. */
  readonly windowMin: number;
  /** `system`: what the system installed is learned automatically. */
  readonly autoLearn: 'off' | 'system';
  /** Limits of the state of the machine. */
  readonly vitals: VitalLimits;
}

/** 0: not judged. */
export interface VitalLimits {
  /** Less space than both is a concern. */
  readonly diskFreePercent: number;
  readonly diskFreeGib: number;
  readonly inodesFreePercent: number;
  readonly memoryAvailablePercent: number;
  /** Of the last five minutes. */
  readonly cpuPressurePercent: number;
  readonly memoryPressurePercent: number;
  readonly ioPressurePercent: number;
  readonly temperatureCelsius: number;
  /** Minutes after the start of the machine from which a clock that is not synchronised is a concern. */
  readonly clockUnsynchronisedMin: number;
  readonly failedUnits: number;
  /** Within an hour. */
  readonly oomKills: number;
}

/** An exception of the law. Every field given must match; a text that ends in `*` matches what starts like it. */
export interface Suppression extends Expiring {
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
  readonly source: 'law' | 'accepted' | 'benign';
  /** Name of the benign cause; "" for others. */
  readonly name: string;
  /** An entry that was accepted before entries held the user of a process and the address of a listener. */
  readonly earlier?: true;
}
