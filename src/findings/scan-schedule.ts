/**
 * Scheduled scans: every check of tier 3, one after another, a while after the start, then each period, and on request. A verdict
 * is valid until the next scan. A check that finds something scans again sooner, so that what is gone does not stay a finding.
 */
import type { CachedVerdicts } from '../checks/cached-verdicts.ts';
import { type Check, type CheckContext, isScan, type ScanCheck } from '../checks/check.ts';
import type { CheckRuns } from '../checks/check-runs.ts';
import { Gathering, type Verdicts } from '../checks/verdicts.ts';
import type { Scans } from '../engine/scheduled-scans.ts';
import { findingId } from './finding-id.ts';

/** Startup is busy enough. */
const FIRST_AFTER_MS = 1_000;
/** Checks that found something scan again after this time. */
const FOUND_AGAIN_MS = 60_000;

interface ScanScheduleOptions {
  readonly checks: readonly Check[];
  readonly scans: Scans;
  /** What the checks judge by just now; null before the first state. */
  readonly context: () => CheckContext | null;
  readonly cached: Pick<CachedVerdicts, 'set'>;
  readonly runs?: CheckRuns | undefined;
  /** Whether a finding of the check is open: what the law suppresses is not. */
  readonly isOpen: (check: ScanCheck) => boolean;
  /** Called after a pass that changed any result. */
  readonly changed: () => void;
  readonly everyMs: number;
  readonly firstAfterMs?: number;
  readonly foundAgainMs?: number;
}

/** The checks of a pass: those of the schedule, those with open findings, or all. */
type Pass = 'scheduled' | 'found' | 'all';

export class ScanSchedule {
  readonly #options: ScanScheduleOptions;
  readonly #checks: readonly ScanCheck[];
  readonly #stop = new AbortController();
  /** The last result of each check. */
  readonly #said = new Map<ScanCheck, string>();
  readonly #found = new Set<ScanCheck>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #asked: Promise<void> | null = null;
  /** Monotonic ms at which the next pass of the schedule is due. */
  #dueMs = 0;

  constructor(options: ScanScheduleOptions) {
    this.#options = options;
    this.#checks = options.checks.filter(isScan);
  }

  /** Every check of the schedule has scanned at least once. */
  get complete(): boolean {
    return this.#checks.every((check) => check.onDemand === true || this.#said.has(check));
  }

  start(): void {
    this.#dueMs = performance.now() + (this.#options.firstAfterMs ?? FIRST_AFTER_MS);
    this.#arm();
  }

  /** Runs every check, those on demand too, in a pass that starts now or when the running one has ended. */
  runAll(): Promise<void> {
    this.#asked ??= (async () => {
      await this.#running;
      this.#asked = null;
      await this.#begin('all');
    })();
    return this.#asked;
  }

  /** No further pass starts; resolves when the running scan has ended, within some 20 ms. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
    this.#options.scans.close?.();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    const nowMs = performance.now();
    const again = this.#found.size > 0 ? nowMs + (this.#options.foundAgainMs ?? FOUND_AGAIN_MS) : this.#dueMs;
    const pass = again < this.#dueMs ? 'found' : 'scheduled';
    this.#timer = setTimeout(() => void this.#begin(pass), Math.max(0, Math.min(again, this.#dueMs) - nowMs));
    this.#timer.unref();
  }

  /** Never rejects, never two at a time: a call while a pass runs gets that pass. */
  #begin(pass: Pass): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    this.#running ??= this.#pass(pass).finally(() => {
      this.#running = null;
      this.#arm();
    });
    return this.#running;
  }

  async #pass(pass: Pass): Promise<void> {
    const { everyMs, isOpen, changed } = this.#options;
    if (pass !== 'found') this.#dueMs = performance.now() + everyMs;
    const wanted = this.#checks.filter(
      (check) =>
        pass === 'all' ||
        (check.onDemand !== true && (pass === 'scheduled' || (this.#found.has(check) && isOpen(check)))),
    );
    let news = false;
    for (const check of wanted) news = (await this.#scan(check)) || news;
    if (news && !this.#stop.signal.aborted) changed();
  }

  /** Whether its result changed. */
  async #scan(check: ScanCheck): Promise<boolean> {
    const { context, cached } = this.#options;
    const now = context();
    if (this.#stop.signal.aborted || now === null) return false;
    const verdicts = await this.#verdictsOf(check, now);
    if (verdicts === null) return false;
    cached.set(check.id, verdicts);
    if (verdicts.fails.length > 0 && check.onDemand !== true) this.#found.add(check);
    else this.#found.delete(check);
    const said = JSON.stringify([verdicts.fails.map(findingId), verdicts.notes]);
    const before = this.#said.get(check);
    this.#said.set(check, said);
    return said !== before;
  }

  /** Null when the scan was aborted. */
  async #verdictsOf(check: ScanCheck, context: CheckContext): Promise<Verdicts | null> {
    const { scans, runs } = this.#options;
    const { signal } = this.#stop;
    const gathering = new Gathering({ confirmed: true, runs });
    await gathering.wait(check, async (report) => {
      try {
        await check.scan({ ...context, scans }, report, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    return signal.aborted ? null : gathering.verdicts();
  }
}
