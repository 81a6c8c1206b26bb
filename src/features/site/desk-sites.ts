/** All watched sites of one desk: the public site, whose probes are made elsewhere, and those of `[[sites]]`. */
import { publicSiteName } from '../../config/conflicts.ts';
import type { FeatureHost } from '../../desk/feature.ts';
import { SITES, STATUS_PAGE } from '../../desk/sites-seen.ts';
import type { SiteProbe } from '../../records/site-probe.ts';
import { type UptimePage, uptimePage, type WatchedSite } from '../../records/sites.ts';
import type { FurtherFacts } from '../../records/state.ts';
import { renewal } from './facts.ts';
import type { FurtherProbe, FurtherSite } from './further-probe.ts';
import { FurtherWatch } from './further-watch.ts';
import { daysOf, pastOf, publicOf } from './site-report.ts';
import { SiteSpans } from './site-spans.ts';
import type { SiteVerdict } from './site-state.ts';
import { EVERY_MS } from './site-watch.ts';
import { LONGEST_DAYS, Uptimes } from './uptimes.ts';

const DAY_MS = 86_400_000;
/** Reports are made again after this time, or when a state has changed. */
const FRESH_MS = 5_000;

/** Probes that are further apart leave the time between unknown: one was missed. */
const mostGapMs = (everyMs: number): number => 2 * everyMs + 30_000;

interface Clocks {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** What of a probe is shown. */
interface Seen extends Omit<FurtherProbe, 'verdict'> {
  readonly verdict: SiteVerdict;
  readonly atMs: number;
}

export class DeskSites {
  readonly #host: FeatureHost;
  readonly #uptimes: Uptimes;
  readonly #watch: FurtherWatch;
  /** The last probe by the name of the site. */
  readonly #seen = new Map<string, Seen>();
  /** Name of the public site; null where none is configured. */
  readonly #main: string | null;
  #facts: readonly FurtherFacts[];
  #made: {
    readonly atMs: number;
    readonly reports: readonly WatchedSite[];
    readonly page: UptimePage | null;
  } | null = null;

  /** `probeMain`: probes the public site now. */
  constructor(host: FeatureHost, probeMain: () => Promise<void>) {
    const { config, role, egress, store } = host;
    this.#host = host;
    this.#main = publicSiteName(config);
    this.#uptimes = new Uptimes(new SiteSpans(store));
    this.#watch = new FurtherWatch({
      egress,
      sites: config.sites,
      probed: (site, probe, at) => this.#probed(site, probe, at),
    });
    this.#facts = this.#factsNow();
    host.provide(SITES, {
      seen: async () => {
        if (role === 'local' && this.#seen.size === 0)
          await Promise.all([this.#watch.probeTwice(), this.#main === null ? undefined : probeMain()]);
        return this.#known().reports;
      },
      known: () => this.#known().reports,
    });
    host.provide(STATUS_PAGE, { page: () => this.#known().page });
  }

  /** Of `[[sites]]`, as records know them. */
  get facts(): readonly FurtherFacts[] {
    return this.#facts;
  }

  probe(): Promise<void> {
    return this.#watch.probe();
  }

  start(): void {
    this.#watch.start();
  }

  stop(): void {
    this.#watch.stop();
    this.#uptimes.write({ wallMs: Date.now(), monotonicMs: performance.now() });
  }

  /** The public site was probed; `monotonicMs`: when the probe began. True when a failure has to be confirmed. */
  mainProbed(probe: SiteProbe, monotonicMs: number): boolean {
    if (this.#main === null) return false;
    const { atMs, status, ms, reason, asked, certificate } = probe;
    const verdict = !asked ? 'unknown' : reason === '' ? 'up' : 'down';
    return this.#observe(
      this.#main,
      { verdict, status, ms, reason, certificate },
      { wallMs: atMs, monotonicMs },
      EVERY_MS,
    );
  }

  /** True when a failure has to be confirmed. */
  #probed(site: FurtherSite, probe: FurtherProbe, at: Clocks): boolean {
    const isDoubtful = this.#observe(site.name, probe, at, site.every_sec * 1000);
    const facts = this.#factsNow();
    if (JSON.stringify(facts) !== JSON.stringify(this.#facts)) {
      this.#facts = facts;
      this.#host.recheck();
    }
    return isDoubtful;
  }

  #observe(
    name: string,
    probe: Omit<Seen, 'atMs'>,
    { wallMs, monotonicMs }: Clocks,
    everyMs: number,
  ): boolean {
    const before = this.#uptimes.trackedOf(name).state;
    const observed = { verdict: probe.verdict, reason: probe.reason, wallMs, monotonicMs };
    const { state, failing } = this.#uptimes.observe(name, observed, mostGapMs(everyMs));
    if (state !== before || !this.#seen.has(name)) this.#made = null;
    this.#seen.set(name, { ...probe, atMs: wallMs });
    return failing !== null;
  }

  #factsNow(): readonly FurtherFacts[] {
    const watched = this.#host.role === 'service';
    return this.#host.config.sites.map(({ name, url, certificate_days }) => {
      const seen = this.#seen.get(name);
      const { state, failing } = this.#uptimes.trackedOf(name);
      return {
        ...{ name, url, state },
        isProbed: seen !== undefined,
        isFailing: failing !== null,
        // The first failure of a site that is up is not reported yet.
        reason:
          seen === undefined
            ? watched
              ? 'the first probe is running'
              : 'see it with desk sites'
            : state === 'up'
              ? ''
              : seen.reason,
        certificateDays: seen?.certificate?.daysLeft ?? null,
        advice: renewal(url, seen?.certificate ?? null, certificate_days),
      };
    });
  }

  #known() {
    const monotonicMs = performance.now();
    if (this.#made === null || monotonicMs - this.#made.atMs > FRESH_MS)
      this.#made = { atMs: monotonicMs, ...this.#make(Date.now()) };
    return this.#made;
  }

  #make(nowMs: number) {
    const { sites, site, status_page: shown } = this.#host.config;
    const spans = this.#uptimes.spans(nowMs - LONGEST_DAYS * DAY_MS);
    const report = (name: string, main: boolean, url: string, everySec: number): WatchedSite => {
      const seen = this.#seen.get(name);
      const tracked = this.#uptimes.trackedOf(name);
      const further = this.#facts.find((one) => one.name === name);
      return {
        ...{ name, main, url, everySec },
        ...pastOf(tracked, spans.get(name) ?? [], nowMs),
        state: tracked.state,
        failing: tracked.failing !== null,
        reason: seen?.reason ?? '',
        status: seen?.status ?? 0,
        ms: seen === undefined ? null : Math.round(seen.ms * 10) / 10,
        probed: seen === undefined ? null : new Date(seen.atMs).toISOString(),
        certificateEnds: seen?.certificate?.validTo ?? null,
        certificateDays: seen?.certificate?.daysLeft ?? null,
        advice: further?.advice ?? [],
      };
    };
    const reports = [
      ...(this.#main === null ? [] : [report(this.#main, true, site.public_url, EVERY_MS / 1000)]),
      ...sites.map(({ name, url, every_sec }) => report(name, false, url, every_sec)),
    ];
    const page = shown.enabled
      ? uptimePage.assemble({
          title: shown.title,
          sites: shown.sites.flatMap((name) => {
            const one = reports.find((site) => site.name === name);
            return one === undefined ? [] : [publicOf(one, daysOf(spans.get(name) ?? [], nowMs))];
          }),
        })
      : null;
    return { reports, page };
  }
}
