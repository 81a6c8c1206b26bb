/** Times in a question: exact ones by their form, others as people say them, in four languages, by chrono-node. */
import { Chrono, de, en, es, fr } from 'chrono-node';
import type { Instant } from '../../engine/snapshot.ts';

/** Words without which nothing is asked of the parser: it takes a millisecond and more. */
const LIKELY =
  /\d\s*:\s*\d|\d\s*h\b|\d\s*(?:am|pm|uhr)\b|\d{4}-\d\d|(?<!\p{L})(?:since|seit|depuis|desde|ago|vor|hace|il y a|last|letzte[nrs]?|derni[eè]re?s?|[uú]ltim[oa]s?|yesterday|gestern|hier|ayer|today|heute|aujourd.?hui|hoy|noon|midnight|mittag|midi|mediod[ií]a|morning|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|woche|semaine|semana|montag|lundi|lunes|past)\b/iu;

const EXACT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/i;
const DAY_MS = 86_400_000;
/**
 * Two parsers of English are expressions so large that compiling them holds everything up for tenths of a second: what was so long ago is
 * read below, in all four languages, and what is to come is not asked about.
 */
const TOO_LARGE = /^ENTimeUnit(?:Ago|Later)FormatParser$/;
const english = new Chrono({
  ...en.casual,
  parsers: en.casual.parsers.filter((parser) => !TOO_LARGE.test(parser.constructor.name)),
});
const PARSERS = [english, de.casual, fr.casual, es.casual] as const;

const UNITS: readonly (readonly [word: RegExp, sec: number])[] = [
  [/^mi/, 60],
  [/^(?:h|st)/, 3_600],
  [/^(?:d|t|j)/, 86_400],
  [/^(?:w|se)/, 604_800],
];
const COUNTS: ReadonlyMap<string, number> = new Map(
  [
    [1, 'a an one ein eine einer einem un une una'] as const,
    [2, 'two zwei deux dos'] as const,
    [3, 'three drei trois tres few'] as const,
    [4, 'four vier quatre cuatro'] as const,
    [5, 'five cinq cinco'] as const,
    [6, 'six sechs seis'] as const,
    [10, 'ten zehn dix diez'] as const,
  ].flatMap(([count, words]) => words.split(' ').map((word) => [word, count] as const)),
);
const UNIT =
  '(seconds?|sekunden?|secondes?|segundos?|minutes?|minuten?|minutos?|mins?|hours?|stunden?|heures?|horas?|days?|tag(?:en?)?|jours?|d[ií]as?|weeks?|wochen?|semaines?|semanas?)';
const COUNT = '(\\d{1,6}|\\p{L}{1,8})';
/** So long ago, and within the last so long. */
const RELATIVE = [
  new RegExp(`\\b${COUNT} ${UNIT} ago\\b`, 'iu'),
  new RegExp(`(?<!\\p{L})(?:vor|seit|hace|il y a|depuis|desde hace) ${COUNT} ${UNIT}(?!\\p{L})`, 'iu'),
  new RegExp(`\\b${COUNT} (?:derni[eè]re?s|[uú]ltim[oa]s) ${UNIT}(?!\\p{L})`, 'iu'),
  new RegExp(
    `(?<!\\p{L})(?:last|past|letzten?|letzte[rn]?|derni[eè]re?s?|[uú]ltim[oa]s?) (?:${COUNT} )?${UNIT}(?!\\p{L})`,
    'iu',
  ),
];

/** How long ago that is, ms; null when not said. */
function relative(text: string): number | null {
  for (const pattern of RELATIVE) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const [, count = 'one', unit = ''] = found;
    const number = /^\d/.test(count) ? Number(count) : COUNTS.get(count.toLowerCase());
    const name = unit.toLowerCase();
    const sec = /^se(?:k|c|g)/.test(name) ? 1 : UNITS.find(([word]) => word.test(name))?.[1];
    // "Last week" alone is a week of the calendar.
    if (number === undefined || sec === undefined || (found[1] === undefined && sec >= 86_400)) continue;
    return number * sec * 1000;
  }
  return null;
}

/** Short names of days that are words of another language. */
const NO_DAY = /\b(?:do|so|mi|di|sa|mar|mer|ven|sam|dim|vie|sun|sat)\b(?!\.)/giu;
const ASKS_WHEN = /^\W*(?:since when|seit wann|depuis quand|desde cu[aá]ndo)\b/iu;

/** Whether the word for "today" or "yesterday" alone is meant: from the begin of that day. */
const WHOLE_DAY = /^(?:today|heute|aujourd.?hui|hoy|yesterday|gestern|hier|ayer|this day)$/i;

/** From where, in the words for since when: "desde fuera". */
export const FROM_OUTSIDE =
  /\b(?:desde|depuis) (?:l |el |la )?(?:fuera|afuera|exterieur|exterior|internet|dehors)\b/u;

/** Since the machine runs: no time that is named, but what its counters count from. */
export const SINCE_START =
  /\b(?:since|seit|depuis|desde) (?:the |its |it |dem |der |le |la |el |du )?(?:last |letzten )?(?:start|startup|boot\w*|reboot|(?:neu|system)start|demarrage|arranque|inicio)\b/u;

export const mentionsTime = (text: string): boolean => LIKELY.test(text);

/** Midnight of the same day in the zone of the state. */
function dayBegin(ms: number, { offsetMin }: Instant): number {
  const shift = offsetMin * 60_000;
  return Math.floor((ms + shift) / DAY_MS) * DAY_MS - shift;
}

/** Epoch ms of the time a question names, in the state's zone; a time of day later than now is yesterday's. Null when it names none. */
export function timeIn(text: string, now: Instant): number | null {
  const ms = timeNamed(text, now);
  // Before all clocks: no record is from there, and RFC 3339 has no years before 0.
  return ms === null || ms < 0 ? null : ms;
}

function timeNamed(text: string, now: Instant): number | null {
  if (!LIKELY.test(text) || ASKS_WHEN.test(text)) return null;
  const exact = EXACT.exec(text)?.[0];
  if (exact !== undefined) {
    const ms = Date.parse(exact.toUpperCase());
    return Number.isNaN(ms) ? null : ms;
  }
  const asked = text
    .slice(0, 300)
    .replace(/\bhalf an hour\b/iu, '30 minutes')
    .replace(NO_DAY, ' ');
  const agoMs = relative(asked);
  if (agoMs !== null) return now.epochMs - agoMs;
  const reference = { instant: new Date(now.epochMs), timezone: now.offsetMin };
  for (const parser of PARSERS) {
    const [found] = parser.parse(asked, reference);
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
