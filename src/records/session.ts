/** The sessions of pages: `POST /session/code` and `POST /session`. */
import { z } from 'zod';
import { count, given, text } from './define.ts';

const word = z.literal('SESSION').describe('name of this answer');

export const sessionCode = given('SessionCode', 'A code to be exchanged for a token', {
  word,
  code: text.describe('goes into the fragment of the page address'),
  expires_sec: count.describe('seconds until it is void'),
});

export const session = given('Session', 'A token for one page', {
  word,
  token: text.describe('sent as "Authorization: Bearer"; invalid when the service ends'),
});
