/** The public site of one desk, and the sites beside it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FeatureHost, Running } from '../../desk/feature.ts';
import { SITE, type SiteSeen } from '../../desk/site-seen.ts';
import { DeskSites } from './desk-sites.ts';
import { type ProbedFacts, probedFacts, siteFacts } from './facts.ts';
import { siteTargets } from './probe.ts';
import { SiteLines } from './site-lines.ts';
import { SiteWatch } from './site-watch.ts';

/** How long the first probe may keep the service from being ready. */
const FIRST_PROBE_MS = 3_000;
/** Lines of the history that are shown. */
const LINES = 100;

export class DeskSite implements Running {
  readonly #host: FeatureHost;
  readonly #lines: SiteLines;
  readonly #watch: SiteWatch;
  readonly #sites: DeskSites;
  #probed: ProbedFacts;
  /** Of the embedded public page, 0 = no answer. */
  #status = 0;

  constructor(host: FeatureHost) {
    const { config, role, egress, store } = host;
    this.#host = host;
    this.#lines = new SiteLines(store);
    const watched = role === 'service';
    this.#probed = probedFacts(config, null, watched);
    this.#watch = new SiteWatch({
      egress,
      targets: siteTargets(config),
      history: this.#lines,
      probed: (probe, monotonicMs) => {
        this.#probed = probedFacts(config, probe, watched, this.#sites.mainProbed(probe, monotonicMs));
        host.recheck();
      },
    });
    this.#sites = new DeskSites(host, () => this.#watch.probe());
    host.provide(SITE, {
      seen: async () => {
        if (role === 'local' && this.#watch.latest === null) await this.#watch.probe();
        return this.#known();
      },
      known: () => this.#known(),
    });
  }

  /** The site may be a listener of the desk behind a proxy. */
  async settle(): Promise<void> {
    const first = Promise.all([this.#watch.probe(), this.#sites.probe()]);
    await Promise.race([first, delay(FIRST_PROBE_MS, undefined, { ref: false })]);
    this.#watch.start();
    this.#sites.start();
  }

  async refresh(): Promise<void> {
    this.#status = await this.#host.probeSite().catch(() => 0);
  }

  facts() {
    const { role, urls } = this.#host;
    // A command has no listener of its own: the one of a service answers, or none does.
    const reason = role === 'service' ? this.#host.listener('public').reason : '';
    const site = siteFacts(this.#probed, urls.public, { status: this.#status, reason });
    return { site, sites: this.#sites.facts };
  }

  stop(): void {
    this.#watch.stop();
    this.#sites.stop();
  }

  #known(): SiteSeen {
    return { probe: this.#watch.latest, history: this.#lines.list(LINES) };
  }
}
