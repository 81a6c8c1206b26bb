/**
 * Scheduled scans: every check of tier 3, one after another, a while after the start, then each period, and on request. A verdict
 * is valid until the next scan. A check that finds something scans again sooner, so that what is gone does not stay a finding.
 */
import type { CachedVerdicts } from '../checks/cached-verdicts.ts';
import {
  type Check,
  type CheckContext,
  type CheckScans,
  isQuick,
  isScan,
  type ScanCheck,
} from '../checks/check.ts';
import type { CheckRuns } from '../checks/check-runs.ts';
import { Gathering, type Verdicts } from '../checks/verdicts.ts';
import { findingId } from './finding-id.ts';

/** Startup is busy enough. */
const FIRST_AFTER_MS = 1_000;
/** Checks that found something scan again after this time. */
const FOUND_AGAIN_MS = 60_000;

interface ScanScheduleOptions {
  readonly checks: readonly Check[];
  readonly scans: CheckScans;
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

/** The checks of a pass: those of the schedule, those with open findings, those that were asked for, or all. */
type Pass = 'scheduled' | 'found' | 'wanted' | 'all';

export class ScanSchedule {
  readonly #options: ScanScheduleOptions;
  readonly #checks: readonly ScanCheck[];
  readonly #stop = new AbortController();
  /** The last result of each check. */
  readonly #said = new Map<ScanCheck, string>();
  readonly #found = new Set<ScanCheck>();
  readonly #wanted = new Set<ScanCheck>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #asked: Promise<void> | null = null;
  /** Monotonic ms at which the next pass of the schedule is due, and that of the checks that found something. */
  #dueMs = 0;
  #againMs = Number.POSITIVE_INFINITY;
  #completeMs = Number.POSITIVE_INFINITY;

  constructor(options: ScanScheduleOptions) {
    this.#options = options;
    this.#checks = options.checks.filter(isScan);
    // Findings from before the last stop stay open until their check has scanned: nothing is known about them before that. Of checks
    // that are quick too, every recheck judges the listeners of this network namespace.
    for (const check of this.#checks)
      options.cached.set(check.id, {
        ...new Gathering({ confirmed: true }).verdicts(),
        hidden: (id, subject) =>
          id === check.id &&
          !(isQuick(check) && subject.kind === 'listener' && subject.namespace === undefined),
      });
  }

  /** When every check of the schedule had scanned once, monotonic ms; infinity before. */
  get completeMs(): number {
    return this.#completeMs;
  }

  start(): void {
    this.#dueMs = performance.now() + (this.#options.firstAfterMs ?? FIRST_AFTER_MS);
    this.#arm();
  }

  /** Runs every check, those on demand too, in a pass that starts now or when the running one has ended. */
  runAll(): Promise<void> {
    this.#asked ??= (async () => {
      // At least once: before that, this promise is not kept yet.
      do await this.#running;
      while (this.#running !== null);
      this.#asked = null;
      await this.#begin('all');
    })();
    return this.#asked;
  }

  /** Runs these checks in a pass that starts now or when the running one has ended. */
  async runSome(ids: readonly string[]): Promise<void> {
    for (const check of this.#checks) if (ids.includes(check.id)) this.#wanted.add(check);
    while (this.#running !== null) await this.#running;
    if (this.#wanted.size > 0) await this.#begin('wanted');
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
    // Passes that are asked for meanwhile do not put it off.
    if (this.#found.size === 0) this.#againMs = Number.POSITIVE_INFINITY;
    else this.#againMs = Math.min(this.#againMs, nowMs + (this.#options.foundAgainMs ?? FOUND_AGAIN_MS));
    const pass = this.#againMs < this.#dueMs ? 'found' : 'scheduled';
    const nextMs = Math.min(this.#againMs, this.#dueMs);
    this.#timer = setTimeout(() => void this.#begin(pass), Math.max(0, nextMs - nowMs));
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
    if (pass === 'scheduled' || pass === 'all') this.#dueMs = performance.now() + everyMs;
    if (pass !== 'wanted') this.#againMs = Number.POSITIVE_INFINITY;
    const asked = new Set(this.#wanted);
    this.#wanted.clear();
    const wanted = this.#checks.filter(
      (check) =>
        pass === 'all' ||
        asked.has(check) ||
        (check.onDemand !== true &&
          (pass === 'scheduled' || (pass === 'found' && this.#found.has(check) && isOpen(check)))),
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
    if (verdicts.fails.length > 0 && check.onDemand !== true && check.steady !== true) this.#found.add(check);
    else this.#found.delete(check);
    const said = JSON.stringify([verdicts.fails.map(findingId), verdicts.notes]);
    const before = this.#said.get(check);
    this.#said.set(check, said);
    const complete = this.#checks.every((one) => one.onDemand === true || this.#said.has(one));
    if (complete) this.#completeMs = Math.min(this.#completeMs, performance.now());
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
