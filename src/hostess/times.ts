/** Times in a question: exact ones by their form, others as people say them, in four languages, by chrono-node. */
import { de, en, es, fr } from 'chrono-node';
import type { Instant } from '../engine/snapshot.ts';

/** Words without which nothing is asked of the parser: it takes a millisecond and more. */
const LIKELY =
  /\d\s*:\s*\d|\d\s*h\b|\d\s*(?:am|pm|uhr)\b|\d{4}-\d\d|\b(?:since|seit|depuis|desde|ago|vor|hace|il y a|last|letzte[nrs]?|derni[eè]re?s?|[uú]ltim[oa]s?|yesterday|gestern|hier|ayer|today|heute|aujourd.?hui|hoy|noon|midnight|mittag|midi|mediod[ií]a|morning|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|woche|semaine|semana|montag|lundi|lunes|past)\b/iu;

const EXACT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/i;
const DAY_MS = 86_400_000;
const PARSERS = [en, de, fr, es] as const;

/** Whether the word for "today" or "yesterday" alone is meant: from the begin of that day. */
const WHOLE_DAY = /^(?:today|heute|aujourd.?hui|hoy|yesterday|gestern|hier|ayer|this day)$/i;

export const mentionsTime = (text: string): boolean => LIKELY.test(text);

/** Midnight of the same day in the zone of the moment. */
function dayBegin(ms: number, { offsetMin }: Instant): number {
  const shift = offsetMin * 60_000;
  return Math.floor((ms + shift) / DAY_MS) * DAY_MS - shift;
}

/**
 * Milliseconds since the epoch of the time that a question names, by the clock and zone of the moment; a time of day that is still
 * to come today is yesterday's. Null when it names none.
 */
export function timeIn(text: string, now: Instant): number | null {
  if (!LIKELY.test(text)) return null;
  const exact = EXACT.exec(text)?.[0];
  if (exact !== undefined) {
    const ms = Date.parse(exact.toUpperCase());
    return Number.isNaN(ms) ? null : ms;
  }
  // "the last 10 minutes" is "10 minutes ago" to the parser.
  const asked = text
    .slice(0, 300)
    .replace(
      /\b(?:in |during |over )?the (?:last|past) (\d+|few|couple of)? ?(minute|hour|day|week|month)(s?)\b/giu,
      (_all, count = 'one', unit, many) => `${count === undefined ? 'one' : count} ${unit}${many} ago`,
    );
  const reference = { instant: new Date(now.epochMs), timezone: now.offsetMin };
  for (const parser of PARSERS) {
    const [found] = parser.casual.parse(asked, reference);
    if (found === undefined) continue;
    const { start } = found;
    if (WHOLE_DAY.test(found.text.trim())) return dayBegin(start.date().getTime(), now);
    let ms = start.date().getTime();
    const [day, weekday] = [start.isCertain('day'), start.isCertain('weekday')];
    if (ms > now.epochMs && !day) ms -= weekday ? 7 * DAY_MS : DAY_MS;
    // A day without a time of day is meant from its begin.
    return (day || weekday) && !start.isCertain('hour') ? dayBegin(ms, now) : ms;
  }
  return null;
}
