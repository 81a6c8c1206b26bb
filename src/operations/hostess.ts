/** Talking with the hostess, who changes nothing, and consulting the assistant beside her. */

import { z } from 'zod';
import { dim, strong, type Terminal } from '../base/terminal.ts';
import { assistantPlace } from '../features/assistant/index.ts';
import {
  type Consult,
  consult as consultRecord,
  type Think,
  type Thought,
  think as thinkRecord,
} from '../records/talk.ts';
import type { Call, ConsultTurn, DeskContext } from './context.ts';
import type { Desk } from './desk.ts';
import { DESK, operation, serviceOperation } from './operation.ts';

const message = z.string().trim().min(1).max(4096).describe('what to ask');

/** What she answers. Both tokens open the ledger; without one she says nothing about people. */
const thoughtOf = async (desk: Desk, text: string, { grant }: Call): Promise<Thought> => ({
  message: text,
  ...(await desk.think(text, { mayKnowPeople: grant !== null })),
});

/** She answers everybody, and about people says that a token is needed: so no call is refused. */
const peopleAsked = {
  grant: 'people',
  when: 'asked about people; without one the answer says so',
  needed: () => false,
} as const;

const asking = {
  roles: DESK,
  input: z.strictObject({ message }),
  answer: thinkRecord.schema,
  token: peopleAsked,
  handle: async ({ desk }: DeskContext, input: { readonly message: string }, call: Call): Promise<Think> =>
    thinkRecord.assemble(await thoughtOf(desk, input.message, call)),
} as const;

export const think = operation({
  ...asking,
  route: 'POST /h7/think',
  summary: 'Asks the hostess',
  command: {
    name: 'think',
    summary: 'Asks the hostess; she answers from the records only',
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

const NOT_ASKED = 'The assistant was not asked.';
const FAULT =
  'The assistant does not answer: a fault of the desk itself stopped it; the log has the details. Please report it.';

/** Nobody waits for anything. */
const NO_TURN: ConsultTurn = { signal: new AbortController().signal, end: () => undefined };

/**
 * As a stream of events it is `hostess` (her answer as `think` gives it), `assistant` (`{delta}`, plain text, while it speaks) and `done`
 * (the whole record, which alone counts).
 */
export const consult = serviceOperation({
  route: 'POST /h7/consult',
  roles: DESK,
  summary:
    'Asks the hostess, with the assistant consulting; as text/event-stream the events hostess, assistant and done',
  input: z.strictObject({
    message,
    with_assistant: z.boolean().default(true).describe('let the assistant answer beside her'),
  }),
  answer: consultRecord.schema,
  stream: true,
  // What is asked of an assistant on another machine leaves this one.
  token: {
    grant: 'control',
    when: 'with_assistant is true and the configured assistant is not on loopback; without one nothing is said about people',
    needed: ({ input, config }) => input.with_assistant && assistantPlace(config).at === 'elsewhere',
  },
  async handle({ desk, service }, input, call) {
    // Nothing is asked of an assistant that is not there, so nobody takes turns.
    const turn = !input.with_assistant
      ? null
      : desk.assistant.configured
        ? service.beginConsult(call.caller)
        : NO_TURN;
    const thought = await thoughtOf(desk, input.message, call).catch((error) => {
      turn?.end();
      throw error;
    });
    /** Her answer with what the assistant says of it. */
    const consulted = async (words: (text: string) => void = () => undefined): Promise<Consult> => {
      if (turn === null) return consultRecord.assemble({ ...thought, assistant: null, note: NOT_ASKED });
      const beside = await desk.assistant
        .ask(thought.message, thought, { signal: turn.signal, words })
        .catch((err) => {
          // Her answer stands whatever becomes of the assistant's.
          service.log.error({ err }, 'the assistant could not be asked');
          return { assistant: null, note: FAULT };
        })
        .finally(turn.end);
      return consultRecord.assemble({ ...thought, ...beside });
    };
    if (!call.wantsStream) return consulted();
    return service.events(async (send) => {
      try {
        send('hostess', thinkRecord.assemble(thought));
        send('done', await consulted((delta) => send('assistant', { delta })));
      } finally {
        turn?.end();
      }
    });
  },
});

export function showThought(out: Terminal, record: Think | Consult): void {
  out.wrapped(strong(`${record.she}: `), record.answer);
  if (record.grounds.length > 0) {
    out.line();
    out.table(
      [
        { title: 'ground', shrink: 'end' },
        { title: 'value', shrink: 'start' },
      ],
      record.grounds.map(({ path, value }) => [
        path,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  }
  for (const suggestion of record.suggestions) out.line(dim('  try  '), suggestion);
}
