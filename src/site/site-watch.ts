/** Looks at the configured site every five minutes, keeps the last look and writes the history. */
import type { Egress } from '../egress/egress.ts';
import type { SiteLine, SiteProbe } from '../records/site-probe.ts';
import { lineAfter } from './history.ts';
import { probeSite, type SiteTargets } from './probe.ts';

const EVERY_MS = 300_000;
/** Up to so much earlier or later, that many desks do not ask at the same moment. */
const JITTER = 0.1;

export interface SiteHistory {
  /** Newest first. */
  siteLines(limit: number): readonly SiteLine[];
  recordSiteLine(line: SiteLine): void;
}

interface SiteWatchOptions {
  readonly egress: Egress;
  readonly targets: SiteTargets;
  readonly history: SiteHistory;
  /** There is a new look. */
  readonly looked: () => void;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly everyMs?: number;
}

export class SiteWatch {
  readonly #options: SiteWatchOptions;
  #latest: SiteProbe | null = null;
  #newest: SiteLine | null | undefined;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: SiteWatchOptions) {
    this.#options = options;
  }

  /** Null before the first look. */
  get latest(): SiteProbe | null {
    return this.#latest;
  }

  /** Something is configured that can be looked at. */
  get wanted(): boolean {
    const { url, magazine, names } = this.#options.targets;
    return url !== '' || magazine !== '' || names.length > 0;
  }

  /** Looks from time to time until `stop`, first after the usual pause. */
  start(): void {
    if (!this.wanted || this.#stopped) return;
    const { everyMs = EVERY_MS, random = Math.random } = this.#options;
    const pause = everyMs * (1 + JITTER * (2 * random() - 1));
    this.#timer = setTimeout(() => void this.look().then(() => this.start()), pause);
    this.#timer.unref();
  }

  /** A look that is under way ends by its deadline and is not told any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Looks now, or waits for the look under way. Never rejects. */
  look(): Promise<void> {
    if (!this.wanted || this.#stopped) return Promise.resolve();
    this.#running ??= this.#look().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #look(): Promise<void> {
    const { egress, targets, history, looked, now = Date.now } = this.#options;
    const probe = await probeSite(egress, targets, now());
    if (this.#stopped) return;
    this.#latest = probe;
    this.#newest ??= history.siteLines(1)[0] ?? null;
    const line = lineAfter(this.#newest, probe);
    if (line !== null) {
      history.recordSiteLine(line);
      this.#newest = line;
    }
    looked();
  }
}
