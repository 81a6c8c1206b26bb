/** `GET /h7/history` (`H7_HISTORY`): what the charts of the pages are drawn from, as columns of equal length. */
import { z } from 'zod';
import { count, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import { HISTORY_SPANS, type HistorySpan, MEASURES, measured, type Sample, SPAN_SEC } from './measures.ts';
import type { Moment } from './moment.ts';
import { offsetTime } from './time.ts';

/** The sample of one moment, for the second it falls into. */
export const sampleOf = (moment: Moment): Sample => ({
  at: Math.floor(moment.snapshot.at.epochMs / 1000),
  ...measured((name) => MEASURES[name].of(moment)),
});

/** Samples, ascending, with a break between any two that are further apart than `mostSec`. */
export function withBreaks(samples: readonly Sample[], stepSec: number, mostSec: number): Sample[] {
  const rows: Sample[] = [];
  for (const sample of samples) {
    const before = rows.at(-1);
    if (before !== undefined && sample.at - before.at > mostSec)
      rows.push({ ...measured(() => null), at: before.at + stepSec });
    rows.push(sample);
  }
  return rows;
}

interface HistoryAsked {
  readonly moment: Moment;
  readonly span: HistorySpan;
  /** Ascending. */
  readonly rows: readonly Sample[];
}

/** To two decimals: means of many. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

const { field, constant, record } = wordsFor<HistoryAsked>();

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
    ...measured((name) => {
      const { meaning, ...measure } = MEASURES[name];
      const type = 'signed' in measure ? z.number() : z.number().nonnegative();
      return field(z.array(type.nullable()), meaning, ({ rows }) => rows.map((row) => rounded(row[name])));
    }),
  },
);
export type History = RecordOf<typeof history>;
