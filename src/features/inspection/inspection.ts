/** The checks of tier 2 at work: the helpers that look into processes, and the watch over the desk's own connections. */
import type { Logger } from 'pino';
import type { CachedVerdicts } from '../../checks/cached-verdicts.ts';
import type { Check } from '../../checks/check.ts';
import type { CheckRuns } from '../../checks/check-runs.ts';
import { listenerOf } from '../../checks/subjects.ts';
import type { Config } from '../../config/schema.ts';
import type { Allowlist } from '../../egress/allowlist.ts';
import { instantAt } from '../../engine/assemble.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import type { Law } from '../../policy/law.ts';
import type { Note } from '../../privileges/child.ts';
import type { Moment } from '../../records/moment.ts';
import type { Learning } from '../baseline/index.ts';
import type { FindingHistory } from '../history/index.ts';
import type { Shutdowns } from '../remedies/index.ts';
import { EgressWatch } from '../site/index.ts';
import { Contents } from './contents.ts';
import { Describer } from './describer.ts';
import { Peeker, type PeekTotals } from './peeker.ts';

/** How long a command waits for the first look into every process. */
const FIRST_LOOK_MS = 5_000;
/** And for the processes of what was found. */
const DESCRIBED_MS = 2_000;

interface TierTwoOptions {
  readonly checks: readonly Check[];
  readonly law: () => Law;
  readonly learning: () => Pick<Learning, 'known' | 'gathers'>;
  readonly allow: Allowlist;
  readonly cached: CachedVerdicts;
  readonly runs: CheckRuns;
  /** A fail or note has come or gone: the next recheck will tell. */
  readonly changed: () => void;
  /** Told of every helper that is started. */
  readonly note: Note;
  readonly log: Logger;
  readonly privacy: Config['privacy'];
  readonly tables: { readonly findings: FindingHistory; readonly shutdowns: Shutdowns };
}

export class TierTwo {
  readonly #peeker: Peeker;
  readonly #egress: EgressWatch;
  readonly #describer: Describer;
  /** What runs against what was learned. */
  readonly contents: Contents;

  constructor(options: TierTwoOptions) {
    const { learning } = options;
    const known = () => learning().known;
    this.contents = new Contents({ ...options, known, learns: () => learning().gathers });
    this.#peeker = new Peeker({ ...options, saw: (...seen) => this.contents.saw(...seen) });
    this.#egress = new EgressWatch(options);
    const { privacy, tables, note, changed, log } = options;
    const commandLines = privacy.command_lines === 'findings';
    if (!commandLines) for (const table of [tables.findings, tables.shutdowns]) table.forgetCommandLines();
    const time = (epochMs: number) => offsetTime(instantAt(epochMs));
    const open = tables.findings.open() ?? [];
    this.#describer = new Describer({ commandLines, time, changed, note, log, open });
  }

  start(): void {
    this.#peeker.start();
  }

  /** Takes a new moment, while its columns hold; what it leads to is told to the next recheck. */
  watch({ snapshot }: Moment, dirty: Int32Array | null): void {
    this.contents.compareAgain();
    this.#peeker.watch(snapshot, dirty);
    if (this.#peeker.complete) this.contents.allSeen();
    this.#egress.watch(snapshot);
  }

  /** Findings with the processes that they are about (Describer). */
  get attach(): Describer['attach'] {
    return (changes, snapshot) => this.#describer.attach(changes, snapshot);
  }

  /** Who holds the listener of a finding, read now; null when that cannot be told. */
  async holder({ subject }: Finding, { snapshot }: Moment): Promise<ProcessAbout | null> {
    const holder = listenerOf(subject, snapshot)?.holders[0];
    return holder === undefined ? null : this.#describer.one(snapshot, holder.pid);
  }

  /** Every process of the first moment was looked into, or cannot be. */
  get complete(): boolean {
    return this.#peeker.complete && this.contents.complete;
  }

  /** Why processes cannot be looked into; "" when they can. */
  get trouble(): string {
    return this.#peeker.trouble;
  }

  get totals(): PeekTotals {
    return this.#peeker.totals;
  }

  /** Waits some seconds at most for the first looks; `look` makes another moment, which decides on what was seen. */
  async firstLook(look: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.#peeker.firstRound(FIRST_LOOK_MS), this.#egress.settled()]);
    await this.contents.settled(FIRST_LOOK_MS);
    await look();
    await this.#describer.settled(DESCRIBED_MS);
  }

  /** Looks into every process once more. */
  lookAtAll(): Promise<void> {
    return this.#peeker.lookAtAll();
  }

  /** Resolves within a second. */
  async close(): Promise<void> {
    await Promise.all([this.#peeker.close(), this.contents.close(), this.#describer.close()]);
  }
}
