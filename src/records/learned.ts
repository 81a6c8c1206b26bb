/** What learning and reviewing the baseline answer: `POST /learn`, `/baseline/restore` and `/baseline/review`. */
import { z } from 'zod';
import { count, wordsFor } from './define.ts';

interface Done {
  /** RFC 3339. */
  readonly ts: string;
}

export interface LearnedGeneration {
  /** The generation now held. */
  readonly generation: number;
  /** Rows it has and the one before had not. */
  readonly added: number;
  /** End of the open learning window, milliseconds since the epoch; null when none is open. */
  readonly windowUntilMs: number | null;
}

const TIME = 'time of the answer, RFC 3339 with numeric offset';

const learning = wordsFor<Done & LearnedGeneration>();
export const learned = learning.record(
  'Learned',
  'The held generation of the baseline after learning or restoring',
  {
    ts: learning.field(z.string(), TIME, ({ ts }) => ts),
    word: learning.constant('H7_LEARN', 'name of this answer'),
    generation: learning.field(count, 'number of the generation now held', ({ generation }) => generation),
    added: learning.field(count, 'rows it has and the one before had not', ({ added }) => added),
    window_until: learning.field(
      z.string().nullable(),
      'end of the open learning window, RFC 3339; null when none is open',
      ({ windowUntilMs }) => (windowUntilMs === null ? null : new Date(windowUntilMs).toISOString()),
    ),
  },
);

const reviewing = wordsFor<Done & { readonly generation: number; readonly rows: number }>();
export const reviewed = reviewing.record('Reviewed', 'What was learned has been looked through', {
  ts: reviewing.field(z.string(), TIME, ({ ts }) => ts),
  word: reviewing.constant('H7_REVIEW', 'name of this answer'),
  generation: reviewing.field(count, 'number of the held generation', ({ generation }) => generation),
  rows: reviewing.field(count, 'rows that were marked for review until now', ({ rows }) => rows),
});
