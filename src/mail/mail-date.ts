/** Dates of mail headers (RFC 5322 sections 3.3 and 4.3). */

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const DATE =
  /(\d{1,2})\s{1,9}([a-z]{3})[a-z]{0,6}\s{1,9}(\d{2,4})\s{1,9}(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s{0,9}(?:([+-]\d{2})(\d{2})|([a-z]{1,5})))?/i;
/** Hours; RFC 5322 section 4.3: all others, the military ones too, count as -0000. */
const ZONES: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};
/** A date is no longer; what follows is not looked at. */
const LOOKED_AT = 200;

const DAY_MS = 86_400_000;
const EARLIEST = Date.UTC(1980, 0, 1);

/** Milliseconds since the epoch; null for what is no date. */
export function dateMs(text: string): number | null {
  const found = DATE.exec(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text);
  if (found === null) return null;
  const [
    ,
    day = '',
    month = '',
    yearText = '',
    hour = '',
    minute = '',
    second = '0',
    zoneHour,
    zoneMinute = '0',
    zone,
  ] = found;
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index % 3 !== 0 || index < 0) return null;
  let year = Number(yearText);
  if (yearText.length === 2) year += year < 50 ? 2000 : 1900;
  else if (yearText.length === 3) year += 1900;
  if (Number(day) < 1 || Number(day) > 31 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    return null;
  const local = Date.UTC(year, index / 3, Number(day), Number(hour), Number(minute), Number(second));
  const minutes =
    zoneHour === undefined
      ? 60 * (ZONES[zone?.toUpperCase() ?? ''] ?? 0)
      : (zoneHour.startsWith('-') ? -1 : 1) * (60 * Number(zoneHour.slice(1)) + Number(zoneMinute));
  return local - minutes * 60_000;
}

/** No mail is older than 1980 (RFC 822 is of 1982) or younger than tomorrow. */
export const believable = (ms: number | null, nowMs: number): ms is number =>
  ms !== null && ms >= EARLIEST && ms <= nowMs + DAY_MS;
