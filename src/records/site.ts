/** `GET /site`: the public site as it was last probed, and what has changed there. */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import { answersWell } from './derive.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import type { SiteLine, SiteProbe } from './site-probe.ts';

const text = z.string();
const flag = z.boolean();

const name = z.strictObject({
  name: text.describe('the name, as in [site] names'),
  resolves: flag.describe('it resolves, and to public addresses where [egress] allow lists it'),
  addresses: count.describe('addresses it resolves to'),
  reason: text.describe('why not and what to do; "" when it resolves'),
});
const certificate = z.strictObject({
  verified: flag.describe('the chain leads to a trusted authority, holds now and is for the name'),
  problem: text.describe('why not; "" when verified'),
  subject: text.describe('common name'),
  issuer: text.describe('who signed it'),
  names: z.array(text).describe('names it is for, at most 100'),
  valid_to: text.describe('when the first of the chain ends, RFC 3339'),
  days: z.int().describe('whole days until then, negative when it has ended'),
  chain: count.describe('certificates from the server to the authority, as far as known'),
});
const magazine = z.strictObject({
  url: text.describe('its address'),
  status: count.describe('HTTP status, 0 without an answer'),
  ok: flag.describe('2xx or 3xx'),
  reason: text.describe('why not and what to do; "" when ok'),
});
const line = z.strictObject({
  at: text.describe('RFC 3339'),
  status: count.describe('HTTP status, 0 without an answer'),
  ms: z.number().nonnegative().describe('how long the answer took'),
  changed: text.describe('what was otherwise than before; "" for the line of each hour'),
  reason: text.describe('why the site did not answer well; "" when it did'),
  names: count.describe('names that were looked up'),
  resolved: count.describe('those that resolved'),
  valid_to: text.describe('when the certificate ends; "" without one'),
  magazine: count.nullable().describe('HTTP status of the magazine; null when none is configured'),
});

interface SiteAsked {
  readonly moment: Moment;
  /** Null before the first probe, or when nothing is configured to be probed. */
  readonly probe: SiteProbe | null;
  /** Newest first. */
  readonly history: readonly SiteLine[];
}

const asked = wordsFor<SiteAsked>();
const offsetMin = ({ moment }: SiteAsked): number => moment.snapshot.at.offsetMin;
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

export const site = asked.record('Site', 'The public site as it was last probed', {
  ts: asked.field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: asked.constant('SITE', 'name of this answer'),
  configured: asked.field(
    flag,
    'a site is configured; else the embedded public page is the site',
    ({ moment }) => moment.desk.site.configured,
  ),
  name: asked.field(text, 'name of the site', ({ moment }) => moment.desk.site.name),
  url: asked.field(text, 'what is probed', ({ moment }) => moment.desk.site.url),
  status: asked.field(count, 'HTTP status, 0 without an answer', ({ moment }) => moment.desk.site.status),
  ok: asked.field(flag, 'status is 2xx or 3xx', ({ moment }) => answersWell(moment.desk.site.status)),
  reason: asked.field(text, 'why not and what to do; "" when ok', ({ moment }) => moment.desk.site.reason),
  redirect: asked.field(
    text,
    'where a redirect points; it is not followed; "" without one',
    ({ probe }) => probe?.redirect ?? '',
  ),
  ms: asked.field(
    z.number().nonnegative().nullable(),
    'from the first look at the name to the last byte, milliseconds; null before the first probe and where no site is configured',
    ({ probe }) => (probe === null || probe.url === '' ? null : rounded(probe.ms)),
  ),
  probed: asked.field(text.nullable(), 'when, RFC 3339; null before the first probe', (all) =>
    all.probe === null ? null : offsetTime({ epochMs: all.probe.atMs, offsetMin: offsetMin(all) }),
  ),
  names: asked.field(z.array(name), 'the configured names', ({ probe }) =>
    (probe?.names ?? []).map(({ name, resolves, addresses, reason }) => ({
      name,
      resolves,
      addresses,
      reason,
    })),
  ),
  certificate: asked.field(
    certificate.nullable(),
    'what the server showed; null without https or without an answer',
    ({ probe }) => certificateOf(probe?.certificate ?? null),
  ),
  magazine: asked.field(magazine.nullable(), 'the magazine; null when none is configured', ({ probe }) => {
    if (probe === null || probe.magazine === null) return null;
    const { url, status, reason } = probe.magazine;
    return { url, status, ok: answersWell(status), reason };
  }),
  history: asked.field(
    z.array(line),
    'newest first: one line when something changed, and one each hour',
    (all) => all.history.map((one) => lineOf(one, offsetMin(all))),
  ),
});
export type Site = RecordOf<typeof site>;

function certificateOf(shown: SiteProbe['certificate']): z.output<typeof certificate> | null {
  if (shown === null) return null;
  const { verified, problem, subject, issuer, names, validTo, daysLeft, chain } = shown;
  return { verified, problem, subject, issuer, names: [...names], valid_to: validTo, days: daysLeft, chain };
}

function lineOf({ atMs, ms, changed, state }: SiteLine, minutes: number): z.output<typeof line> {
  return {
    at: offsetTime({ epochMs: atMs, offsetMin: minutes }),
    status: state.status,
    ms: rounded(ms),
    changed,
    reason: state.reason,
    names: state.names,
    resolved: state.names - state.unresolved.length,
    valid_to: state.validTo,
    magazine: state.magazine,
  };
}
