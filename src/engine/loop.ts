/** The recheck loop in poll mode, and what it costs. Event mode comes with the event sources. */

/** Span over which the loop's own CPU is told. */
const CPU_SPAN_MS = 60_000;
const CPU_SAMPLE_MS = 1_000;

interface CpuSample {
  readonly atMs: number;
  readonly cpuUs: number;
}

export class Loop {
  readonly #work: () => Promise<unknown>;
  readonly #periodMs: number;
  readonly #samples: CpuSample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #on = false;

  /** `work` must not reject; the next turn starts a whole period after the last one started, or at once when it took longer. */
  constructor(work: () => Promise<unknown>, periodMs: number) {
    this.#work = work;
    this.#periodMs = periodMs;
  }

  get on(): boolean {
    return this.#on;
  }

  get periodMs(): number {
    return this.#periodMs;
  }

  start(): void {
    if (this.#on) return;
    this.#on = true;
    this.#sampleCpu();
    this.#schedule(0);
  }

  /** No turn starts any more; resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#on = false;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /**
   * CPU of the whole process (user + system) over the last 60 s as a share of one core: an upper bound of the loop's own.
   * Null until 60 s have passed.
   */
  cpuShare(): number | null {
    const [oldest, newest] = [this.#samples[0], this.#samples.at(-1)];
    if (oldest === undefined || newest === undefined || newest.atMs - oldest.atMs < CPU_SPAN_MS) return null;
    return (newest.cpuUs - oldest.cpuUs) / 1000 / (newest.atMs - oldest.atMs);
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#turn();
    }, delayMs);
  }

  async #turn(): Promise<void> {
    const started = performance.now();
    await this.#work();
    this.#sampleCpu();
    if (this.#on) this.#schedule(Math.max(0, this.#periodMs - (performance.now() - started)));
  }

  #sampleCpu(): void {
    const now = performance.now();
    const last = this.#samples.at(-1);
    if (last !== undefined && now - last.atMs < CPU_SAMPLE_MS) return;
    const { user, system } = process.cpuUsage();
    this.#samples.push({ atMs: now, cpuUs: user + system });
    // Keep the one sample that is older than the span: the figure is over the whole of it.
    while ((this.#samples[1]?.atMs ?? now) < now - CPU_SPAN_MS) this.#samples.shift();
  }
}
