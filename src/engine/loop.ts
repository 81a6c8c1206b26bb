/** The recheck loop: a recheck when an event source or a timer wakes it, with pauses. A loop that polls runs every period, or a look does in its place. */
import { MOST_REST_MS, Rest } from './rest.ts';

/** Span over which the loop's own CPU is averaged. */
const CPU_SPAN_MS = 60_000;
const CPU_SAMPLE_MS = 1_000;
/** Where looks are enough, a recheck reads what they do not show at least this often. */
const LOOKED_MS = 1_000;
/** A recheck that has not ended for so long, or for so many periods, is taken as hung. */
const MOST_QUIET_MS = 20_000;
const MOST_QUIET_PERIODS = 4;

/** What starts the rechecks of a loop that polls. */
interface Ticker {
  stop(): void;
  /** Multiples of the period at which a look was enough, so far; undefined where each one ticks. */
  readonly held?: () => number;
}

interface LoopOptions {
  readonly cycle: () => Promise<unknown> | unknown;
  /** Called with what a cycle threw; the loop continues. */
  readonly failed: (error: unknown) => void;
  readonly periodMs: number;
  /** The longest pause between cycles in event mode; default: the period. */
  readonly idleMs?: () => number;
  /** Whether the period is what starts rechecks: then they may take half of the time, and missed ones are counted. Default: events do. */
  readonly polls?: () => boolean;
  /** Calls `tick` at every multiple of the period until it is stopped; null where that is not possible, and timers are used. */
  readonly ticker?: (periodMs: number, tick: () => void) => Ticker | null;
  /** CPU that the event source has used so far, µs; 0 without one. */
  readonly sourceCpuUs?: () => number;
}

/** Whether a loop that should recheck does not. `quietMs`: since its newest recheck has ended well. */
export const isStuck = ({
  on,
  periodMs,
  quietMs,
}: {
  readonly on: boolean;
  readonly periodMs: number;
  readonly quietMs: number;
}): boolean => on && quietMs >= Math.max(MOST_QUIET_MS, MOST_QUIET_PERIODS * periodMs);

export class Loop {
  readonly periodMs: number;
  readonly #options: LoopOptions;
  readonly #samples: { readonly atMs: number; readonly cpuUs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** While the loop polls. Undefined: not asked for yet. */
  #ticker: Ticker | null | undefined;
  /** Looks that were enough when missed periods were last counted. */
  #held = 0;
  #dueMs = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #woken = false;
  #restUntilMs = 0;
  readonly #rest = new Rest();
  #cyclesCpuUs = 0;
  #startedMs = Number.NaN;
  #missed = 0;
  #on = false;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.periodMs = options.periodMs;
  }

  get on(): boolean {
    return this.#on;
  }

  start(): void {
    if (this.#on) return;
    this.#on = true;
    this.#sampleCpu(performance.now());
    this.#schedule(performance.now());
  }

  /** An event waits: the next recheck starts at once, or as soon as the running one has ended and the loop has rested. */
  wake(): void {
    if (!this.#on) return;
    this.#woken = true;
    if (this.#running === undefined) this.#schedule(this.#restUntilMs);
  }

  /** Starts a cycle at once, or joins the running one; resolves when it has ended. */
  async ask(): Promise<void> {
    if (!this.#on) return;
    if (this.#running === undefined) {
      this.#unschedule();
      this.#running = this.#run();
    }
    await this.#running;
  }

  /** No recheck starts any more; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#on = false;
    this.#unschedule();
    this.#ticker?.stop();
    this.#ticker = undefined;
    await this.#running;
  }

  /** Of one core over the last 60 s, null before: an upper bound, which includes other work while a recheck waited for its workers. */
  cpuShare(): number | null {
    const [oldest, newest] = [this.#samples[0], this.#samples.at(-1)];
    if (oldest === undefined || newest === undefined || newest.atMs - oldest.atMs < CPU_SPAN_MS) return null;
    return (newest.cpuUs - oldest.cpuUs) / 1000 / (newest.atMs - oldest.atMs);
  }

  /** Periods in which a polling loop started no recheck, because the one before took too long or the process was busy. */
  get missed(): number {
    return this.#missed;
  }

  /** CPU of rechecks and event source since the start, µs. */
  cpuUs(): number {
    return this.#cyclesCpuUs + (this.#options.sourceCpuUs?.() ?? 0);
  }

  /** Makes the next recheck start at `atMs`, unless one is due before. */
  #schedule(atMs: number): void {
    if (atMs >= this.#dueMs) return;
    this.#unschedule();
    this.#dueMs = atMs;
    const run = (): void => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.#running = this.#run();
    };
    const waitMs = atMs - performance.now();
    // A timer of 0 ms waits a whole one.
    if (waitMs <= 0) this.#immediate = setImmediate(run);
    else this.#timer = setTimeout(run, waitMs);
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#dueMs = Number.POSITIVE_INFINITY;
  }

  async #run(): Promise<void> {
    const startedMs = performance.now();
    const before = process.cpuUsage();
    const polls = this.#options.polls?.() === true;
    if (polls) this.#countMissed(startedMs);
    this.#startedMs = polls ? startedMs : Number.NaN;
    this.#woken = false;
    const cycle = async (): Promise<unknown> => this.#options.cycle();
    try {
      await cycle();
    } catch (error) {
      this.#options.failed(error);
    }
    const { user, system } = process.cpuUsage(before);
    this.#cyclesCpuUs += user + system;
    this.#ended(startedMs, polls);
  }

  #ended(startedMs: number, polls: boolean): void {
    const endedMs = performance.now();
    const restUntilMs = this.#rest.after(startedMs, endedMs);
    this.#restUntilMs = polls ? endedMs + Math.min(MOST_REST_MS, endedMs - startedMs) : restUntilMs;
    this.#sampleCpu(endedMs);
    this.#running = undefined;
    if (!this.#on) return;
    if (polls && this.#ticker === undefined)
      this.#ticker = this.#options.ticker?.(this.periodMs, () => this.#tick()) ?? null;
    const looks = polls && this.#ticker?.held !== undefined;
    const periodMs = polls ? this.periodMs : (this.#options.idleMs?.() ?? this.periodMs);
    if (!polls || this.#ticker === null || looks)
      this.#schedule(Math.max(startedMs + Math.max(periodMs, looks ? LOOKED_MS : 0), this.#restUntilMs));
    if (this.#woken) this.#schedule(this.#restUntilMs);
  }

  #tick(): void {
    if (!this.#on || this.#running !== undefined || performance.now() < this.#restUntilMs) return;
    this.#unschedule();
    this.#running = this.#run();
  }

  #countMissed(startedMs: number): void {
    const held = this.#ticker?.held?.() ?? 0;
    const periods = Math.round((startedMs - this.#startedMs) / this.periodMs) - (held - this.#held);
    this.#held = held;
    if (periods > 1) this.#missed += periods - 1;
  }

  #sampleCpu(nowMs: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && nowMs - last.atMs < CPU_SAMPLE_MS) return;
    this.#samples.push({ atMs: nowMs, cpuUs: this.cpuUs() });
    // Keeps one sample that is older than the span.
    while ((this.#samples[1]?.atMs ?? nowMs) < nowMs - CPU_SPAN_MS) this.#samples.shift();
  }
}
