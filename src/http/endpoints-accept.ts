/** Entries of the endpoint table about accepting findings. */
import { z } from 'zod';
import { acceptedList, undone } from '../records/accepted.ts';
import type { ListenerRole } from '../records/moment.ts';
import type { Endpoint } from './endpoint.ts';
import { accepted } from './operation-answers.ts';

const DESK = ['control', 'office'] as const satisfies readonly ListenerRole[];

export const findingId = z.string().regex(/^[0-9a-f]{16}$/, 'expected the 16 hex digits of a finding id');

const acceptedId = z.string().regex(/^[0-9a-f]{12}$/, 'expected the 12 hex digits of an accepted entry');

export const ACCEPT_ENDPOINTS = [
  {
    id: 'accept',
    method: 'POST',
    path: '/accept',
    roles: DESK,
    summary: 'Excuses a finding and what is like it, with the reason',
    body: z.strictObject({
      finding: findingId.describe('id of the finding'),
      accepts: acceptedId.describe(
        'accept.id of /findings/{id} as it was shown: refused when accepting would cover something else by now',
      ),
      why: z.string().trim().min(1).max(500).describe('the reason, kept beside the excuse'),
      expires: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('until when, RFC 3339; without end when left out'),
    }),
    answer: accepted.schema,
    token: 'control',
  },
  {
    id: 'accepted',
    method: 'GET',
    path: '/accepted',
    roles: DESK,
    summary: 'What was accepted and not taken back, each with what it covers',
    answer: acceptedList.schema,
  },
  {
    id: 'accept-undo',
    method: 'POST',
    path: '/accept/undo',
    roles: DESK,
    summary: 'Takes something accepted back: it covers nothing any more',
    body: z.strictObject({
      id: acceptedId.describe('id of the entry, as /accepted has it'),
    }),
    answer: undone.schema,
    token: 'control',
  },
] as const satisfies readonly Endpoint[];
