/**
 * Times in a question, in four languages: the one grammar of times. It reads text without marks and capitals (`plainOf`): so long ago,
 * clocks, days with their parts, dates, weeks and months, and what lies between two of these.
 */
import type { Instant } from '../../engine/snapshot.ts';
import { timesSpelled } from './time-spelling.ts';
import {
  AGO,
  AT,
  any,
  BARE,
  BETWEEN,
  CLOCK,
  COUNT,
  COUNTS,
  DAY,
  DAY_MS,
  DAYS,
  EXACT,
  FROM,
  HALF,
  HOUR_MS,
  LENGTH,
  MIN_MS,
  MONTHS,
  NAMED_PARTS,
  OLDER,
  PART,
  PARTS,
  PERIOD,
  PERIODS,
  POINT,
  UNIT,
  UNITS,
  UNTIL,
  WEEKDAYS,
  WITHIN,
  YOUNGER,
} from './time-words.ts';

/** A time in the question. `ago`: at that time; `since`: from then on; `day`: during that time; `until`: before that time. */
export interface Moment {
  readonly how: 'ago' | 'since' | 'day' | 'until';
  readonly ms: number;
  /** When it ends; null where that is now. */
  readonly untilMs: number | null;
  readonly text: string;
}

/** From where, in the words for since when: "desde fuera". */
export const FROM_OUTSIDE =
  /\b(?:desde|depuis) (?:l |el |la )?(?:fuera|afuera|exterieur|exterior|internet|dehors)\b/u;

/** Since the machine runs: no time that is named, but what its counters count from. */
export const SINCE_START =
  /\b(?:since|seit|depuis|desde) (?:the |its |it |dem |der |le |la |el |du )?(?:last |letzten )?(?:start|startup|boot\w*|reboot|(?:neu|system)start|demarrage|arranque|inicio)\b/u;

interface Span {
  readonly ms: number;
  /** Of a time of day the same. */
  readonly untilMs: number;
}

const countOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : new RegExp(`^(?:${HALF})$`).test(text) ? 0.5 : (COUNTS.get(text) ?? 1);
const unitOf = (text: string): number =>
  UNITS.find(([words]) => new RegExp(`\\b(?:${words})\\b`).test(text))?.[1] ?? Number.NaN;

/** Reads times as seen from an instant, in its zone. */
class Calendar {
  readonly #nowMs: number;
  readonly #shiftMs: number;
  constructor({ epochMs, offsetMin }: Instant) {
    this.#nowMs = epochMs;
    this.#shiftMs = offsetMin * MIN_MS;
  }

  #midnight(ms: number): number {
    return Math.floor((ms + this.#shiftMs) / DAY_MS) * DAY_MS - this.#shiftMs;
  }

  #date(year: number, month: number, day: number): number | null {
    const date = new Date(Date.UTC(year, month - 1, day));
    return date.getUTCDate() === day && date.getUTCMonth() === month - 1
      ? date.getTime() - this.#shiftMs
      : null;
  }

