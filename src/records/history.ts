/** `GET /h7/history` (`H7_HISTORY`): what the charts of the pages are drawn from, as columns of equal length. */
import { z } from 'zod';
import { count, type RecordOf, wordsFor } from './define.ts';
import { publicListeners, scarCount } from './derive.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { offsetTime } from './time.ts';

export const HISTORY_SPANS = ['15m', '24h', '7d'] as const;
export type HistorySpan = (typeof HISTORY_SPANS)[number];

/** How far each span reaches back and how far apart its samples are, seconds. */
export const SPAN_SEC: Readonly<Record<HistorySpan, { readonly reach: number; readonly step: number }>> = {
  '15m': { reach: 900, step: 1 },
  '24h': { reach: 86_400, step: 60 },
  '7d': { reach: 604_800, step: 600 },
};

export interface Measures {
  /** µs. */
  readonly recheckUs: number;
  readonly recheckMaxUs: number;
  readonly pids: number;
  readonly wrapped: number;
  readonly publicListen: number;
  readonly bgl: number;
  readonly findings: number;
  readonly scars: number;
  /** °C of the warmest sensor; null without one. */
  readonly tempC: number | null;
}

/** What was so at a time, or in the second, minute or ten minutes that begin there. */
export interface Sample extends Measures {
  /** Whole seconds since the epoch. */
  readonly at: number;
}

/** A sample, or with null everywhere the break where there is none. */
export type HistoryRow = { readonly [K in keyof Measures]: Measures[K] | null } & Pick<Sample, 'at'>;

const BREAK: Omit<HistoryRow, 'at'> = {
  recheckUs: null,
  recheckMaxUs: null,
  pids: null,
  wrapped: null,
  publicListen: null,
  bgl: null,
  findings: null,
  scars: null,
  tempC: null,
};

/** The sample of one moment, for the second it falls into. */
export function sampleOf(moment: Moment): Sample {
  const { snapshot, judgement, desk } = moment;
  const { temperatures } = snapshot.machine;
  return {
    at: Math.floor(snapshot.at.epochMs / 1000),
    recheckUs: desk.recheck.lastUs,
    recheckMaxUs: desk.recheck.lastUs,
    pids: snapshot.counts.userSpace,
    wrapped: snapshot.counts.wrapped,
    publicListen: publicListeners(moment),
    bgl: snapshot.counts.loopbackListeners,
    findings: judgement.findings.length,
    scars: scarCount(moment),
    tempC: temperatures === null || temperatures.length === 0 ? null : Math.max(...temperatures),
  };
}

/** Samples, ascending, with a break between any two that are further apart than `mostSec`. */
export function withBreaks(samples: readonly Sample[], stepSec: number, mostSec: number): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (const sample of samples) {
    const before = rows.at(-1);
    if (before !== undefined && sample.at - before.at > mostSec)
      rows.push({ ...BREAK, at: before.at + stepSec });
    rows.push(sample);
  }
  return rows;
}

interface HistoryAsked {
  readonly moment: Moment;
  readonly span: HistorySpan;
  /** Ascending. */
  readonly rows: readonly HistoryRow[];
}

/** To two decimals: means of many. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

const { field, constant, record } = wordsFor<HistoryAsked>();

const measure = (key: keyof Measures, meaning: string) =>
  field(z.array(z.number().nonnegative().nullable()), meaning, ({ rows }) =>
    rows.map((row) => rounded(row[key])),
  );

export const history = record(
  'History',
  'What the charts are drawn from: lists of equal length, oldest first',
  {
    ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
    word: constant('H7_HISTORY', 'name of this answer'),
    span: field(z.enum(HISTORY_SPANS), 'how far back it reaches', ({ span }) => span),
    step_sec: field(
      count,
      'seconds that one sample covers: 1 from memory, 60 and 600 from the store',
      ({ span }) => SPAN_SEC[span].step,
    ),
    at: field(
      z.array(count),
      'where each sample begins, seconds since the epoch; ascending. Where nothing was sampled one row breaks the lists: null in each of them',
      ({ rows }) => rows.map(({ at }) => at),
    ),
    recheck_us: measure(
      'recheckUs',
      'recheck, µs: the last of the second; the median of the seconds of a minute; the mean of ten such minutes',
    ),
    recheck_max_us: measure('recheckMaxUs', 'the longest recheck, µs'),
    pids: measure('pids', 'user-space processes: the last of the second and minute, the mean of ten minutes'),
    wrapped: measure('wrapped', 'wrapped ones, in the same way'),
    public_listen: measure('publicListen', 'listeners bound beyond loopback, in the same way'),
    bgl: measure('bgl', 'loopback listeners, in the same way'),
    findings: measure('findings', 'open findings, the most of the time'),
    scars: measure('scars', 'scars, the most of the time'),
    temp_c: field(
      z.array(z.number().nullable()),
      'warmest sensor, °C, like the processes; null where there is none',
      ({ rows }) => rows.map(({ tempC }) => rounded(tempC)),
    ),
  },
);
export type History = RecordOf<typeof history>;
