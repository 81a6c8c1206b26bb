/** The public site as the records know it: the configured one by its last probe, else the embedded public page. */
import type { Config } from '../config-schema.ts';
import { answersWell } from '../records/derive.ts';
import type { SiteFacts } from '../records/moment.ts';
import type { SiteProbe } from '../records/site-probe.ts';

/** More days than this must be left. */
const FEWEST_DAYS = 14;

interface SiteSeen {
  /** As people reach it, without trailing slash. */
  readonly url: string;
  /** Status of the embedded public page, 0 = no answer. */
  readonly embeddedStatus: number;
  /** Why its listener does not stand, "" when it does. */
  readonly embeddedReason: string;
  /** Null before the first look. */
  readonly probe: SiteProbe | null;
  /** False inside a command, which does not look by itself. */
  readonly watched: boolean;
}

export function siteFacts({ site }: Config, seen: SiteSeen): SiteFacts {
  const { probe } = seen;
  const certificate = probe?.certificate ?? null;
  const magazine = probe?.magazine ?? null;
  const common = {
    url: seen.url,
    magazineOk: magazine !== null && answersWell(magazine.status),
    dnsGreen: probe?.names.filter(({ resolves }) => resolves).length ?? 0,
    dnsTotal: probe?.names.length ?? site.names.length,
    certificateReady: certificate?.verified === true && certificate.daysLeft > FEWEST_DAYS,
    certificateDays: certificate?.daysLeft ?? null,
    probedMs: probe?.atMs ?? null,
    advice: adviceOf(probe),
  };
  if (site.public_url !== '')
    return {
      ...common,
      configured: true,
      name: new URL(site.public_url).hostname,
      status: probe?.status ?? 0,
      reason: probe?.reason ?? (seen.watched ? 'the first look is under way' : 'see it with desk public'),
    };
  const good = answersWell(seen.embeddedStatus);
  return {
    ...common,
    configured: false,
    name: 'embedded public page',
    status: seen.embeddedStatus,
    reason: good ? '' : seen.embeddedReason || 'the embedded public listener does not answer',
  };
}

/** What could be done beside what keeps the site from answering, which is an issue. */
function adviceOf(probe: SiteProbe | null): string[] {
  if (probe === null) return [];
  const { url, names, certificate, magazine, status } = probe;
  return [
    ...names
      .filter(({ resolves }) => !resolves)
      .map(({ name, reason }) => `see to the name ${name}: ${reason}`),
    ...certificateAdvice(url, status, certificate),
    ...(magazine === null || magazine.reason === ''
      ? []
      : [`see to the magazine ${magazine.url}: ${magazine.reason}`]),
  ];
}

function certificateAdvice(url: string, status: number, certificate: SiteProbe['certificate']): string[] {
  if (url === '') return [];
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && status > 0) return [`serve ${hostname} by https, it has no certificate`];
  if (certificate === null || certificate.daysLeft > FEWEST_DAYS) return [];
  const { daysLeft } = certificate;
  const left = daysLeft < 0 ? 'it has ended' : `it ends in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`;
  return [`renew the certificate of ${hostname}, ${left}`];
}
