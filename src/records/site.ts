/** `GET /site`: the public site as it was last probed, and what has changed there. */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import {
  atState,
  count,
  field,
  flag,
  type RecordOf,
  type Source,
  stateHead,
  text,
  wordsFor,
} from './define.ts';
import { answersWell } from './derive.ts';
import type { SiteLine, SiteProbe } from './site-probe.ts';
import type { DeskState } from './state.ts';

export const nameSchema = z.strictObject({
  name: text.describe('the name, as in [site] names'),
  resolves: flag.describe('it resolves, and to public addresses where [egress] allow lists it'),
  addresses: count.describe('addresses it resolves to'),
  reason: text.describe('why not and what to do; "" when it resolves'),
});
export const certificateSchema = z.strictObject({
  verified: flag.describe('the chain leads to a trusted authority, holds now and is for the name'),
  problem: text.describe('why not; "" when verified'),
  subject: text.describe('common name'),
  issuer: text.describe('who signed it'),
  names: z.array(text).describe('names it is for, at most 100'),
  valid_to: text.describe('when the first of the chain ends, RFC 3339'),
  days: z.int().describe('whole days until then, negative when it has ended'),
  chain: count.describe('certificates from the server to the authority, as far as known'),
});
export const magazineSchema = z.strictObject({
  url: text.describe('its address'),
  status: count.describe('HTTP status, 0 without an answer'),
  ok: flag.describe('2xx or 3xx'),
  reason: text.describe('why not and what to do; "" when ok'),
});
export const historyLine = z.strictObject({
  at: text.describe('RFC 3339'),
  status: count.describe('HTTP status, 0 without an answer'),
  ms: z.number().nonnegative().describe('how long the answer took'),
  changed: text.describe('what changed; "" for the hourly line'),
  reason: text.describe('why the site did not answer well; "" when it did'),
  names: count.describe('names that were resolved'),
  resolved: count.describe('those that resolved'),
  valid_to: text.describe('when the certificate ends; "" without one'),
  magazine: count.nullable().describe('HTTP status of the magazine; null when not configured'),
});

interface SiteAsked {
  readonly state: DeskState;
  /** Null before the first probe, or when no site is configured. */
  readonly probe: SiteProbe | null;
  readonly history: readonly SiteLine[];
}

const asked = wordsFor<SiteAsked>();
const timeOf = ({ snapshot }: DeskState, epochMs: number): string => offsetTime({ ...snapshot.at, epochMs });
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

export const site = asked.record('Site', 'The public site as it was last probed', {
  ...stateHead('SITE'),
  ...atState({
    configured: field(
      flag,
      'a site is configured; else the embedded public page is the site',
      (m) => m.desk.site.configured,
    ),
    name: field(text, 'name of the site', (m) => m.desk.site.name),
    url: field(text, 'what is probed', (m) => m.desk.site.url),
    status: field(count, 'HTTP status, 0 without an answer', (m) => m.desk.site.status),
    ok: field(flag, 'status is 2xx or 3xx', (m) => answersWell(m.desk.site.status)),
    reason: field(text, 'why not and what to do; "" when ok', (m) => m.desk.site.reason),
  }),
  redirect: asked.field(
    text,
    'where a redirect points; it is not followed; "" without one',
    ({ probe }) => probe?.redirect ?? '',
  ),
  ms: asked.field(
    z.number().nonnegative().nullable(),
    'from name resolution to the last byte, milliseconds; null before the first probe and where no site is configured',
    ({ probe }) => (probe === null || probe.url === '' ? null : rounded(probe.ms)),
  ),
  probed: asked.field(
    text.nullable(),
    'when, RFC 3339; null before the first probe',
    ({ probe, state: deskState }) => probe && timeOf(deskState, probe.atMs),
  ),
  names: asked.field(z.array(nameSchema), 'the configured names', ({ probe }) => probe?.names ?? []),
  certificate: asked.field(
    certificateSchema.nullable(),
    'what the server showed; null without https or without an answer',
    ({ probe }) => (probe?.certificate ? { ...probe.certificate, days: probe.certificate.daysLeft } : null),
  ),
  magazine: asked.field(magazineSchema.nullable(), 'the magazine; null when not configured', ({ probe }) =>
    probe?.magazine ? { ...probe.magazine, ok: answersWell(probe.magazine.status) } : null,
  ),
  history: asked.field(
    z.array(historyLine),
    'newest first: one line for each change, and one every hour',
    ({ history, state: deskState }) => history.map((one) => lineOf(one, deskState)),
  ),
});
export type Site = RecordOf<typeof site>;

function lineOf({ state, ...line }: SiteLine, deskState: DeskState): Source<z.input<typeof historyLine>> {
  return {
    ...state,
    ...line,
    at: timeOf(deskState, line.atMs),
    ms: rounded(line.ms),
    resolved: state.names - state.unresolved.length,
  };
}
