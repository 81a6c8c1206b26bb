/** What the charts show: panels of lines over the columns of a history, continued by what comes live. Pure. */
import type { History } from '../records/history.ts';
import type { Live } from '../records/live.ts';
import {
  type HistorySpan,
  MEASURES,
  type MeasureName,
  measured,
  type Sample,
  SPAN_SEC,
  TAKES_MOST,
} from '../records/measures.ts';
import type { Page } from '../records/page.ts';
import { duration, number, percent } from './parts.tsx';

export type Span = HistorySpan;
export const SPANS = [
  ['15m', '15 minutes'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
] as const satisfies readonly (readonly [Span, string])[];

/** Seconds until the answer for a span is asked for again; live records continue it meanwhile. */
export const HOLDS_SEC: Readonly<Record<Span, number>> = { '15m': 900, '24h': 60, '7d': 600 };

export type Values = readonly (number | null)[];

/** The sample of now, from the page record and, where one came, the live record. */
export const pointOf = (page: Page, live: Live | null): Sample => ({
  at: Math.floor(Date.parse(live?.ts ?? page.ts) / 1000),
  ...measured((name) => MEASURES[name].onPage(page, live)),
});

/** Samples may be this many steps apart before the line breaks. */
const BREAK_STEPS = 2.5;
/** `history` with `point` in its last place, or as a new one; what has left the span is dropped. The same where the point is older. */
export function continued(history: History, point: Sample): History {
  const { step_sec: step, at } = history;
  const begins = Math.floor(point.at / step) * step;
  const last = at.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (begins < last) return history;
  const goesOn = begins === last;
  const breaks = !goesOn && at.length > 0 && begins - last > step * BREAK_STEPS;
  const kept = at.findIndex((time) => time > begins - SPAN_SEC[history.span].reach);
  const from = kept < 0 ? at.length : kept;
  const grown = (values: Values, value: number | null, greatest: boolean): (number | null)[] => {
    const list = values.slice(from, goesOn ? -1 : undefined);
    const before = goesOn ? values.at(-1) : null;
    if (breaks) list.push(null);
    list.push(greatest && value !== null ? Math.max(value, before ?? value) : value);
    return list;
  };
  const columns = measured((name) => grown(history[name], point[name], TAKES_MOST.has(name)));
  const times = at.slice(from, goesOn ? -1 : undefined);
  if (breaks) times.push(last + step);
  times.push(begins);
  return { ...history, ...columns, at: times };
}

export interface Line {
  readonly label: string;
  /** Which of the colours of charts. */
  readonly colour: 1 | 2 | 3;
  readonly filled?: boolean;
  readonly measures: readonly [MeasureName, MeasureName?];
  /** What is drawn of the measures. */
  of(first: number | null, second: number | null): number | null;
}

export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly Line[];
  /** A value with its unit. */
  readonly format: (value: number) => string;
  /** Ticks of the scale are whole numbers. */
  readonly whole: boolean;
  /** The scale begins at 0, and reaches at least so far. */
  readonly least: number;
  /** Said where there is nothing to draw. */
  readonly absent: string;
}

const degrees = (value: number): string => `${number(value)} °C`;
const line = (label: string, colour: Line['colour'], key: MeasureName, filled = false): Line => ({
  label,
  colour,
  filled,
  measures: [key],
  of: (value) => value,
});
const counted = { format: number, whole: true, least: 4, absent: 'Nothing was counted in this time.' };

export const PANELS: readonly Panel[] = [
  {
    id: 'recheck',
    title: 'Recheck time',
    lines: [line('recheck', 1, 'recheck_us', true), line('longest', 2, 'recheck_max_us')],
    format: duration,
    whole: false,
    least: 100,
    absent: 'No recheck was measured in this time.',
  },
  {
    id: 'processes',
    title: 'Processes',
    lines: [line('all', 1, 'pids', true), line('wrapped', 2, 'wrapped')],
    ...counted,
  },
  {
    id: 'wrapped',
    title: 'Wrapped share',
    lines: [
      {
        label: 'wrapped',
        colour: 2,
        filled: true,
        measures: ['wrapped', 'pids'],
        of: (wrapped, pids) =>
          pids === null || wrapped === null || pids === 0 ? null : (100 * wrapped) / pids,
      },
    ],
    format: percent,
    whole: false,
    least: 100,
    absent: 'No process was counted in this time.',
  },
  {
    id: 'listeners',
    title: 'Listeners',
    lines: [line('public', 1, 'public_listen'), line('loopback', 2, 'bgl')],
    ...counted,
  },
  {
    id: 'findings',
    title: 'Findings and scars',
    lines: [line('findings', 1, 'findings'), line('scars', 3, 'scars', true)],
    ...counted,
  },
  {
    id: 'temperature',
    title: 'Temperature',
    lines: [line('warmest', 1, 'temp_c', true)],
    format: degrees,
    whole: false,
    least: 60,
    absent: 'This machine has no thermal sensor that could be read.',
  },
];

/** The values of a line in the order of `history.at`. */
export const valuesOf = (history: History, { of, measures: [first, second] }: Line): Values => {
  const values = history[first];
  if (second === undefined) return values;
  const others = history[second];
  return values.map((value, row) => of(value, others[row] ?? null));
};

/** What a line shows of one point. */
export const shownOf = (point: Sample, { of, measures: [first, second] }: Line): number | null =>
  of(point[first], second === undefined ? null : point[second]);

export interface Summary {
  readonly now: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** Of the values that are there; null without any. `now` is the last of them. */
export function summaryOf(values: Values): Summary | null {
  const there = values.filter((value) => value !== null);
  if (there.length === 0) return null;
  const sorted = Float64Array.from(there).sort();
  return {
    now: there.at(-1) as number,
    least: sorted[0] as number,
    median: sorted[(sorted.length - 1) >> 1] as number,
    most: sorted.at(-1) as number,
  };
}

/** Minutes by which the local time of the record's `ts` is ahead of UTC. */
export function offsetOf(ts: string): number {
  const found = /([+-])(\d\d):(\d\d)$/.exec(ts);
  if (found === null) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3]));
}

/** `14:03:22`, `14:03`, or with the day `21 Nov 14:00`: as exact as the samples of the span. */
export function timeText(sec: number, offsetMin: number, span: Span): string {
  const iso = new Date((sec + offsetMin * 60) * 1000).toISOString();
  if (span === '15m') return iso.slice(11, 19);
  if (span === '24h') return iso.slice(11, 16);
  return `${dayText(sec, offsetMin)} ${iso.slice(11, 16)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov`. */
export function dayText(sec: number, offsetMin: number): string {
  const day = new Date((sec + offsetMin * 60) * 1000);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
}
