/** Times in the past as people write them. */
import { durationMs } from './duration.ts';

/** `2h`, `30 min`, `2 hours ago`; the first letter of the unit says which. */
const AGO =
  /^(\d{1,6}) ?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?)?|d(?:ays?)?|w(?:eeks?)?)(?: ago)?$/i;

/**
 * Milliseconds since the epoch of: today, yesterday, `2h`, `7d`, "2 hours ago", or a date or time as ISO 8601, local without a
 * zone. NaN for anything else.
 */
export function pastTime(text: string, nowMs: number): number {
  const [, number = '', unit = ''] = AGO.exec(text) ?? [];
  if (number !== '') return nowMs - durationMs(`${number}${unit.charAt(0).toLowerCase()}`);
  const days = ['today', 'yesterday'].indexOf(text.toLowerCase());
  if (days >= 0) {
    const midnight = new Date(nowMs);
    midnight.setHours(0, 0, 0, 0);
    midnight.setDate(midnight.getDate() - days);
    return midnight.getTime();
  }
  const [, month = '', day = ''] = /^\d{4}-(\d\d)-(\d\d)/.exec(text) ?? [];
  // Date takes 31 days in every month.
  const date = new Date(Date.UTC(Number(text.slice(0, 4)), Number(month) - 1, Number(day)));
  if (day === '' || date.getUTCDate() !== Number(day)) return Number.NaN;
  // A date alone is read as UTC by Date, but means the day of the reader.
  return Date.parse(text.length === 10 ? `${text}T00:00:00` : text);
}

/** Examples for an error. */
export const PAST_TIMES = 'today, yesterday, 2h, 7d, 2026-01-31 or 2026-01-31T08:00:00+01:00';
