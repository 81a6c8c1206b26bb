/** The answer of `GET /baseline/diff` (`H7_BASELINE`): A against B. */
import { z } from 'zod';
import { type Content, modifiedAt } from '../checks/content.ts';
import { offsetTime } from '../engine/time.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';

/** A row of a baseline, for people. */
interface LearnedRow {
  readonly kind: 'identity' | 'listener' | 'class';
  readonly text: string;
}

/** A learned program with other content. */
export interface ChangedRow extends LearnedRow {
  /** The newest content that was learned, and one that was not. */
  readonly learned: Content;
  readonly running: Content;
}

export interface Difference {
  readonly moment: Moment;
  /** The held generation. */
  readonly generation: number;
  readonly added: readonly LearnedRow[];
  readonly gone: readonly LearnedRow[];
  readonly changed: readonly ChangedRow[];
  /** What learning now would add to A: rows, and other contents of rows. */
  readonly learns: readonly LearnedRow[];
  /** Why learning would be refused now, and what to do; "" when it would not. */
  readonly refusal: string;
}

const row = z.strictObject({
  kind: z.enum(['identity', 'listener', 'class']).describe('a program, a listener, or a class of findings'),
  text: z.string().describe('what it is'),
});
const rowsOf = (rows: readonly LearnedRow[]): z.output<typeof row>[] =>
  rows.map(({ kind, text }) => ({ kind, text }));

const content = z.strictObject({
  size: count.describe('bytes'),
  modified: z.string().describe(TIME),
  sha256: z.string().describe('64 hex digits; "" when the file could not be read'),
});
const changedRow = row.extend({
  learned: content.describe('the newest content that was learned'),
  running: content.describe('content that runs and was not learned'),
});
const contentOf = (one: Content): z.output<typeof content> => ({
  size: one.size,
  modified: modifiedAt(one),
  sha256: one.sha256,
});

export const changedRows = (rows: Difference['changed']): z.output<typeof changedRow>[] =>
  rows.map(({ kind, text, learned, running }) => ({
    kind,
    text,
    learned: contentOf(learned),
    running: contentOf(running),
  }));

const { field, constant, group, record } = wordsFor<Difference>();

export const baselineDiff = record('BaselineDiff', 'The held generation against the observation', {
  ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: constant('H7_BASELINE', 'name of this answer'),
  a: group('A, the held generation', {
    generation: field(count, 'its number; 0 is the empty baseline', ({ generation }) => generation),
  }),
  b: group('B, the observation', {
    generation: field(count, 'number of the observation', ({ moment }) => moment.snapshot.generation),
  }),
  added: field(z.array(row), 'what B has and A has not', ({ added }) => rowsOf(added)),
  gone: field(z.array(row), 'what A has and B does not show now; without classes of findings', ({ gone }) =>
    rowsOf(gone),
  ),
  changed: field(
    z.array(changedRow),
    'learned programs whose file has other content than was learned',
    ({ changed }) => changedRows(changed),
  ),
  learn: group('What learning would do now; rows of A are never taken out by it', {
    adds: field(
      z.array(row),
      'rows that would become known: what B and an open learning window bring, less what is not confirmed; none when it would be refused',
      ({ learns }) => rowsOf(learns),
    ),
    refusal: field(
      z.string(),
      'why it would be refused, and what to do; "" when not',
      ({ refusal }) => refusal,
    ),
  }),
});
export type BaselineDiff = RecordOf<typeof baselineDiff>;
