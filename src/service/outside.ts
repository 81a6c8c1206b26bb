/** What the desk has to do with the world outside: the guard, the list of where it may lead, the probe of the public site, the assistant. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/schema.ts';
import { Allowlist } from '../egress/allowlist.ts';
import { EgressGuard } from '../egress/guard.ts';
import type { Assistant } from '../features/assistant/index.ts';
import { DeskAssistant } from '../features/assistant/index.ts';
import {
  type ProbedFacts,
  probedFacts,
  type SiteLines,
  SiteWatch,
  siteTargets,
} from '../features/site/index.ts';
import type { SiteLine, SiteProbe } from '../records/site-probe.ts';
import type { DeskOptions } from './desk-options.ts';

/** How long the first look at the site may keep the service from being ready. */
const FIRST_LOOK_MS = 3_000;
/** Lines of the site's history that are told. */
const SITE_LINES = 100;

interface OutsideOptions {
  readonly config: Config;
  readonly history: Pick<SiteLines, 'list' | 'record'>;
  /** A command looks at the site only when it is asked. */
  readonly role: DeskOptions['role'];
  /** There is a new look at the site. */
  readonly looked: () => void;
}

interface SiteSeen {
  /** Null before the first look. */
  readonly probe: SiteProbe | null;
  /** Newest first. */
  readonly history: readonly SiteLine[];
}

export class Outside {
  readonly #history: OutsideOptions['history'];
  readonly #role: DeskOptions['role'];
  readonly allow: Allowlist;
  readonly guard: EgressGuard;
  readonly site: SiteWatch;
  readonly assistant: Assistant;
  /** What the last look at the site tells the records. */
  probed: ProbedFacts;

  constructor({ config, history, role, looked }: OutsideOptions) {
    this.#history = history;
    this.allow = new Allowlist(config.egress.allow);
    // What the guard is about to connect to is on the list before a sweep can see it.
    this.guard = new EgressGuard(config.egress, {
      resolved: (host, port, addresses) => this.allow.note(host, port, addresses),
    });
    this.assistant = new DeskAssistant({ config, egress: this.guard });
    const watched = role === 'service';
    this.#role = role;
    this.probed = probedFacts(config, null, watched);
    this.site = new SiteWatch({
      egress: this.guard,
      targets: siteTargets(config),
      history,
      looked: () => {
        this.probed = probedFacts(config, this.site.latest, watched);
        looked();
      },
    });
  }

  /** Resolves when the list was resolved, at the latest after a second. */
  start(): Promise<void> {
    return this.allow.start();
  }

  /** The listeners stand: looks at the site, which may be one of them behind a proxy, and from now on from time to time. */
  async settle(): Promise<void> {
    await Promise.race([this.site.look(), delay(FIRST_LOOK_MS, undefined, { ref: false })]);
    this.site.start();
  }

  /** The last look at the site, with its history. A command looks now when there was none. */
  async seen(): Promise<SiteSeen> {
    if (this.#role === 'local' && this.site.latest === null) await this.site.look();
    return this.known();
  }

  /** The same as far as it is known now. */
  known(): SiteSeen {
    return { probe: this.site.latest, history: this.#history.list(SITE_LINES) };
  }

  stop(): void {
    this.site.stop();
    this.allow.stop();
    this.guard.close();
  }
}
