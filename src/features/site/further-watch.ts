/** Probes each site of `[[sites]]` at its interval, and once more shortly after a first failure. */
import { spreadMs } from '../../base/retry.ts';
import type { Egress } from '../../egress/egress.ts';
import { type FurtherProbe, type FurtherSite, probeFurther } from './further-probe.ts';

/** A failure is confirmed by a second probe after this time. */
const CONFIRM_MS = 5_000;
/** Up to so much earlier or later, so that the sites are not all asked at the same time. */
const JITTER = 0.1;

interface FurtherWatchOptions {
  readonly egress: Egress;
  readonly sites: readonly FurtherSite[];
  /** What a probe brought, with the times of both clocks when it began; true when a failure has to be confirmed. */
  readonly probed: (
    site: FurtherSite,
    probe: FurtherProbe,
    at: { readonly wallMs: number; readonly monotonicMs: number },
  ) => boolean;
  readonly confirmMs?: number;
  /** Default: that of the configuration. */
  readonly everyMs?: number;
}

export class FurtherWatch {
  readonly #options: FurtherWatchOptions;
  readonly #timers = new Map<FurtherSite, NodeJS.Timeout>();
  readonly #running = new Map<FurtherSite, Promise<void>>();
  /** Sites whose last probe has to be confirmed. */
  readonly #doubtful = new Set<FurtherSite>();
  #started = false;
  #stopped = false;

  constructor(options: FurtherWatchOptions) {
    this.#options = options;
  }

  /** Probes from time to time until `stop`, first after the usual pause. */
  start(): void {
    this.#started = true;
    for (const site of this.#options.sites) this.#arm(site);
  }

  /** Probes under way end by their deadline and are not reported. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** Probes all sites now. Never rejects. */
  async probe(): Promise<void> {
    await Promise.all(this.#options.sites.map((site) => this.#probe(site)));
  }

  /** The same, and again those whose failure has to be confirmed. */
  async probeTwice(): Promise<void> {
    await this.probe();
    if (this.#doubtful.size === 0) return;
    await new Promise((resolve) => setTimeout(resolve, this.#options.confirmMs ?? CONFIRM_MS));
    await Promise.all([...this.#doubtful].map((site) => this.#probe(site)));
  }

  #arm(site: FurtherSite): void {
    clearTimeout(this.#timers.get(site));
    if (this.#stopped || !this.#started) return;
    const { confirmMs = CONFIRM_MS, everyMs = site.every_sec * 1000 } = this.#options;
    const pauseMs = this.#doubtful.has(site) ? confirmMs : spreadMs(everyMs, JITTER);
    this.#timers.set(site, setTimeout(() => void this.#probe(site), pauseMs).unref());
  }

  #probe(site: FurtherSite): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const running =
      this.#running.get(site) ??
      this.#ask(site).finally(() => {
        this.#running.delete(site);
        this.#arm(site);
      });
    this.#running.set(site, running);
    return running;
  }

  async #ask(site: FurtherSite): Promise<void> {
    const at = { wallMs: Date.now(), monotonicMs: performance.now() };
    const probe = await probeFurther(this.#options.egress, site);
    if (this.#stopped) return;
    if (this.#options.probed(site, probe, at)) this.#doubtful.add(site);
    else this.#doubtful.delete(site);
  }
}
