/** Accepting findings, the list of what was accepted, and taking it back. A running service alone writes it. */
import { z } from 'zod';
import { DESK, operation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import { acceptedList, accepted as acceptedRecord, undone } from '../../records/accepted.ts';
import { findingId } from '../../records/finding.ts';
import { LAW } from './api.ts';

export * from './query-tables.ts';

const acceptedId = z.string().regex(/^[0-9a-f]{12}$/, 'expected the 12 hex digits of an accepted entry');

export const accept = operation({
  route: 'POST /accept',
  roles: DESK,
  local: false,
  summary: 'Accepts a finding and others of its class, with the reason',
  input: z.strictObject({
    finding: findingId.describe('id of the finding'),
    accepts: acceptedId.describe(
      'accept.id of /findings/{id} as it was shown: refused when accepting would cover something else by now',
    ),
    why: z.string().trim().min(1).max(500).describe('the reason, stored with the exception'),
    expires: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('until when, RFC 3339; without end when left out'),
  }),
  answer: acceptedRecord.schema,
  token: 'control',
  async handle({ desk }, { finding, accepts, why, expires }) {
    const accepting = await desk.use(LAW).accept(finding, accepts, why, expires);
    return acceptedRecord.assemble({ ts: now(), finding, ...accepting });
  },
});

export const accepted = operation({
  route: 'GET /accepted',
  roles: DESK,
  summary: 'Accepted entries that were not removed, each with what it covers',
  answer: acceptedList.schema,
  handle: ({ desk }) => acceptedList.assemble({ ts: now(), entries: desk.use(LAW).accepted.list() }),
});

export const acceptUndo = operation({
  route: 'POST /accept/undo',
  roles: DESK,
  local: false,
  summary: 'Removes an accepted entry: it covers nothing any more',
  input: z.strictObject({ id: acceptedId.describe('id of the entry, as /accepted has it') }),
  answer: undone.schema,
  token: 'control',
  handle: async ({ desk }, { id }) =>
    undone.assemble({ ts: now(), ...(await desk.use(LAW).accepted.undo(id)) }),
});
