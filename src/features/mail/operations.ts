/** How mail is reached and the ledger kept; reading the ledger itself is in `public-operations.ts`. */
import { z } from 'zod';
import { wholeRecord } from '../../desk/context.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import {
  mailCheck as checkRecord,
  exported,
  forgotten,
  mailState,
  mailTest as testRecord,
} from '../../records/mail.ts';
import { MAIL } from './api.ts';

const email = z.string().min(3).max(320).describe('the address');

export const mail = operation({
  route: 'GET /mail',
  roles: DESK,
  summary: 'How the mail people ledger is kept: its sources and how far each is',
  answer: mailState.schema,
  handle: wholeRecord(mailState, false),
});

export const mailCheck = operation({
  route: 'POST /mail/check',
  roles: DESK,
  summary: 'Asks the mail servers of [identity]: name, certificate, login',
  answer: checkRecord.schema,
  token: 'control',
  handle: async ({ desk }) => checkRecord.assemble({ ts: now(), ...(await desk.use(MAIL).check()) }),
});

export const mailTest = operation({
  route: 'POST /mail/test',
  roles: DESK,
  summary: 'Sends a test message to an address of your own',
  input: z.strictObject({ to: email.optional() }),
  answer: testRecord.schema,
  token: 'control',
  handle: async ({ desk }, { to }) => testRecord.assemble({ ts: now(), ...(await desk.use(MAIL).test(to)) }),
});

export const mailForget = operation({
  route: 'POST /mail/forget',
  roles: DESK,
  local: false,
  summary: 'Forgets one person: older mail does not bring them back',
  input: z.strictObject({ email }),
  answer: forgotten.schema,
  token: 'control',
  async handle({ desk }, input) {
    const { address, forgotten: done } = await desk.use(MAIL).forget(input.email);
    return forgotten.assemble({ ts: now(), email: address, forgotten: done });
  },
});

export const mailExport = operation({
  route: 'POST /mail/export',
  roles: DESK,
  local: false,
  summary: 'Writes the ledger into a file of the state folder',
  input: z.strictObject({ format: z.enum(['json', 'vcard']).describe('JSON, or vCard 4.0 (RFC 6350)') }),
  answer: exported.schema,
  token: 'control',
  handle: async ({ desk }, { format }) =>
    exported.assemble({ ts: now(), ...(await desk.use(MAIL).export(format)) }),
});
