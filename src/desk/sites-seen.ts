/** What is known of the sites that are watched, as others read it. */
import type { UptimePage, WatchedSite } from '../records/sites.ts';
import { publicToken, token } from './token.ts';

interface Sites {
  /** The public site first; a command probes now when nothing was probed. */
  seen(): Promise<readonly WatchedSite[]>;
  /** The same as far as it is known now. */
  known(): readonly WatchedSite[];
}

export const SITES = token<Sites>('sites');

interface StatusPage {
  /** What everyone may see; null where the configuration opens no status page. The same object while nothing new is known. */
  page(): UptimePage | null;
}

export const STATUS_PAGE = publicToken<StatusPage>('status-page');
