/** What the configuration wants to reach and `[egress]` does not let it: reported when it is read, because it fails later. */
import type { Config } from '../config/schema.ts';
import type { EgressRefusal } from '../egress/egress.ts';
import { webPlace } from '../egress/https.ts';
import { EgressRules, placeOf } from '../egress/rules.ts';
import { IMAP_PORT, SMTP_PORT } from '../egress/session.ts';
import { magazineOf } from '../records/links.ts';

export interface Unlisted {
  /** Dotted key that names the place. */
  readonly key: string;
  /** A phrase: why it cannot be reached, and what to do. */
  readonly reason: string;
}

/** In the order of the schema. */
export function unlistedPlaces(config: Config): readonly Unlisted[] {
  const rules = new EgressRules(config.egress);
  const { site, identity, assistant, alerts, heartbeat } = config;
  const unlisted = (key: string, refusal: EgressRefusal | null): Unlisted[] =>
    refusal === null ? [] : [{ key, reason: refusal.reason }];
  const web = (key: string, address: string): Unlisted[] => {
    if (address === '') return [];
    const place = webPlace(address);
    if (!place.ok) return unlisted(key, place);
    const { host, port } = place;
    const refused = unlisted(key, rules.refusalOf(host, port));
    // Other names need a resolver; this one is always an address of loopback (RFC 6761 section 6.3).
    if (!/^(.*\.)?localhost$/i.test(host) || rules.mayBePrivate(host, port)) return refused;
    const reason = `"${host}" is this machine itself, add "${placeOf(host, port)}" to [egress] private`;
    return [...refused, { key, reason }];
  };
  const mail = (key: string, host: string, port: number): Unlisted[] =>
    host === '' ? [] : unlisted(key, rules.refusalOf(host, port));
  return [
    ...web('site.public_url', site.public_url),
    ...web(site.magazine_url === '' ? 'links.magazine' : 'site.magazine_url', magazineOf(config)),
    ...config.sites.flatMap(({ url }, index) => web(`sites[${index}].url`, url)),
    ...mail('identity.imap_host', identity.imap_host, IMAP_PORT),
    ...mail('identity.smtp_host', identity.smtp_host, SMTP_PORT),
    ...web('assistant.base_url', assistant.base_url),
    // What is in a file of its own is not read here.
    ...alerts.to.flatMap(({ url }, index) => web(`alerts.to[${index}].url`, url)),
    ...heartbeat.flatMap(({ url }, index) => web(`heartbeat[${index}].url`, url)),
  ];
}
