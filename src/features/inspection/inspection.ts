/** Tier 2: helpers that inspect processes, and the check of the desk's own connections. */
import type { Logger } from 'pino';
import type { CachedVerdicts } from '../../checks/cached-verdicts.ts';
import type { Check } from '../../checks/check.ts';
import type { CheckRuns } from '../../checks/check-runs.ts';
import { listenerOf } from '../../checks/subjects.ts';
import type { Config } from '../../config/schema.ts';
import type { Allowlist } from '../../egress/allowlist.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import type { Law } from '../../policy/law.ts';
import type { Note } from '../../privileges/child.ts';
import type { DeskState } from '../../records/state.ts';
import type { Learning } from '../baseline/index.ts';
import type { FindingHistory } from '../history/index.ts';
import type { Shutdowns } from '../remedies/index.ts';
import { Contents } from './contents.ts';
import { Describer } from './describer.ts';
import { digestHelper } from './digests.ts';
import { EgressWatch } from './egress-watch.ts';
import { Helper } from './helper.ts';
import { Inspector, type PeekTotals } from './inspector.ts';
import { proven } from './proven-helper.ts';

/** How long a command waits for the first inspection of every process, and for the descriptions in its findings. */
const FIRST_PASS_MS = 5_000;
const DESCRIBED_MS = 2_000;

interface TierTwoOptions {
  readonly checks: readonly Check[];
  readonly law: () => Law;
  readonly learning: () => Pick<Learning, 'known' | 'gathers'>;
  readonly allow: Allowlist;
  readonly cached: CachedVerdicts;
  readonly runs: CheckRuns;
  /** A fail or note was added or removed: the next recheck reports it. */
  readonly changed: () => void;
  /** Called with the pid of every started helper. */
  readonly note: Note;
  /** As `Engine.takeExecuted`. */
  readonly executed: () => Int32Array | null;
  readonly log: Logger;
  readonly privacy: Config['privacy'];
  readonly tables: { readonly findings: FindingHistory; readonly shutdowns: Shutdowns };
}

export class TierTwo {
  readonly #inspector: Inspector;
  readonly #egress: EgressWatch;
  readonly #describer: Describer;
  readonly contents: Contents;

  constructor(options: TierTwoOptions) {
    const { learning, privacy, tables, note } = options;
    this.contents = new Contents({
      ...options,
      known: () => learning().known,
      learns: () => learning().gathers,
      helper: () => digestHelper(note),
    });
    this.#inspector = new Inspector({
      ...options,
      inspected: (...read) => this.contents.inspected(...read),
      helper: () => proven(new Helper({ note })),
    });
    this.#egress = new EgressWatch(options);
    const commandLines = privacy.command_lines;
    if (commandLines === 'never')
      for (const table of [tables.findings, tables.shutdowns]) table.forgetCommandLines();
    const open = tables.findings.open() ?? [];
    this.#describer = new Describer({ ...options, commandLines, open, helper: () => new Helper({ note }) });
  }

  start(): void {
    this.#inspector.start();
  }

  /** To be called while the snapshot's columns are valid; results are in the next recheck. */
  watch({ snapshot }: DeskState, dirty: Int32Array | null): void {
    this.contents.compareAgain();
    this.#inspector.watch(snapshot, dirty);
    if (this.#inspector.complete) this.contents.allSeen();
    this.#egress.watch(snapshot);
  }

  /** A snapshot that shows what the last one showed. `dirty`: pids with an event, which may have executed the same program again. */
  unchanged(snapshot: Snapshot, dirty: Int32Array | null): void {
    this.#inspector.watch(snapshot, dirty);
  }

  get attach(): Describer['attach'] {
    return (changes, snapshot) => this.#describer.attach(changes, snapshot);
  }

  /** Who holds the listener of a finding, read now; null when unknown. */
  async holder({ subject }: Finding, { snapshot }: DeskState): Promise<ProcessAbout | null> {
    const holder = listenerOf(subject, snapshot)?.holders[0];
    return holder === undefined ? null : this.#describer.now(snapshot, holder.pid);
  }

  /** As `Inspection.about`. */
  about(...asked: Parameters<Describer['one']>): ReturnType<Describer['one']> {
    return this.#describer.one(...asked);
  }

  /** As `Inspection.programs`. */
  programs(...asked: Parameters<Describer['programs']>): ReturnType<Describer['programs']> {
    return this.#describer.programs(...asked);
  }

  /** Every process of the first state was inspected, or cannot be. */
  get complete(): boolean {
    return this.#inspector.complete && this.contents.complete;
  }

  /** Why processes cannot be inspected; "" when they can. */
  get trouble(): string {
    return this.#inspector.trouble;
  }

  get totals(): PeekTotals {
    return this.#inspector.totals;
  }

  /** Waits for the first inspections, at most some seconds; `recheck` judges what they read. */
  async firstInspection(recheck: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.#inspector.firstPass(FIRST_PASS_MS), this.#egress.settled()]);
    await this.contents.settled(FIRST_PASS_MS);
    await recheck();
    await this.#describer.settled(DESCRIBED_MS);
  }

  inspectAll(): Promise<void> {
    return this.#inspector.inspectAll();
  }

  async close(): Promise<void> {
    await Promise.all([this.#inspector.close(), this.contents.close(), this.#describer.close()]);
  }
}
