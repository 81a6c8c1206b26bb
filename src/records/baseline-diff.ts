/** The answer of `GET /baseline/diff` (`H7_BASELINE`): A against B. */
import { z } from 'zod';
import { type Content, modifiedAt } from '../checks/content.ts';
import { count, type RecordOf, shaped, stateHead, text, wordsFor } from './define.ts';
import type { DeskState } from './state.ts';

export const row = z.strictObject({
  kind: z.enum(['identity', 'listener', 'class']).describe('a program, a listener, or a class of findings'),
  text: text.describe('what it is'),
});
/** A row of a baseline, for people. */
type LearnedRow = Readonly<z.output<typeof row>>;

const content = z.strictObject({
  size: count.describe('bytes'),
  modified: text.describe('when it was last modified, RFC 3339'),
  sha256: text.describe('64 hex digits; "" when the file could not be read'),
});
const changedRow = row.extend({
  learned: content.describe('the newest content that was learned'),
  running: content.describe('content that runs and was not learned'),
});

/** A learned program with other content: the newest that was learned, and one that was not. */
export interface ChangedRow extends LearnedRow {
  readonly learned: Content;
  readonly running: Content;
}

export interface Difference {
  readonly state: DeskState;
  readonly generation: number;
  readonly added: readonly LearnedRow[];
  readonly gone: readonly LearnedRow[];
  readonly changed: readonly ChangedRow[];
  /** What learning now would add to A: rows, and other contents of rows. */
  readonly learns: readonly LearnedRow[];
  /** Why learning would be refused now, and what to do; "" when it would not. */
  readonly refusal: string;
}

const contentOf = (one: Content) => ({ ...one, modified: modifiedAt(one) });
const timed = (one: ChangedRow) => ({
  ...one,
  learned: contentOf(one.learned),
  running: contentOf(one.running),
});
export const changedRows = (rows: readonly ChangedRow[]) => shaped(z.array(changedRow))(rows.map(timed));

const { field, group, record } = wordsFor<Difference>();

export const baselineDiff = record('BaselineDiff', 'The held generation against the observation', {
  ...stateHead('H7_BASELINE'),
  a: group('A, the held generation', {
    generation: field(count, 'its number; 0 is the empty baseline', ({ generation }) => generation),
  }),
  b: group('B, the observation', {
    generation: field(count, 'number of the observation', ({ state }) => state.snapshot.generation),
  }),
  added: field(z.array(row), 'what B has and A does not', ({ added }) => added),
  gone: field(
    z.array(row),
    'what A has and B does not show now; without classes of findings',
    ({ gone }) => gone,
  ),
  changed: field(
    z.array(changedRow),
    'learned programs whose file has another content than the learned one',
    ({ changed }) => changed.map(timed),
  ),
  learn: group('What learning would do now; rows of A are never removed by it', {
    adds: field(
      z.array(row),
      'rows that would become known: from B and an open learning window, without unconfirmed ones; none when it would be refused',
      ({ learns }) => learns,
    ),
    refusal: field(text, 'why it would be refused, and what to do; "" when not', ({ refusal }) => refusal),
  }),
});
export type BaselineDiff = RecordOf<typeof baselineDiff>;
