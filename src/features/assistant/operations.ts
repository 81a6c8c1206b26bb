/** Asking the hostess with the assistant beside her. */
import { z } from 'zod';
import type { Call, ConsultTurn } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { DESK, operation, serviceOperation } from '../../desk/operation.ts';
import { TABLES } from '../../desk/query.ts';
import { thoughtOf } from '../../desk/think.ts';
import { parse } from '../../query/parse.ts';
import {
  type Consult,
  consult as consultRecord,
  previous,
  consultPrompt as promptRecord,
  question,
  type Thought,
  think as thinkRecord,
} from '../../records/talk.ts';
import { answer, placed, recordOf } from '../query/api.ts';
import { ASSISTANT, type AskedAssistant } from './api.ts';
import { assistantPlace } from './place.ts';

const NOT_ASKED = 'The assistant was not asked.';
const FAULT =
  'The assistant does not answer: a fault of the desk itself stopped it; the log has the details. Please report it.';

/** No assistant is configured: there is nothing to wait for. */
const NO_SLOT: ConsultTurn = { signal: new AbortController().signal, end: () => undefined };

const askedOf = (desk: Desk, thought: Thought): AskedAssistant => ({
  question: thought.message,
  answer: thought,
  tables: desk.use(TABLES).map(({ table }) => table),
});

/** As the caller may ask it: the assistant opens nothing that the caller's token does not. */
const queriesOf =
  (desk: Desk, { grant }: Call) =>
  async (text: string) =>
    recordOf(
      desk,
      await answer(
        desk,
        placed(() => parse(text)),
        grant,
      ),
    );

/** As a stream: `hostess` (her answer, as of `think`) and `done` (the whole record). */
export const consult = serviceOperation({
  route: 'POST /h7/consult',
  roles: DESK,
  summary:
    'Asks the hostess, and the assistant for queries, which run here; as text/event-stream the events hostess and done',
  input: z.strictObject({
    message: question,
    previous,
    with_assistant: z.boolean().default(true).describe('let the assistant answer too'),
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
    const assistant = desk.use(ASSISTANT);
    const slot = !input.with_assistant
      ? null
      : assistant.configured
        ? service.beginConsult(call.caller)
        : NO_SLOT;
    const thought = await thoughtOf(desk, input.message, call, input.previous).catch((error) => {
      slot?.end();
      throw error;
    });
    /** Her answer with what the assistant asks and says. */
    const consulted = async (): Promise<Consult> => {
      if (slot === null) return consultRecord.assemble({ ...thought, assistant: null, note: NOT_ASKED });
      const assisted = await assistant
        .ask(askedOf(desk, thought), { signal: slot.signal, query: queriesOf(desk, call) })
        .catch((err) => {
          // Her answer does not depend on the assistant's.
          service.log.error({ err }, 'the assistant could not be asked');
          return { assistant: null, note: FAULT };
        })
        .finally(slot.end);
      return consultRecord.assemble({ ...thought, ...assisted });
    };
    if (!call.wantsStream) return consulted();
    return service.events(async (send) => {
      try {
        send('hostess', thinkRecord.assemble(thought));
        send('done', await consulted());
      } finally {
        slot?.end();
      }
    });
  },
});

export const consultPrompt = operation({
  route: 'POST /h7/consult/prompt',
  roles: DESK,
  summary: 'What the assistant would be sent for a question; nothing is sent',
  input: z.strictObject({ message: question }),
  answer: promptRecord.schema,
  handle: async ({ desk }, { message }, call) =>
    desk.use(ASSISTANT).prompt(askedOf(desk, await thoughtOf(desk, message, call))),
});
