/** One probe of the public site. Redirects are answers. Names of `[egress] allow` pass the guard's rules; others are only resolved. */
import type { Config } from '../../config/schema.ts';
import type { Egress } from '../../egress/egress.ts';
import { askWeb, type WebAnswer, type WebRefusal, webPlace } from '../../egress/https.ts';
import { hostRefusal } from '../../egress/rules.ts';
import { answersWell } from '../../records/derive.ts';
import { magazineOf } from '../../records/links.ts';
import type { ProbedMagazine, ProbedName, SiteProbe } from '../../records/site-probe.ts';
import { wasNotAsked } from './further-probe.ts';

const HTTPS_PORT = 443;
/** Of an address that a server names. */
const MOST_CHARACTERS = 500;

export interface SiteTargets {
  /** "" when none is configured. */
  readonly url: string;
  readonly magazine: string;
  readonly names: readonly { readonly host: string; readonly port: number }[];
}

/** `[site] names` are also what the public listener answers to: addresses among them are skipped. */
export function siteTargets(config: Config): SiteTargets {
  const { public_url: url, names } = config.site;
  const place = webPlace(url);
  const usual = place.ok ? place.port : HTTPS_PORT;
  return {
    url,
    magazine: magazineOf(config),
    names: names
      .map((name) => {
        const [, host = name, port = `${usual}`] = /^([^:]*)(?::(\d+))?$/.exec(name) ?? [];
        return { host, port: Number(port) };
      })
      .filter(({ host }) => hostRefusal(host)?.code !== 'ip-literal'),
  };
}

/** Never rejects. */
export async function probeSite(
  egress: Egress,
  { url, magazine, names }: SiteTargets,
  atMs: number,
): Promise<SiteProbe> {
  // The site first: lookups of many names wait in the same queue.
  const [page, shown, resolved] = await Promise.all([
    url === '' ? null : askWeb(egress, url),
    magazine === '' ? null : askWeb(egress, magazine),
    Promise.all(names.map((name) => probeName(egress, name))),
  ]);
  return {
    atMs,
    url,
    status: page?.ok ? page.status : 0,
    asked: page === null || page.ok || !wasNotAsked(page),
    ms: page?.ms ?? 0,
    reason: page === null ? '' : reasonOf(page),
    redirect: page?.ok ? (page.location ?? '').slice(0, MOST_CHARACTERS) : '',
    names: resolved,
    certificate: page?.certificate ?? null,
    magazine: shown === null ? null : magazineFacts(magazine, shown),
  };
}

const magazineFacts = (url: string, shown: WebAnswer | WebRefusal): ProbedMagazine => ({
  url,
  status: shown.ok ? shown.status : 0,
  reason: reasonOf(shown),
});

function reasonOf(answer: WebAnswer | WebRefusal): string {
  if (!answer.ok) return answer.reason;
  return answersWell(answer.status) ? '' : `it answers ${answer.status}, check the log of its server`;
}

async function probeName(
  egress: Egress,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ProbedName> {
  const listed = egress.refusalOf(host, port) === null;
  const found = await (listed ? egress.resolve(host, port) : egress.lookUp(host));
  return found.ok
    ? { name: host, resolves: true, addresses: found.addresses.length, reason: '' }
    : { name: host, resolves: false, addresses: 0, reason: found.reason };
}
