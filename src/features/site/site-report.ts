/** A watched site as it is shown: its state, since when, its uptime, and when it was down. Pure. */
import { DAYS_SHOWN, type PublicSite, type WatchedSite } from '../../records/sites.ts';
import type { Span, Tracked } from './site-state.ts';
import { joined, type Measured, measure, timelineOf } from './uptime.ts';

const DAY_MS = 86_400_000;
const MOST_DOWNS = 50;

/** Rounded down: less than all is never shown as all. */
const share = (part: number, whole: number): number => Math.floor((part / whole) * 1e6) / 1e6;

const sharesOf = ({ knownMs, upMs }: Measured, wholeMs: number) => ({
  up: knownMs === 0 ? null : share(upMs, knownMs),
  known: share(knownMs, wholeMs),
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** Part of both reports. */
interface Past {
  readonly since: string | null;
  readonly uptime: WatchedSite['uptime'];
  readonly downs: WatchedSite['downs'];
}

/** `spans`: all that is stored of the site, and the present one. */
export function pastOf({ state, span }: Tracked, spans: readonly Span[], nowMs: number): Past {
  const timeline = timelineOf(spans);
  const lasts = (ms: number) => sharesOf(measure(timeline, nowMs - ms, nowMs), ms);
  const stretches = joined(spans);
  // The clock may have been set back: the present stretch is the one that holds the present span.
  const isNow = ({ state, fromMs, toMs }: Span): boolean =>
    span !== null && state === span.state && fromMs <= span.fromMs && toMs >= span.toMs;
  const now = stretches.findLast(isNow);
  return {
    since: state === 'unknown' || now === undefined ? null : iso(now.fromMs),
    uptime: {
      day: lasts(DAY_MS),
      week: lasts(7 * DAY_MS),
      month: lasts(30 * DAY_MS),
      quarter: lasts(90 * DAY_MS),
    },
    downs: stretches
      .filter((one) => one.state === 'down' && one.toMs >= nowMs - DAYS_SHOWN * DAY_MS)
      .reverse()
      .slice(0, MOST_DOWNS)
      .map((one) => ({
        from: iso(one.fromMs),
        to: one === now && state === 'down' ? null : iso(one.toMs),
        seconds: Math.round((one.toMs - one.fromMs) / 1000),
        reason: one.reason,
      })),
  };
}

/** The last days in UTC, the oldest first; of today what has passed. */
export function daysOf(spans: readonly Span[], nowMs: number): PublicSite['days'] {
  const timeline = timelineOf(spans);
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const fromMs = today - (DAYS_SHOWN - 1 - index) * DAY_MS;
    const toMs = Math.min(fromMs + DAY_MS, Math.max(nowMs, fromMs + 1));
    const shares = sharesOf(measure(timeline, fromMs, toMs), toMs - fromMs);
    return { day: iso(fromMs).slice(0, 10), ...shares };
  });
}

/** What everyone may see of a site: nothing of reasons, addresses and certificates. */
export const publicOf = (
  { name, state, since, probed, uptime, downs }: WatchedSite,
  days: PublicSite['days'],
): PublicSite => ({
  ...{ name, state, since, probed, uptime, days },
  downs: downs.map(({ from, to, seconds }) => ({ from, to, seconds })),
});
