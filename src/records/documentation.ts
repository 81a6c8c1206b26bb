/** What the documentation says (`H7_DOCS`): `GET /h7/docs`. */
import { z } from 'zod';
import { done, text } from './define.ts';

export const documentation = done(
  'Documentation',
  'H7_DOCS',
  'What the documentation says about some words',
  {
    q: text.describe('the words'),
    entries: z
      .array(
        z.strictObject({
          kind: z.enum(['word', 'field', 'check', 'command', 'endpoint', 'key']).describe('what it is'),
          name: text.describe('what it is called'),
          meaning: text.describe('what it means'),
        }),
      )
      .describe('the entries that fit best, the best first'),
  },
);
