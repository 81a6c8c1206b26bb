/** The answers about the quarantine: `GET /quarantine`, `POST /quarantine/restore` and `/quarantine/purge`. */
import { z } from 'zod';
import { count, done, type RecordOf, text } from './define.ts';

export const file = z.strictObject({
  id: text.describe('what restore and purge take'),
  name: text.describe('name it had in the state folder; "" when its manifest cannot be read'),
  at: text.describe('when it was set aside, RFC 3339; "" when its manifest cannot be read'),
  why: text.describe('why it was set aside'),
  finding: text.describe('id of the finding'),
  bytes: count.describe('its size'),
  state: z
    .enum(['whole', 'interrupted', 'damaged'])
    .describe('whole; interrupted: the file is missing; damaged: its manifest cannot be read'),
});
/** A file of the desk's own that was set aside; `id` has 16 hexadecimal digits. */
export type Quarantined = Readonly<z.output<typeof file>>;

export const quarantine = done(
  'Quarantine',
  'H7_QUARANTINE',
  'Files of the desk itself that were set aside',
  {
    action: z.enum(['list', 'restore', 'purge']).describe('what was asked'),
    folder: text.describe('where they lie'),
    files: z.array(file).describe('existing files; after restore and purge the affected ones'),
  },
);
export type QuarantineAnswer = RecordOf<typeof quarantine>;
