/**
 * The slow looks: every check of tier 3, one after another, a while after the start, then each period, and when somebody asks.
 * What they say stands until they look again. While one of them finds something it looks again sooner, so that what is gone
 * does not stay a finding.
 */
import type { CachedVerdicts } from '../checks/cached-verdicts.ts';
import { type Check, type CheckContext, isScan, type ScanCheck } from '../checks/check.ts';
import type { CheckRuns } from '../checks/check-runs.ts';
import { Gathering, type Verdicts } from '../checks/verdicts.ts';
import type { SlowLooks } from '../engine/slow-looks.ts';
import { findingId } from './finding-id.ts';

/** The start has enough to do. */
const FIRST_AFTER_MS = 1_000;
/** Checks that found something look again so soon. */
const FOUND_AGAIN_MS = 60_000;

interface ScanScheduleOptions {
  readonly checks: readonly Check[];
  readonly scans: SlowLooks;
  /** What the checks judge by just now; null before the first moment. */
  readonly context: () => CheckContext | null;
  readonly cached: Pick<CachedVerdicts, 'set'>;
  readonly runs?: CheckRuns | undefined;
  /** Whether a finding of the check stands: what the law excuses is none. */
  readonly stands: (check: ScanCheck) => boolean;
  /** Called after a pass whose checks say anything else than they said before. */
  readonly changed: () => void;
  readonly everyMs: number;
  readonly firstAfterMs?: number;
  readonly foundAgainMs?: number;
}

/** Which checks a pass is made of: those of the schedule, those whose findings stand, or all. */
type Pass = 'scheduled' | 'found' | 'all';

export class ScanSchedule {
  readonly #options: ScanScheduleOptions;
  readonly #checks: readonly ScanCheck[];
  readonly #stop = new AbortController();
  /** What each check said last. */
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

  /** Every check of the schedule has looked at least once. */
  get complete(): boolean {
    return this.#checks.every((check) => check.onDemand === true || this.#said.has(check));
  }

  start(): void {
    this.#dueMs = performance.now() + (this.#options.firstAfterMs ?? FIRST_AFTER_MS);
    this.#arm();
  }

  /** Every check looks in a pass that starts now, or when the running one has ended; those on demand too. */
  runAll(): Promise<void> {
    this.#asked ??= (async () => {
      await this.#running;
      this.#asked = null;
      await this.#begin('all');
    })();
    return this.#asked;
  }

  /** No pass starts any more; resolves when the running look has ended, within some 20 ms. */
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

  /** Never rejects, never two at a time: who comes while a pass runs gets that pass. */
  #begin(pass: Pass): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    this.#running ??= this.#pass(pass).finally(() => {
      this.#running = null;
      this.#arm();
    });
    return this.#running;
  }

  async #pass(pass: Pass): Promise<void> {
    const { everyMs, stands, changed } = this.#options;
    if (pass !== 'found') this.#dueMs = performance.now() + everyMs;
    const wanted = this.#checks.filter(
      (check) =>
        pass === 'all' ||
        (check.onDemand !== true && (pass === 'scheduled' || (this.#found.has(check) && stands(check)))),
    );
    let news = false;
    for (const check of wanted) news = (await this.#scan(check)) || news;
    if (news && !this.#stop.signal.aborted) changed();
  }

  /** Whether it says anything new. */
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

  /** Null when the look was broken off. */
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
