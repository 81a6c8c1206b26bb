/** The sessions of pages: `POST /session/code` and `POST /session`. */
import { z } from 'zod';
import { count, wordsFor } from './define.ts';

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
