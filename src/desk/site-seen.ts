/** What is known of the public site, as others read it. */
import type { SiteLine, SiteProbe } from '../records/site-probe.ts';
import { token } from './token.ts';

export interface SiteSeen {
  /** Null before the first probe. */
  readonly probe: SiteProbe | null;
  /** Newest first. */
  readonly history: readonly SiteLine[];
}

interface Site {
  /** The last probe with its history; a command probes now when there was none. */
  seen(): Promise<SiteSeen>;
  /** The same as far as it is known now. */
  known(): SiteSeen;
}

export const SITE = token<Site>('site');
