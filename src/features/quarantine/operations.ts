/** Files of the desk itself that were set aside. */
import { z } from 'zod';
import type { Desk } from '../../desk/desk.ts';
import { CONTROL, operation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import { type Quarantined, quarantine as record } from '../../records/quarantine.ts';
import { QUARANTINE } from './api.ts';

export * from './query-tables.ts';

const entryId = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'expected the 16 hex digits of an entry')
  .describe('id of the entry');

const answer = (desk: Desk, action: 'list' | 'restore' | 'purge', files: readonly Quarantined[]) =>
  record.assemble({ ts: now(), action, folder: desk.use(QUARANTINE).folder, files });

export const quarantine = operation({
  route: 'GET /quarantine',
  roles: CONTROL,
  summary: 'Files of the desk itself that were set aside',
  answer: record.schema,
  handle: ({ desk }) => answer(desk, 'list', desk.use(QUARANTINE).list()),
});

export const quarantineRestore = operation({
  route: 'POST /quarantine/restore',
  roles: CONTROL,
  summary: 'Restores one of them under its old name',
  input: z.strictObject({ id: entryId }),
  answer: record.schema,
  token: 'control',
  changes: true,
  handle: ({ desk }, { id }) => answer(desk, 'restore', [desk.use(QUARANTINE).restore(id)]),
});

export const quarantinePurge = operation({
  route: 'POST /quarantine/purge',
  roles: CONTROL,
  summary: 'Deletes one of them, or those set aside long ago',
  input: z
    .strictObject({
      id: entryId.optional(),
      older_than_sec: z
        .int()
        .min(0)
        .max(4_000_000_000)
        .optional()
        .describe('those set aside at least this many seconds ago'),
    })
    .refine(
      ({ id, older_than_sec }) => (id === undefined) !== (older_than_sec === undefined),
      'expected either id or older_than_sec',
    ),
  answer: record.schema,
  token: 'control',
  changes: true,
  handle: ({ desk }, { id, older_than_sec: olderThanSec = 0 }) =>
    answer(desk, 'purge', desk.use(QUARANTINE).purge(id === undefined ? { olderThanSec } : { id })),
});
