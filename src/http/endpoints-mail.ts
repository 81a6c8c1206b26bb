/** The endpoints about how mail is reached and the ledger kept; reading the ledger itself stands in `endpoints.ts`. */
import { z } from 'zod';
import { exported, forgotten, mailCheck, mailState, mailTest } from '../records/mail.ts';
import type { ListenerRole } from '../records/moment.ts';
import type { Endpoint } from './endpoint.ts';

const DESK = ['control', 'office'] as const satisfies readonly ListenerRole[];

const email = z.string().min(3).max(320).describe('the address');

export const MAIL_ENDPOINTS = [
  {
    id: 'mail',
    method: 'GET',
    path: '/mail',
    roles: DESK,
    summary: 'How the mail people ledger is kept: its sources and how far each is',
    answer: mailState.schema,
  },
  {
    id: 'mail-check',
    method: 'POST',
    path: '/mail/check',
    roles: DESK,
    summary: 'Asks the mail servers of [identity]: name, certificate, login',
    body: z.strictObject({}),
    answer: mailCheck.schema,
    token: 'control',
  },
  {
    id: 'mail-test',
    method: 'POST',
    path: '/mail/test',
    roles: DESK,
    summary: 'Sends a test message to an address of your own',
    body: z.strictObject({ to: email.optional() }),
    answer: mailTest.schema,
    token: 'control',
  },
  {
    id: 'mail-forget',
    method: 'POST',
    path: '/mail/forget',
    roles: DESK,
    summary: 'Forgets one person: older mail does not bring them back',
    body: z.strictObject({ email }),
    answer: forgotten.schema,
    token: 'control',
  },
  {
    id: 'mail-export',
    method: 'POST',
    path: '/mail/export',
    roles: DESK,
    summary: 'Writes the ledger into a file of the state folder',
    body: z.strictObject({ format: z.enum(['json', 'vcard']).describe('JSON, or vCard 4.0 (RFC 6350)') }),
    answer: exported.schema,
    token: 'control',
  },
] as const satisfies readonly Endpoint[];
