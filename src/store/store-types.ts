/** What a store is to the rest of the desk. */
import type { Finding, ProcessAbout } from '../findings/finding.ts';
import type { BaselineFacts, Dropped } from '../records/moment.ts';
import type { PastRun } from '../records/scar-runs.ts';
import type { Shutdown } from '../records/shutdowns.ts';
import type {
  BaselineRow,
  Generation,
  HeldRow,
  Integrity,
  LearningWindow,
  NewGeneration,
  ResidueRow,
} from './baseline.ts';
import type { DroppedFinding } from './dropped.ts';
import type { FindingEvent, FindingPast } from './finding-history.ts';
import type { RowCounts } from './generations.ts';
import type { Recovered } from './open.ts';
import type { SiteLines } from './site-lines.ts';
import type { StoredSamples } from './stored-samples.ts';

export interface Standing {
  readonly baseline: Pick<BaselineFacts, 'generation' | 'learnedAt'> & RowCounts;
  /** What the held generation was learned with; "" for generation 0. */
  readonly privilege: string;
  /** Another number once the held generation is another one, or another process wrote. */
  readonly revision: number;
  /** Learning by itself is still to come in this folder. */
  readonly firstUse: boolean;
  readonly window: LearningWindow | null;
  readonly god: number;
  readonly lastRun: PastRun | null;
}

/** Findings that opened and closed, at one time. */
export interface FindingChanges {
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  /** RFC 3339. */
  readonly at: string;
}

/** A line of a finding's history beside those of its openings and closings. */
export interface FindingLine {
  readonly finding: string;
  /** RFC 3339. */
  readonly at: string;
  readonly event: string;
}

/** The process of a finding that is known, read after it opened. */
export interface FindingAbout {
  readonly finding: string;
  readonly about: ProcessAbout;
}

/** A run of the gate with everything that it changes. */
export interface RunRecord {
  readonly run: PastRun;
  /** In the order they happened. */
  readonly changes: readonly FindingChanges[];
  /** C: what the scars of this run touch. */
  readonly residue: readonly ResidueRow[];
  /** Rows of the held generation that the observation shows again. */
  readonly seen: readonly Pick<BaselineRow, 'kind' | 'key'>[];
  /** What was learned by this run; null when nothing was. */
  readonly generation: NewGeneration | null;
  /** Why the open learning window ends with this run; null when it does not. */
  readonly closesWindow: string | null;
}

/** SQLite's own errors (disk full, I/O) throw with their code; the caller degrades the store alone. */
export interface Store {
  /** Set while this folder's earlier database was lost and nothing was learned since. */
  readonly recovered: Recovered | null;
  /** Why all of it is lost with the process, "" for a store in a file. */
  readonly temporary: string;
  /** The held generation A, as the records have it. */
  baseline(): Standing['baseline'];
  generations(): readonly Generation[];
  /** Rows of a generation, by kind, then by key; none for one whose rows were let go. */
  rows(generation: number): readonly HeldRow[];
  /** Whether a generation is the one that was learned. */
  verify(generation: number): Integrity;
  /** The same for the held one, which must be the newest. */
  verifyHeld(): Integrity;
  /** GOD. */
  authoritativeGenerations(): number;
  /** Findings open at the last record, to go on from after a restart. */
  openFindings(): readonly Finding[];
  /** One transaction, in this order: findings that opened and closed, with a line of history each, and lines of findings that are known. */
  recordHistory(steps: readonly (FindingChanges | FindingLine | FindingAbout)[]): void;
  /** Takes the command lines out of what is kept, from the file too. */
  forgetCommandLines(): void;
  /** Banned listeners that are down, the newest first. */
  shutdowns(limit: number): readonly Shutdown[];
  recordShutdown(shutdown: Shutdown): void;
  finding(id: string): { readonly finding: Finding; readonly history: readonly FindingEvent[] } | undefined;
  /** Newest events of all findings first. */
  events(limit: number): readonly (FindingEvent & { readonly finding: string; readonly summary: string })[];
  /** Findings that something happened to since, seconds since the epoch; the newest first. */
  findingsSince(epochSec: number, limit: number): readonly FindingPast[];
  /** Lines after the one of this number, oldest first. */
  linesAfter(number: number, limit: number): readonly (FindingLine & { readonly number: number })[];
  /**
   * One transaction: all of a run or nothing. The number of the generation that it made, null without one. A generation that
   * has a row of the run's own residue is refused, and the run with it.
   */
  recordRun(record: RunRecord): number | null;
  /** One transaction: makes a generation without a run of the gate; its number. */
  addGeneration(generation: NewGeneration): number;
  /** A person has looked through what is marked for review in the held generation. */
  markReviewed(): void;
  /** Opens a learning window, or moves the end of the open one. */
  openWindow(openedMs: number, untilMs: number): void;
  /** What the open window has gathered. */
  windowRows(): readonly BaselineRow[];
  keepWindowRows(rows: readonly BaselineRow[]): void;
  /** Identities and listeners that the open window has no more, and will not have. */
  spoilWindowRows(rows: readonly Pick<BaselineRow, 'kind' | 'key'>[]): void;
  lastGateRun(): PastRun | null;
  /** What every recheck asks for, by one look at the database; the same object while nothing changed. */
  standing(): Standing;
  /** Newest first. */
  gateRuns(limit: number): readonly PastRun[];
  /** What the public site was, and the desk minute by minute. */
  readonly site: Pick<SiteLines, 'list' | 'record'>;
  readonly samples: Pick<StoredSamples, 'list' | 'record'>;
  /** Throws what a write would: another connection holds the file, it is gone, its disk fails. Writes nothing. */
  probe(): void;
  /** What is no longer kept, counted since this database was made; as current as the last `standing`. */
  dropped(): Dropped;
  /** Counts findings, and lines of history, that were never written, because the store took nothing for too long. `at` is RFC 3339. */
  recordUnwritten(
    findings: readonly (DroppedFinding & { readonly count: number })[],
    lines: number,
    at: string,
  ): void;
  /** Bytes of the database and its log. */
  sizeBytes(): number;
  close(): void;
}
