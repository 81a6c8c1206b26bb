/**
 * An error as the service answers it: RFC 9457 `application/problem+json`. `type` is `about:blank` when the status says it all; `detail`
 * has no stack, no local path, and no echo of what was not validated.
 */
import { z } from 'zod';
import { given, type RecordOf, text } from './define.ts';

export const problem = given('Problem', 'An error (RFC 9457)', {
  type: text.describe('URI reference of the kind of problem'),
  title: text.describe('the kind of problem in a few words'),
  status: z.int().min(400).max(599).describe('the HTTP status'),
  detail: text.describe('what happened here and what to do about it'),
  instance: text.describe('URI reference of this occurrence'),
  position: z
    .int()
    .min(1)
    .optional()
    .describe('of a text that was sent: the character at which it is wrong, from 1; only where there is one'),
  suggestions: z.array(text).optional().describe('what may have been meant there; with position'),
});
export type Problem = RecordOf<typeof problem>;
