/** What the charts show: panels of lines over the columns of a history, continued by live records. Pure. */
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

/** Seconds until the history of a span is read again; live records continue it meanwhile. */
export const HOLDS_SEC: Readonly<Record<Span, number>> = { '15m': 900, '24h': 60, '7d': 600 };

export type Values = readonly (number | null)[];

/** The sample of now, from the page record and, where one came, the live record. */
export const pointOf = (page: Page, live: Live | null): Sample => ({
  at: Math.floor(Date.parse(live?.ts ?? page.ts) / 1000),
  ...measured((name) => MEASURES[name].onPage(page, live)),
});

/** Samples may be this many steps apart before the line breaks. */
const BREAK_STEPS = 2.5;
/** `history` with `point` merged into its last sample, or appended; what has left the span is dropped. Unchanged if the point is older. */
export function continued(history: History, point: Sample): History {
  const { step_sec: step, at } = history;
  const begins = Math.floor(point.at / step) * step;
  const last = at.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (begins < last) return history;
  const merges = begins === last;
  const breaks = !merges && at.length > 0 && begins - last > step * BREAK_STEPS;
  const kept = at.findIndex((time) => time > begins - SPAN_SEC[history.span].reach);
  const grown = <T>(values: readonly T[], gap: T, value: T): T[] => [
    ...values.slice(kept < 0 ? at.length : kept, merges ? -1 : undefined),
    ...(breaks ? [gap] : []),
    value,
  ];
  const columns = measured((name) => {
    const [value, before] = [point[name], merges ? history[name].at(-1) : null];
    const most = TAKES_MOST.has(name) && value !== null ? Math.max(value, before ?? value) : value;
    return grown<number | null>(history[name], null, most);
  });
  return { ...history, ...columns, at: grown(at, last + step, begins) };
}

interface Line {
  readonly label: string;
  /** Which of the colours of charts. */
  readonly colour: 1 | 2 | 3;
  readonly filled?: boolean;
  /** Two: the first as a percentage of the second. */
  readonly measures: readonly [MeasureName, MeasureName?];
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

const counted = { format: number, whole: true, least: 4, absent: 'Nothing was counted in this time.' };

export const PANELS: readonly Panel[] = [
  {
    id: 'recheck',
    title: 'Recheck time',
    lines: [
      { label: 'recheck', colour: 1, measures: ['recheck_us'], filled: true },
      { label: 'longest', colour: 2, measures: ['recheck_max_us'] },
    ],
    format: duration,
    whole: false,
    least: 100,
    absent: 'No recheck was measured in this time.',
  },
  {
    id: 'processes',
    title: 'Processes',
    lines: [
      { label: 'all', colour: 1, measures: ['pids'], filled: true },
      { label: 'confined', colour: 2, measures: ['wrapped'] },
    ],
    ...counted,
  },
  {
    id: 'wrapped',
    title: 'Confined share',
    lines: [{ label: 'confined', colour: 2, measures: ['wrapped', 'pids'], filled: true }],
    format: percent,
    whole: false,
    least: 100,
    absent: 'No process was counted in this time.',
  },
  {
    id: 'listeners',
    title: 'Listeners',
    lines: [
      { label: 'public', colour: 1, measures: ['public_listen'] },
      { label: 'loopback', colour: 2, measures: ['bgl'] },
    ],
    ...counted,
  },
  {
    id: 'findings',
    title: 'Findings, and scars among them',
    lines: [
      { label: 'findings', colour: 1, measures: ['findings'] },
      { label: 'scars', colour: 3, measures: ['scars'], filled: true },
    ],
    ...counted,
  },
  {
    id: 'temperature',
    title: 'Temperature',
    lines: [{ label: 'warmest', colour: 1, measures: ['temp_c'], filled: true }],
    format: (value) => `${number(value)} °C`,
    whole: false,
    least: 60,
    absent: 'This machine has no thermal sensor that could be read.',
  },
];

const share = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : (100 * part) / whole;

/** The values of a line in the order of `history.at`. */
export const valuesOf = (history: History, { measures: [first, second] }: Line): Values =>
  second === undefined
    ? history[first]
    : history[first].map((value, row) => share(value, history[second][row] ?? null));

/** What a line shows of one point. */
export const shownOf = (point: Sample, { measures: [first, second] }: Line): number | null =>
  second === undefined ? point[first] : share(point[first], point[second]);

export interface Summary {
  readonly now: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** Of the known values, `now` the last of them; null without any. */
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
