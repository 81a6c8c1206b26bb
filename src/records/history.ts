/** `GET /h7/history` (`H7_HISTORY`): what the charts of the pages are drawn from, as columns of equal length. */
import { z } from 'zod';
import { count, type RecordOf, stateHead, wordsFor } from './define.ts';
import { HISTORY_SPANS, type HistorySpan, MEASURES, measured, type Sample, SPAN_SEC } from './measures.ts';
import type { DeskState } from './state.ts';

/** The sample of one snapshot, for the second it falls into. */
export const sampleOf = (state: DeskState): Sample => ({
  at: Math.floor(state.snapshot.at.epochMs / 1000),
  ...measured((name) => MEASURES[name].of(state)),
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
  readonly state: DeskState;
  readonly span: HistorySpan;
  readonly rows: readonly Sample[];
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

const { field, record } = wordsFor<HistoryAsked>();

export const history = record(
  'History',
  'What the charts are drawn from: lists of equal length, oldest first',
  {
    ...stateHead('H7_HISTORY'),
    span: field(z.enum(HISTORY_SPANS), 'how far back it reaches', ({ span }) => span),
    step_sec: field(
      count,
      'seconds that one sample covers: 1 from memory, 60 and 600 from the store',
      ({ span }) => SPAN_SEC[span].step,
    ),
    at: field(
      z.array(count),
      'start of each sample, seconds since the epoch, ascending. A gap without samples is one row of nulls',
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
