/** The sessions of pages: a single-use code, and the token that it is exchanged for. */
import { z } from 'zod';
import { CONTROL, DESK, serviceOperation } from '../desk/operation.ts';
import { sessionCode as codeRecord, session as sessionRecord } from '../records/session.ts';

export const sessionCode = serviceOperation({
  route: 'POST /session/code',
  roles: CONTROL,
  summary: 'A single-use code, valid for 60 s, that a page exchanges for a token',
  answer: codeRecord.schema,
  token: 'control',
  handle({ service }) {
    const { code, seconds } = service.issueCode();
    return codeRecord.assemble({ word: 'SESSION', code, expiresSec: seconds });
  },
});

export const session = serviceOperation({
  route: 'POST /session',
  roles: DESK,
  summary: 'Exchanges a single-use code for a token; also for users of this machine who may not read',
  input: z.strictObject({ code: z.string().min(1).max(128).describe('the code, or the control token') }),
  answer: sessionRecord.schema,
  open: true,
  handle: ({ service }, { code }, { caller }) =>
    sessionRecord.assemble({ word: 'SESSION', token: service.redeem(code, caller) }),
});
