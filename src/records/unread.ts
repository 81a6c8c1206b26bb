/** What could not be read, in records. */
import { z } from 'zod';
import { text } from './define.ts';

export const unread = z.strictObject({
  path: text.describe('the file, folder or pattern'),
  reason: text.describe('why it could not be read'),
});
