/** One desk, as HTTP, pages and the command line see it. `src/service/desk-service.ts` makes it of engine, checks, gate, store and facts. */

import type { EventEmitter } from 'node:events';
import type { AllowSource } from '../checks/allowed-listeners.ts';
import type { Config } from '../config/schema.ts';
import type { Assistant } from '../features/assistant/index.ts';
import type { AcceptedEntries, KnownFinding } from '../features/law/index.ts';
import type { Mail, People } from '../features/mail/index.ts';
import type { Accepting, Finding } from '../findings/finding.ts';
import type { GateStep } from '../findings/pipeline.ts';
import type { Difference } from '../records/baseline-diff.ts';
import type { RemedyTold } from '../records/cook.ts';
import type { LearnedGeneration } from '../records/learned.ts';
import type { HistorySpan, Sample } from '../records/measures.ts';
import type { DeskFacts, ListenerRole, Moment, ServiceListener } from '../records/moment.ts';
import type { Quarantined } from '../records/quarantine.ts';
import type { PastRun } from '../records/scar-runs.ts';
import type { SiteLine, SiteProbe } from '../records/site-probe.ts';
import type { HostessAnswer } from '../records/talk.ts';

/** How fresh a moment a caller wants. */
export interface Freshness {
  /**
   * Accept the current moment if it is at most this old; otherwise sweep, or join the sweep that runs. Default: until it is
   * stale while the loop runs, else 0.
   */
  readonly maxAgeMs?: number;
}

export interface ScarRun {
  readonly moment: Moment;
  readonly steps: readonly GateStep[];
}

export interface CookRun extends ScarRun {
  readonly mode: 'check' | 'cook';
  readonly remedies: readonly RemedyTold[];
}

export interface DeskEvents {
  moment: [Moment];
  finding: [Finding, 'open' | 'closed'];
}

export interface Desk {
  readonly config: Config;
  readonly events: EventEmitter<DeskEvents>;
  readonly people: People;
  readonly mail: Mail;
  readonly assistant: Assistant;
  /** The newest finished moment, null before the first sweep. */
  latest(): Moment | null;
  /** Single-flight: concurrent callers share one sweep. */
  moment(freshness?: Freshness): Promise<Moment>;
  /** Runs cook, scar check and gate over a fresh sweep; touches nothing outside the store. */
  scarCheck(): Promise<ScarRun>;
  /** `check` says what cook-off would do; `cook` does it. `only`: ids of the findings that it may work on, others are left. */
  cook(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun>;
  /** Runs of the gate, newest first; none where the store cannot be read. */
  gateRuns(limit: number): readonly PastRun[];
  /** A finding with its history; undefined when unknown. */
  finding(id: string): KnownFinding | undefined;
  /**
   * A full antivirus pass: every tier looks once, what is gone closes, a dirty banned listener is shut down. `check` looks as
   * much, and says what cook-off would do then.
   */
  avClose(mode: 'check' | 'cook'): Promise<CookRun>;
  /** Sets stale files of our own aside; `resolute` also shuts banned listeners down. */
  fieldClear(mode: 'soft' | 'resolute'): Promise<CookRun>;
  /** What was set aside. */
  readonly quarantine: {
    /** Path of its folder. */
    readonly folder: string;
    list(): readonly Quarantined[];
    /** Gives a file back under its old name. */
    restore(id: string): Quarantined;
    /** Deletes one entry, or those set aside at least so long ago; what was deleted. */
    purge(choice: { readonly id: string } | { readonly olderThanSec: number }): readonly Quarantined[];
  };
  readonly baseline: {
    /** B into A after a clean gate, else refused with the scars named; with `windowMin` opens a learning window of so many minutes. */
    learn(windowMin?: number): Promise<LearnedGeneration>;
    /** What the observation has and the held generation has not, and the other way round. */
    difference(): Promise<Difference>;
    /** Makes a new generation with the rows of an old one, whose digest must verify. */
    restore(generation: number): Promise<LearnedGeneration>;
    /** What was learned and is marked for review has been looked through: how many rows. */
    reviewed(): Promise<{ readonly generation: number; readonly rows: number }>;
  };
  /**
   * Excuses an open finding and what is like it, until `expires` (RFC 3339); resolves when a recheck has seen that. A banned
   * listener is only kept from being shut down. Unknown ids are `not-found`, closed findings, those that nothing excuses and those
   * that `accepts` (`Acceptance.id`, as it was shown) does not cover any more `refused`, a time that is over `usage`.
   */
  accept(finding: string, accepts: string, why: string, expires?: string): Promise<Accepting>;
  readonly accepted: AcceptedEntries;
  /** Reported by the service: why a reload kept this configuration, one phrase; "" when it is in order again. */
  configRefused(why: string): void;
  /** Reads the files of the law now; true when another law is in force since. */
  reloadLaw(): Promise<boolean>;
  /** The public site: the last look at it, null before, and its history, newest first. */
  site(): Promise<{
    readonly moment: Moment;
    readonly probe: SiteProbe | null;
    readonly history: readonly SiteLine[];
  }>;
  /** What the charts are drawn from, oldest first, broken where nothing was sampled. */
  history(span: HistorySpan): readonly Sample[];
  /** What of law and baseline vouches for each listener of a moment. */
  allowSources(moment: Moment): readonly AllowSource[];
  /** Of people she tells only where the caller may know them, which a token shows. */
  think(
    message: string,
    asker?: { readonly mayKnowPeople: boolean },
  ): Promise<HostessAnswer & { readonly moment: Moment }>;
  /** Told by the HTTP layer which listeners stand. */
  setListener(listener: ServiceListener): void;
  /** Looks once more, at the site too: called when the listeners stand. */
  settle(): Promise<void>;
  listener(role: ListenerRole): ServiceListener;
  /** False with the reason while a part is down; feeds /readyz. */
  readiness(): {
    readonly ready: boolean;
    readonly parts: Readonly<Record<string, { readonly ok: boolean; readonly reason: string }>>;
  };
  facts(): Pick<DeskFacts, 'urls' | 'service' | 'loop'>;
  /** Figures of the engine in the text format of Prometheus. */
  metrics(): Promise<{ readonly text: string; readonly type: string }>;
  /** Stops loop, timers and workers. The store is closed by whoever opened it. */
  close(): Promise<void>;
}
