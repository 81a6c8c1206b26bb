/** Operations: accounts, and what this machine starts by itself. */
import { z } from 'zod';
import { DESK, operation } from '../../desk/operation.ts';
import { STARTUP } from '../../desk/startup.ts';
import { accounts as accountsRecord } from '../../records/accounts.ts';
import { startup as record } from '../../records/startup.ts';
import { accountsAnswer } from './accounts-answer.ts';
import { answerOf } from './answer.ts';
import { PLACES } from './places/index.ts';

export const accounts = operation({
  route: 'GET /accounts',
  roles: DESK,
  summary: 'Who can log in to this machine, how, and with which rights',
  input: z.strictObject({
    show: z
      .enum(['active', 'all'])
      .default('active')
      .describe(
        'accounts that can log in, have rights beyond their own files or an open finding; or every account',
      ),
  }),
  answer: accountsRecord.schema,
  async handle({ desk }, { show }) {
    const findings = desk.latest()?.judgement.findings ?? [];
    return accountsAnswer(await desk.use(STARTUP).accounts(), findings, show);
  },
});

export const startup = operation({
  route: 'GET /startup',
  roles: DESK,
  summary: 'What this machine starts by itself, and who vouches for it',
  input: z.strictObject({
    show: z
      .enum(['unvouched', 'all'])
      .default('unvouched')
      .describe('what no package vouches for, or everything'),
    user: z.string().min(1).max(64).optional().describe('only what runs as this user, or as each user'),
    place: z
      .string()
      .refine((id) => PLACES.some((one) => one.id === id), 'no such kind of place: see docs/startup.md')
      .optional()
      .describe('only this kind of place, by its id'),
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('only of files that changed at or after this RFC 3339 time'),
    fresh: z
      .enum(['true', 'false'])
      .default('true')
      .describe('false: what was read within the last minute will do'),
  }),
  answer: record.schema,
  async handle({ desk }, { fresh, ...asked }) {
    const api = desk.use(STARTUP);
    const scan = await (fresh === 'true' ? api.scan() : api.recent());
    return answerOf(scan, asked, desk.latest()?.judgement.findings ?? []);
  },
});
