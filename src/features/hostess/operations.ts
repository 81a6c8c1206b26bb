/** Talking with the hostess, who changes nothing. */
import { z } from 'zod';
import type { Call, DeskContext } from '../../desk/context.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { showThought, thoughtOf } from '../../desk/think.ts';
import { now } from '../../engine/now.ts';
import { documentation } from '../../records/documentation.ts';
import { previous, question, type Think, think as thinkRecord } from '../../records/talk.ts';

/** Answers every caller; about people she says that a token is needed, so no call is refused. */
const peopleAsked = {
  grant: 'people',
  when: 'asked about people; without one the answer says so',
  needed: () => false,
} as const;

interface Asking {
  readonly message: string;
  readonly previous?: string | null | undefined;
}

const asking = {
  roles: DESK,
  input: z.strictObject({ message: question, previous }),
  answer: thinkRecord.schema,
  token: peopleAsked,
  handle: async ({ desk }: DeskContext, input: Asking, call: Call): Promise<Think> =>
    thinkRecord.assemble(await thoughtOf(desk, input.message, call, input.previous)),
} as const;

export const think = operation({
  ...asking,
  route: 'POST /h7/think',
  summary: 'Asks the hostess',
  command: {
    name: 'think',
    summary: 'Asks the hostess; prints her answer with the values that it rests on',
    arguments: [{ name: 'message', field: 'message', rest: true }],
    examples: [['desk think "why is the desk not ok?"', 'an answer with the values it rests on']],
    print: showThought,
  },
});

export const hostessThink = operation({
  ...asking,
  route: 'POST /hostess7/think',
  summary: `The same as ${think.path}`,
});

export const searchDocs = operation({
  route: 'GET /h7/docs',
  roles: DESK,
  summary: 'What the documentation says about some words: terms, fields, checks, commands, endpoints, keys',
  input: z.strictObject({
    q: z.string().trim().min(1).max(500).describe('words to look for'),
  }),
  answer: documentation.schema,
  tool: {
    name: 'docs',
    about:
      'Searches the documentation of Hostess Desk: terms, fields of records, checks, commands, endpoints and configuration keys, with their meanings.',
  },
  async handle(_context, { q }) {
    const { entriesFor } = await import('./documentation.ts');
    return documentation.assemble({ ts: now(), q, entries: entriesFor(q) });
  },
});
