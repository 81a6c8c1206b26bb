/** Probes the configured site every five minutes, keeps the last probe and writes the history. */

import { backoffMs, spreadMs } from '../../base/retry.ts';
import type { Egress } from '../../egress/egress.ts';
import { answersWell } from '../../records/derive.ts';
import type { SiteLine, SiteProbe } from '../../records/site-probe.ts';
import { lineAfter } from './history.ts';
import { probeSite, type SiteTargets } from './probe.ts';
import type { SiteLines } from './site-lines.ts';

export const EVERY_MS = 300_000;
/** After a probe that failed the pause begins here and doubles up to the usual one. */
const AGAIN_MS = 5_000;
/** Up to so much earlier or later, so that many desks do not ask at the same time. */
const JITTER = 0.1;

/** Something did not answer, which may pass within seconds. */
const failed = ({ url, status, magazine, names }: SiteProbe): boolean =>
  (url !== '' && !answersWell(status)) ||
  (magazine !== null && !answersWell(magazine.status)) ||
  names.some(({ resolves }) => !resolves);

interface SiteWatchOptions {
  readonly egress: Egress;
  readonly targets: SiteTargets;
  readonly history: Pick<SiteLines, 'list' | 'record'>;
  /** `monotonicMs`: when the probe began, by a clock that is never set. */
  readonly probed: (probe: SiteProbe, monotonicMs: number) => void;
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
  /** Probes in a row that failed. */
  #failures = 0;

  constructor(options: SiteWatchOptions) {
    this.#options = options;
  }

  /** Null before the first probe. */
  get latest(): SiteProbe | null {
    return this.#latest;
  }

  /** Something is configured that can be probed. */
  get wanted(): boolean {
    const { url, magazine, names } = this.#options.targets;
    return url !== '' || magazine !== '' || names.length > 0;
  }

  /** Probes from time to time until `stop`, first after the usual pause. */
  start(): void {
    this.#started = true;
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (!this.wanted || this.#stopped || !this.#started) return;
    const { everyMs = EVERY_MS, againMs = AGAIN_MS, random = Math.random } = this.#options;
    const pauseMs = this.#failures === 0 ? everyMs : backoffMs(this.#failures - 1, againMs, everyMs);
    this.#timer = setTimeout(() => void this.probe(), spreadMs(pauseMs, JITTER, random()));
    this.#timer.unref();
  }

  /** A probe that is under way ends by its deadline and is not reported. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Probes now, or waits for the probe under way. Never rejects. */
  probe(): Promise<void> {
    if (!this.wanted || this.#stopped) return Promise.resolve();
    this.#running ??= this.#probe().finally(() => {
      this.#running = null;
      this.#arm();
    });
    return this.#running;
  }

  async #probe(): Promise<void> {
    const { egress, targets, history, probed, now = Date.now } = this.#options;
    const startedMs = performance.now();
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
    probed(probe, startedMs);
  }
}
