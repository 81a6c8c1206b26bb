/** Answers of operations that are no function of a moment: learning, accepting, sessions. */
import { z } from 'zod';
import type { Learned } from '../desk.ts';
import type { Accepting } from '../findings/finding.ts';
import { COVERS, condition } from '../records/accepted.ts';
import { count, wordsFor } from '../records/define.ts';

interface Done {
  /** RFC 3339. */
  readonly ts: string;
}

const TIME = 'time of the answer, RFC 3339 with numeric offset';

const learning = wordsFor<Done & Learned>();
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

const accepting = wordsFor<Done & Accepting & { readonly finding: string }>();
export const accepted = accepting.record('Accepted', 'An excused finding', {
  ts: accepting.field(z.string(), TIME, ({ ts }) => ts),
  word: accepting.constant('H7_ACCEPT', 'name of this answer'),
  finding: accepting.field(z.string(), 'id of the finding', ({ finding }) => finding),
  effect: accepting.field(
    z.enum(['explained', 'spared']),
    'explained: it counts as passed from now on; spared: it stays open, and is only not shut down',
    ({ effect }) => effect,
  ),
  id: accepting.field(z.string(), 'takes it back: POST /accept/undo', ({ id }) => id),
  covers: accepting.field(z.array(condition), COVERS, ({ covers }) => [...covers]),
});

const coding = wordsFor<{ readonly code: string; readonly seconds: number }>();
export const sessionCode = coding.record('SessionCode', 'A code to be exchanged for a token', {
  word: coding.constant('SESSION', 'name of this answer'),
  code: coding.field(z.string(), 'goes into the fragment of the page address', ({ code }) => code),
  expires_sec: coding.field(count, 'seconds until it is void', ({ seconds }) => seconds),
});

const opening = wordsFor<{ readonly token: string }>();
export const session = opening.record('Session', 'A token for one page', {
  word: opening.constant('SESSION', 'name of this answer'),
  token: opening.field(
    z.string(),
    'sent as "Authorization: Bearer"; void when the service ends',
    ({ token }) => token,
  ),
});

/** All of them, for the documentation. */
export const OPERATIONS = [learned, reviewed, accepted, sessionCode, session] as const;
