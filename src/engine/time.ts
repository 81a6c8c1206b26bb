/** The ways a record writes a time. Pure arithmetic: the zone's offset comes with the instant. */
import type { Instant } from './snapshot.ts';

const shifted = ({ epochMs, offsetMin }: Instant): string =>
  new Date(epochMs + offsetMin * 60_000).toISOString();

/** Local time `YYYY-MM-DDTHH:MM:SS` without offset. */
export const localTime = (at: Instant): string => shifted(at).slice(0, 19);

/** RFC 3339 with milliseconds and a numeric offset. */
export function offsetTime(at: Instant): string {
  const minutes = Math.abs(at.offsetMin);
  const two = (value: number) => String(value).padStart(2, '0');
  const sign = at.offsetMin < 0 ? '-' : '+';
  return `${shifted(at).slice(0, 23)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** RFC 3339 in UTC; null without a time. */
export const utcTime = (epochMs: number | null): string | null =>
  epochMs === null ? null : new Date(epochMs).toISOString();
