/** What the configuration wants to reach and `[egress]` does not let it: told when it is read, because it fails later. */
import type { Config } from './config-schema.ts';
import { webPlace } from './egress/https.ts';
import { EgressRules } from './egress/rules.ts';
import { magazineOf } from './site/probe.ts';

/** Constants of the interface. */
const IMAPS_PORT = 993;
const SUBMISSIONS_PORT = 465;

export interface Unlisted {
  /** Dotted key that names the place. */
  readonly key: string;
  /** A phrase: why it cannot be reached, and what to do. */
  readonly reason: string;
}

/** In the order of the schema. */
export function unlistedPlaces(config: Config): readonly Unlisted[] {
  const rules = new EgressRules(config.egress);
  const { site, identity, assistant } = config;
  const web = (key: string, address: string): Unlisted[] => {
    if (address === '') return [];
    const place = webPlace(address);
    const refusal = place.ok ? rules.refusalOf(place.host, place.port) : place;
    return refusal === null ? [] : [{ key, reason: refusal.reason }];
  };
  const mail = (key: string, host: string, port: number): Unlisted[] => {
    const refusal = host === '' ? null : rules.refusalOf(host, port);
    return refusal === null ? [] : [{ key, reason: refusal.reason }];
  };
  return [
    ...web('site.public_url', site.public_url),
    ...web(site.magazine_url === '' ? 'links.magazine' : 'site.magazine_url', magazineOf(config)),
    ...mail('identity.imap_host', identity.imap_host, IMAPS_PORT),
    ...mail('identity.smtp_host', identity.smtp_host, SUBMISSIONS_PORT),
    ...web('assistant.base_url', assistant.base_url),
  ];
}
