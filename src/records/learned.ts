/** What learning and reviewing the baseline answer: `POST /learn`, `/baseline/restore` and `/baseline/review`. */

import { utcTime } from '../engine/time.ts';
import { count, done, text } from './define.ts';

export interface LearnedGeneration {
  readonly generation: number;
  readonly added: number;
  /** End of the open learning window, milliseconds since the epoch; null without one. */
  readonly windowUntilMs: number | null;
}

export const learned = done(
  'Learned',
  'H7_LEARN',
  'The held generation of the baseline after learning or restoring',
  {
    generation: count.describe('number of the generation now held'),
    added: count.describe('rows it has and the one before did not'),
    window_until: text.nullable().describe('end of the open learning window, RFC 3339; null without one'),
  },
  ({ windowUntilMs: end, ...learned }: LearnedGeneration) => ({
    ...learned,
    windowUntil: utcTime(end),
  }),
);

export const reviewed = done('Reviewed', 'H7_REVIEW', 'A review of what was learned', {
  generation: count.describe('number of the held generation'),
  rows: count.describe('rows that were marked for review until now'),
});