  /** The begin of the day of a phrase; null for no date that there is. */
  #dayOf(text: string): number | null {
    const today = this.#midnight(this.#nowMs);
    for (const [word, days] of DAYS)
      if (new RegExp(`(?:^|the )${word}\\b`).test(text)) return today - days * DAY_MS;
    for (const [word, at] of WEEKDAYS)
      if (new RegExp(`\\b${word}\\b`).test(text)) {
        const now = (new Date(today + this.#shiftMs).getUTCDay() + 6) % 7;
        const back = (now - at + 7) % 7;
        return today - (back === 0 && /last|letzte|pasado|dernier/.test(text) ? 7 : back) * DAY_MS;
      }
    const iso = /(\d{4})-(\d{2})-(\d{2})/.exec(text);
    if (iso !== null) return this.#date(Number(iso[1]), Number(iso[2]), Number(iso[3]));
    const named = new RegExp(`\\b(${any(MONTHS)})\\b`).exec(text)?.[1];
    const dotted = /(\d{1,2})\.(\d{1,2})\.(\d{4})?/.exec(text);
    const year = Number(/\b\d{4}\b/.exec(text)?.[0] ?? dotted?.[3] ?? Number.NaN);
    const day = Number(dotted?.[1] ?? /\b(\d{1,2})(?!\d)/.exec(text)?.[1]);
    const month = dotted === null ? MONTHS.get(named ?? '') : Number(dotted[2]);
    if (month === undefined) return null;
    const own = new Date(this.#nowMs + this.#shiftMs).getUTCFullYear();
    if (!Number.isNaN(year)) return this.#date(year, month, day);
    const ms = this.#date(own, month, day);
    return ms !== null && ms > this.#nowMs ? this.#date(own - 1, month, day) : ms;
  }

  /** A day, or the part of it that is named. */
  day(text: string): Span | null {
    for (const [words, days, part] of NAMED_PARTS)
      if (new RegExp(`^(?:${words})$`).test(text))
        return this.#part(this.#midnight(this.#nowMs) - days * DAY_MS, part);
    const begin = this.#dayOf(text);
    if (begin === null) return null;
    const part = PARTS.findIndex(([words]) => new RegExp(` (?:${words})$`).test(text));
    return part < 0 ? { ms: begin, untilMs: begin + DAY_MS } : this.#part(begin, part);
  }

  #part(begin: number, at: number): Span {
    const [, from, until] = PARTS[at] as (typeof PARTS)[number];
    // At four o'clock, "this morning" is what there was of it.
    if (at === 0 && begin <= this.#nowMs && begin + from * HOUR_MS > this.#nowMs)
      return { ms: begin, untilMs: begin + until * HOUR_MS };
    return { ms: begin + from * HOUR_MS, untilMs: begin + until * HOUR_MS };
  }

  /** The time of day, ms; null for none that there is. */
  #clock(text: string): number | null {
    if (/^(?:noon|midday|mittags?|midi|mediodia)$/.test(text)) return 12 * HOUR_MS;
    if (/^(?:midnight|mitternacht|minuit|medianoche)$/.test(text)) return 0;
    const [, hourText = '', minText = '0'] = /^(\d{1,2})(?:\D+(\d{2}))?/.exec(text) ?? [];
    const half = /\b(?:\d*)(am|pm)\b/.exec(text.replace(/(\d)(am|pm)/, '$1 $2'))?.[1];
    const hour = Number(hourText) + (half === 'pm' && Number(hourText) < 12 ? 12 : 0);
    const at = half === 'am' && hour === 12 ? 0 : hour;
    if (hourText === '' || at > 24 || Number(minText) > 59) return null;
    return at * HOUR_MS + Number(minText) * MIN_MS;
  }

  /** A point with or without a day; `day`: the one that is meant where it names none. */
  point(text: string, day: string | null = null): Span | null {
    if (new RegExp(`^${EXACT}$`).test(text)) {
      const zoned = /(?:z|[+-]\d{2}:\d{2})$/.test(text);
      const ms = Date.parse(zoned ? text.toUpperCase() : `${text.toUpperCase()}Z`);
      const at = zoned ? ms : ms - this.#shiftMs;
      return Number.isNaN(at) ? null : { ms: at, untilMs: at };
    }
    const named = new RegExp(`(?:^|\\b)(?:${DAY})`).exec(text)?.[0] ?? null;
    const clockText = named === null ? text : text.replace(named, ' ');
    const clock = new RegExp(`${CLOCK}|^${BARE}$`).exec(clockText.trim())?.[0] ?? null;
    const of = named ?? day;
    if (clock === null) return named === null ? null : this.day(named);
    const time = this.#clock(clock);
    if (time === null) return null;
    if (of === null) {
      const ms = this.#midnight(this.#nowMs) + time;
      const before = ms > this.#nowMs ? ms - DAY_MS : ms;
      return { ms: before, untilMs: before };
    }
    const span = this.day(of);
    if (span === null) return null;
    const begin = this.#midnight(span.ms);
    // "At 2 last night" is on the day on which that night ends.
    const night = span.untilMs - begin > DAY_MS && begin + time < span.ms;
    const late = span.ms - begin >= 12 * HOUR_MS && !night && time < 12 * HOUR_MS && !/am|pm|:/.test(clock);
    const ms =
      begin + time + (night ? DAY_MS : 0) + (late && span.untilMs - begin <= DAY_MS ? 12 * HOUR_MS : 0);
    return { ms, untilMs: ms };
  }

  period(text: string): Span | null {
    const [, unit, ago] = PERIODS.find(([words]) => new RegExp(`(?:^|\\b)(?:${words})$`).test(text)) ?? [];
    if (unit === undefined || ago === undefined) return null;
    const today = this.#midnight(this.#nowMs);
    const local = new Date(today + this.#shiftMs);
    if (unit === 'weekend') {
      // From Saturday on it is this one, else the last.
      const saturday = today - ((local.getUTCDay() + 1) % 7) * DAY_MS;
      return { ms: saturday, untilMs: saturday + 2 * DAY_MS };
    }
    if (unit === 'week') {
      const monday = today - ((local.getUTCDay() + 6) % 7) * DAY_MS;
      return { ms: monday - ago * 7 * DAY_MS, untilMs: monday + (1 - ago) * 7 * DAY_MS };
    }
    const first = (more: number): number =>
      Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + more, 1) - this.#shiftMs;
    return { ms: first(-ago), untilMs: first(1 - ago) };
  }

  /** A month by its name; of no year, the last one that has begun. */
  month(name: string, year: string | undefined): Span {
    const month = (MONTHS.get(name) ?? 1) - 1;
    const own = new Date(this.#nowMs + this.#shiftMs).getUTCFullYear();
    const first = (of: number, at = month): number => Date.UTC(of, at, 1) - this.#shiftMs;
    const of = year !== undefined ? Number(year) : first(own) > this.#nowMs ? own - 1 : own;
    return { ms: first(of), untilMs: first(of, month + 1) };
  }

  /** So long ago. */
  ago(text: string): number {
    const found = new RegExp(`(?:\\b(${COUNT}) )?(${UNIT})\\b`).exec(
      text.replace(/^(?:vor|hace|il y a|desde hace|seit|depuis) /, ''),
    );
    const counted = new RegExp(`\\b(${COUNT})\\b`).exec(text.replace(/^(?:vor|il y a|hace) /, ''))?.[1];
    return this.#nowMs - countOf(found?.[1] ?? counted ?? 'one') * unitOf(text);
  }

  /** From one point to another, on the same day where they name none. */
  between(from: string, to: string, day: string | null): Span | null {
    const isBare = (text: string): boolean => new RegExp(`^${BARE}$`).test(text);
    const half = /(?:am|pm|uhr|h)$/.exec(to)?.[0] ?? null;
    // Two bare numbers are times of day only with a day.
    if (isBare(from) && isBare(to) && day === null) return null;
    if (isBare(from) && !isBare(to) && half === null && !/:/.test(to) && day === null) return null;
    const begin = this.point(
      isBare(from) && (half === 'am' || half === 'pm') ? `${from} ${half}` : from,
      day,
    );
    const end = this.point(to, day);
    if (begin === null || end === null) return null;
    const until = end.untilMs;
    // Both without a day: the last time that this was over or has begun.
    if (until <= begin.ms)
      return { ms: begin.ms - DAY_MS < until ? begin.ms - DAY_MS : begin.ms, untilMs: until };
    return { ms: begin.ms, untilMs: until };
  }
}

type Reader = (found: RegExpExecArray, calendar: Calendar) => Omit<Moment, 'text'> | null;

const since: Reader = ([, text = ''], calendar) => {
  const span = calendar.point(text);
  return span === null ? null : { how: 'since', ms: span.ms, untilMs: null };
};
const ago =
  (how: Moment['how']): Reader =>
  ([, text = ''], calendar) => ({ how, ms: calendar.ago(text), untilMs: null });

/** The first that fits is the time. */
const PATTERNS: readonly (readonly [pattern: RegExp, reader: Reader])[] = [
  ...BETWEEN.map((pattern): readonly [RegExp, Reader] => [
    pattern,
    ({ groups = {} }, calendar) => {
      const span = calendar.between(groups.from ?? '', groups.to ?? '', groups.late ?? groups.day ?? null);
      return span === null ? null : { how: 'day', ...span };
    },
  ]),
  [
    new RegExp(
      `\\b(?:(?<from>${FROM})|in|im|en|au mois de|during|wahrend|durante) (?:the month of |el mes de |mois de |dem )?(?<month>${any(MONTHS)})(?: (?:de |of )?(?<year>\\d{4}))?(?!\\w| \\d|[.,] ?\\d)`,
    ),
    ({ groups = {} }, calendar) => {
      const span = calendar.month(groups.month ?? '', groups.year);
      return groups.from === undefined
        ? { how: 'day', ...span }
        : { how: 'since', ms: span.ms, untilMs: null };
    },
  ],
  // "Older than two days", "running for less than an hour".
  [new RegExp(`\\b${OLDER} (${COUNT} ${UNIT})(?!\\w)`), ago('until')],
  [new RegExp(`\\b${YOUNGER} (${COUNT} ${UNIT})(?!\\w)`), ago('since')],
  [new RegExp(`\\bless than (${COUNT} ${UNIT}) ago(?!\\w)`), ago('since')],
  [new RegExp(`\\bmore than (${COUNT} ${UNIT}) ago(?!\\w)`), ago('until')],
  [new RegExp(`\\b${FROM} (${AGO})(?!\\w)`), ago('since')],
  [new RegExp(`\\b(${AGO})(?!\\w)`), ago('ago')],
  [
    new RegExp(`\\b(?:${FROM} )?${WITHIN}(?:in )?(${PERIOD})(?!\\w)`),
    ([whole, text = ''], calendar) => {
      const span = calendar.period(text);
      if (span === null) return null;
      const begins = new RegExp(`^${FROM} `).test(whole);
      return { how: begins ? 'since' : 'day', ms: span.ms, untilMs: begins ? null : span.untilMs };
    },
  ],
  [new RegExp(`\\b(?:${FROM} )?${WITHIN}(${LENGTH})(?!\\w)`), ago('since')],
  [
    new RegExp(`\\b(?:seit|depuis|desde hace) (?:uber |plus d |mas de )?(${COUNT} ${UNIT})(?!\\w)`),
    ago('since'),
  ],
  [new RegExp(`\\b${FROM} ${AT}(${POINT})(?!\\w)`), since],
  [
    new RegExp(`\\b${UNTIL} ${AT}(${POINT})(?!\\w)`),
    ([, text = ''], calendar) => {
      const span = calendar.point(text);
      return span === null ? null : { how: 'until', ms: span.ms, untilMs: null };
    },
  ],
  [
    new RegExp(`\\b${AT}(${POINT})(?!\\w)`),
    ([whole, text = ''], calendar) => {
      const span = calendar.point(text);
      if (span === null) return null;
      if (span.ms < span.untilMs) return { how: 'day', ...span };
      // A number alone is a time where it is written as one.
      return /^\d{1,2} (?:heures|horas)/.test(text) && !/^(?:a|vers) /.test(whole)
        ? null
        : { how: 'ago', ms: span.ms, untilMs: null };
    },
  ],
];

const ASKS_WHEN = /^\W*(?:since when|seit wann|depuis quand|desde cuando)\b/;
/** A word without which there is no time: most questions have none, and the patterns cost more. */
const LIKELY = new RegExp(
  `\\d:\\d|\\d ?(?:am|pm|h(?:\\d\\d)?|uhr)\\b|\\d-\\d|\\d\\.\\d{1,2}\\.|\\b(?:${any(DAYS)}|${any(WEEKDAYS)}|${any(MONTHS)}|${UNIT}|${PART}|anoche|tonight|noon|midday|midnight|mittags?|mitternacht|midi|minuit|mediodia|medianoche|o clock|week-?end|wochenende|fin de semana)\\b`,
);

/** The time that a question names, and the question without it. `plain`: without marks and capitals. */
export function momentIn(
  plain: string,
  now: Instant,
  mark = ' ',
): { readonly moment: Moment | null; readonly rest: string } {
  const read = momentOf(plain, now, mark);
  const spelled = timesSpelled(plain);
  if (spelled === plain) return read;
  // Only where it makes a time, or more of one: it may be a name.
  const again = momentOf(spelled, now, mark);
  return again.moment !== null && again.moment.text.length > (read.moment?.text.length ?? 0) ? again : read;
}

function momentOf(
  plain: string,
  now: Instant,
  mark: string,
): { readonly moment: Moment | null; readonly rest: string } {
  if (LIKELY.test(plain)) {
    const calendar = new Calendar(now);
    const asked = plain.slice(0, 300);
    for (const [pattern, reader] of PATTERNS) {
      const found = pattern.exec(asked);
      const read = found === null ? null : reader(found, calendar);
      // Before all clocks: no record is from there, and RFC 3339 has no years before 0.
      if (found === null || read === null || Number.isNaN(read.ms) || read.ms < 0) continue;
      const text = found[0].trim();
      const untilMs = read.untilMs !== null && read.untilMs >= now.epochMs ? null : read.untilMs;
      return { moment: { ...read, untilMs, text }, rest: plain.replace(text, () => ` ${mark} `) };
    }
  }
  return { moment: null, rest: plain };
}

/** Epoch ms of the time that a question names; a time of day later than now is yesterday's. Null when it names none. */
export const timeIn = (plain: string, now: Instant): number | null =>
  ASKS_WHEN.test(plain) ? null : (momentIn(plain, now).moment?.ms ?? null);
