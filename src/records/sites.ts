/** `GET /sites`: every site that is watched, with its uptime; and what of it everyone may see. */
import { z } from 'zod';
import { count, done, flag, given, type RecordOf, type Source, text } from './define.ts';

export const SITE_STATES = ['up', 'down', 'unknown'] as const;
/** Days of the bars of the status page. */
export const DAYS_SHOWN = 90;

const share = z.number().min(0).max(1);
const known = share.describe('share of this time in which the state is known');
const measured = z.strictObject({
  up: share
    .nullable()
    .describe('time up as a share of the known time, rounded down; null where nothing is known'),
  known,
});
const uptime = z.strictObject({
  day: measured.describe('the last 24 hours'),
  week: measured.describe('the last 7 days'),
  month: measured.describe('the last 30 days'),
  quarter: measured.describe('the last 90 days'),
});
const state = z.enum(SITE_STATES);
const since = text
  .nullable()
  .describe(
    'since when, RFC 3339; null while the state is unknown. A pause of the desk of up to 5 minutes is left out',
  );
const from = text.describe('when it went down, RFC 3339: the first probe that failed');
const to = text
  .nullable()
  .describe('when it was up again or last seen down, RFC 3339; null while it is down');
const seconds = count.describe('how long it was down, whole seconds');

export const siteDown = z.strictObject({
  from,
  to,
  seconds,
  reason: text.describe('why, as of the first probe that failed'),
});

export const watchedSite = z.strictObject({
  name: text.describe('its name, as in [[sites]]; of the public site its host name'),
  main: flag.describe('it is the public site of [site], which desk public shows in full'),
  url: text.describe('what is probed'),
  state: state.describe(
    'down: two probes in a row failed. unknown: not probed yet, or this machine or [egress] does not let the desk ask',
  ),
  since,
  failing: flag.describe('the last probe failed for the first time and is about to be repeated'),
  reason: text.describe('why the last probe failed and what to do; "" when it did not'),
  status: count.describe('HTTP status of the last probe, 0 without an answer'),
  ms: z
    .number()
    .nonnegative()
    .nullable()
    .describe('from name resolution to the last byte, milliseconds; null before the first probe'),
  probed: text.nullable().describe('when it was last probed, RFC 3339; null before that'),
  every_sec: count.describe('seconds between probes'),
  certificate_ends: text
    .nullable()
    .describe('when the first certificate of the chain ends, RFC 3339; null without one'),
  certificate_days: z
    .int()
    .nullable()
    .describe('whole days until then, negative when it has ended; null without one'),
  advice: z.array(text).describe('what could be done, e.g. renew the certificate'),
  uptime: uptime.describe('how much of the time it was up, and of how much that is known'),
  downs: z.array(siteDown).describe('when it was down within 90 days, the newest first, at most 50'),
});

export const sites = done('Sites', 'SITES', 'Every site that is watched, with its uptime', {
  sites: z.array(watchedSite).describe('the public site first, then those of [[sites]]'),
});
export type Sites = RecordOf<typeof sites>;
/** A site as it is watched, without the times as text. */
export type WatchedSite = Source<z.output<typeof watchedSite>>;

const day = z.strictObject({
  day: text.describe('YYYY-MM-DD in UTC'),
  up: measured.shape.up,
  known,
});

const publicSite = z.strictObject({
  name: watchedSite.shape.name,
  state: state.describe('up, down or unknown'),
  since,
  probed: watchedSite.shape.probed,
  uptime: uptime.describe('how much of the time it was up, and of how much that is known'),
  days: z.array(day).describe('the last 90 days, the oldest first; today up to now'),
  downs: z
    .array(z.strictObject({ from, to, seconds }))
    .describe('when it was down within 90 days, the newest first, at most 50'),
});

export const uptimePage = given('Uptime', 'What the status page shows to everyone', {
  title: text.describe('[status_page] title'),
  sites: z.array(publicSite).describe('those of [status_page] sites, in its order'),
});
export type UptimePage = RecordOf<typeof uptimePage>;
export type PublicSite = UptimePage['sites'][number];
