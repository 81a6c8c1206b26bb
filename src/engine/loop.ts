/**
 * The recheck loop: a turn every period, and one at once when an event source wakes it. It knows nothing of what a turn
 * does, only when the next one may start and what they cost.
 */
import { Rest } from './rest.ts';

/** Span over which the loop's own CPU is told. */
const CPU_SPAN_MS = 60_000;
const CPU_SAMPLE_MS = 1_000;

interface CpuSample {
  readonly atMs: number;
  readonly cpuUs: number;
}

interface LoopOptions {
  /** One turn; must not reject. */
  readonly turn: () => Promise<unknown> | unknown;
  readonly periodMs: number;
  /** CPU that the event source has used so far, µs; 0 without one. */
  readonly sourceCpuUs?: () => number;
}

export class Loop {
  readonly periodMs: number;
  readonly #turn: LoopOptions['turn'];
  readonly #sourceCpuUs: () => number;
  readonly #samples: CpuSample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** When the next turn starts, monotonic ms. */
  #dueMs = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #woken = false;
  /** No turn may start before this. */
  #restUntilMs = 0;
  readonly #rest = new Rest();
  #turnsCpuUs = 0;
  #on = false;

  constructor({ turn, periodMs, sourceCpuUs = () => 0 }: LoopOptions) {
    this.#turn = turn;
    this.periodMs = periodMs;
    this.#sourceCpuUs = sourceCpuUs;
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

  /** An event waits: the next turn starts at once, or as soon as the running one has ended and the loop has rested. */
  wake(): void {
    if (!this.#on) return;
    this.#woken = true;
    if (this.#running === undefined) this.#schedule(this.#restUntilMs);
  }

  /** No turn starts any more; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#on = false;
    this.#unschedule();
    await this.#running;
  }

  /**
   * CPU of the turns and of the event source over the last 60 s as a share of one core. What else the process did while a
   * turn waited for its workers is counted too, so it is an upper bound. Null until 60 s have passed.
   */
  cpuShare(): number | null {
    const [oldest, newest] = [this.#samples[0], this.#samples.at(-1)];
    if (oldest === undefined || newest === undefined || newest.atMs - oldest.atMs < CPU_SPAN_MS) return null;
    return (newest.cpuUs - oldest.cpuUs) / 1000 / (newest.atMs - oldest.atMs);
  }

  /** CPU of the turns and of the event source since the start, µs. */
  cpuUs(): number {
    return this.#turnsCpuUs + this.#sourceCpuUs();
  }

  /** Makes the next turn start at `atMs`, unless one is due before. */
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
    this.#woken = false;
    await this.#turn();
    const { user, system } = process.cpuUsage(before);
    const endedMs = performance.now();
    this.#turnsCpuUs += user + system;
    this.#restUntilMs = this.#rest.after(startedMs, endedMs);
    this.#sampleCpu(endedMs);
    this.#running = undefined;
    if (!this.#on) return;
    this.#schedule(Math.max(startedMs + this.periodMs, this.#restUntilMs));
    if (this.#woken) this.#schedule(this.#restUntilMs);
  }

  #sampleCpu(nowMs: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && nowMs - last.atMs < CPU_SAMPLE_MS) return;
    this.#samples.push({ atMs: nowMs, cpuUs: this.cpuUs() });
    // Keep the one sample that is older than the span: the figure is over the whole of it.
    while ((this.#samples[1]?.atMs ?? nowMs) < nowMs - CPU_SPAN_MS) this.#samples.shift();
  }
}
