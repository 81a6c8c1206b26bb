/** The public site as the records know it: the configured one by its last probe, else the embedded public page. */
import type { Config } from '../../config/schema.ts';
import { answersWell } from '../../records/derive.ts';
import { FEWEST_DAYS, type SiteProbe } from '../../records/site-probe.ts';
import type { SiteFacts } from '../../records/state.ts';

/** What does not change until the next probe. */
export type ProbedFacts = Omit<SiteFacts, 'url'>;

/** `probe`: null before the first one. `watched`: false inside a command, which does not probe regularly. */
export function probedFacts(
  { site }: Config,
  probe: SiteProbe | null,
  watched: boolean,
  isFailing = false,
): ProbedFacts {
  const configured = site.public_url !== '';
  const certificate = probe?.certificate ?? null;
  const magazine = probe?.magazine ?? null;
  return {
    configured,
    name: configured ? new URL(site.public_url).hostname : 'embedded public page',
    status: probe?.status ?? 0,
    reason: probe?.reason ?? (watched ? 'the first probe is running' : 'see it with desk public'),
    magazineOk: magazine !== null && answersWell(magazine.status),
    dnsGreen: probe?.names.filter(({ resolves }) => resolves).length ?? 0,
    dnsTotal: probe?.names.length ?? site.names.length,
    certificateReady: certificate?.verified === true && certificate.daysLeft > FEWEST_DAYS,
    certificateDays: certificate?.daysLeft ?? null,
    certificateEndsMs: certificate === null ? null : Date.parse(certificate.validTo),
    probedMs: probe?.atMs ?? null,
    isFailing,
    advice: adviceOf(probe),
  };
}

interface Embedded {
  /** Status of the embedded public page, 0 = no answer. */
  readonly status: number;
  /** Why its listener is not bound; "" when it is. */
  readonly reason: string;
}

/** `url`: as people reach the site, without trailing slash. */
export function siteFacts(probed: ProbedFacts, url: string, { status, reason }: Embedded): SiteFacts {
  if (probed.configured) return { ...probed, url };
  const silent = reason || 'the embedded public listener does not answer';
  return { ...probed, url, status, reason: answersWell(status) ? '' : silent };
}

/** What could be done beside what keeps the site from answering, which is an issue. */
function adviceOf(probe: SiteProbe | null): string[] {
  if (probe === null) return [];
  const { url, names, certificate, magazine, status } = probe;
  return [
    ...names.filter(({ resolves }) => !resolves).map(({ name, reason }) => `fix the name ${name}: ${reason}`),
    ...certificateAdvice(url, status, certificate),
    ...(magazine === null || magazine.reason === ''
      ? []
      : [`check the magazine ${magazine.url}: ${magazine.reason}`]),
  ];
}

function certificateAdvice(url: string, status: number, certificate: SiteProbe['certificate']): string[] {
  if (url === '') return [];
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && status > 0) return [`serve ${hostname} by https, it has no certificate`];
  return renewal(url, certificate, FEWEST_DAYS);
}

/** What to do about a certificate that ends within `fewestDays`; nothing with 0. */
export function renewal(
  url: string,
  certificate: { readonly daysLeft: number } | null,
  fewestDays: number,
): string[] {
  if (fewestDays === 0 || certificate === null || certificate.daysLeft > fewestDays) return [];
  const { daysLeft } = certificate;
  const left = daysLeft < 0 ? 'it has ended' : `it ends in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`;
  return [`renew the certificate of ${new URL(url).hostname}, ${left}`];
}
