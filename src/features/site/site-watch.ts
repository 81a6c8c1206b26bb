/** Looks at the configured site every five minutes, keeps the last look and writes the history. */

import { backoffMs, spreadMs } from '../../base/retry.ts';
import type { Egress } from '../../egress/egress.ts';
import { answersWell } from '../../records/derive.ts';
import type { SiteLine, SiteProbe } from '../../records/site-probe.ts';
import { lineAfter } from './history.ts';
import { probeSite, type SiteTargets } from './probe.ts';
import type { SiteLines } from './site-lines.ts';

const EVERY_MS = 300_000;
/** After a look that failed the pause begins here and doubles up to the usual one. */
const AGAIN_MS = 5_000;
/** Up to so much earlier or later, that many desks do not ask at the same moment. */
const JITTER = 0.1;

/** Something that is looked at did not answer, which may pass within seconds. */
const failed = ({ url, status, magazine, names }: SiteProbe): boolean =>
  (url !== '' && !answersWell(status)) ||
  (magazine !== null && !answersWell(magazine.status)) ||
  names.some(({ resolves }) => !resolves);

interface SiteWatchOptions {
  readonly egress: Egress;
  readonly targets: SiteTargets;
  readonly history: Pick<SiteLines, 'list' | 'record'>;
  /** There is a new look. */
  readonly looked: () => void;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly everyMs?: number;
  readonly againMs?: number;
}

export class SiteWatch {
  readonly #options: SiteWatchOptions;
  #latest: SiteProbe | null = null;
  #newest: SiteLine | null | undefined;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #stopped = false;
  /** Looks in a row that failed. */
  #failures = 0;

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
    this.#started = true;
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (!this.wanted || this.#stopped || !this.#started) return;
    const { everyMs = EVERY_MS, againMs = AGAIN_MS, random = Math.random } = this.#options;
    const pauseMs = this.#failures === 0 ? everyMs : backoffMs(this.#failures - 1, againMs, everyMs);
    this.#timer = setTimeout(() => void this.look(), spreadMs(pauseMs, JITTER, random()));
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
      // Whoever asked for it: the next one is due so much later.
      this.#arm();
    });
    return this.#running;
  }

  async #look(): Promise<void> {
    const { egress, targets, history, looked, now = Date.now } = this.#options;
    const probe = await probeSite(egress, targets, now());
    if (this.#stopped) return;
    this.#latest = probe;
    this.#failures = failed(probe) ? this.#failures + 1 : 0;
    this.#newest ??= history.list(1)[0] ?? null;
    const line = lineAfter(this.#newest, probe);
    if (line !== null) {
      history.record(line);
      this.#newest = line;
    }
    looked();
  }
}
