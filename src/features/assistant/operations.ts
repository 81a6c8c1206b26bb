/** Asking the hostess with the assistant beside her. */
import { z } from 'zod';
import type { ConsultTurn } from '../../desk/context.ts';
import { DESK, serviceOperation } from '../../desk/operation.ts';
import { thoughtOf } from '../../desk/think.ts';
import {
  type Consult,
  consult as consultRecord,
  previous,
  question,
  think as thinkRecord,
} from '../../records/talk.ts';
import { ASSISTANT } from './api.ts';
import { assistantPlace } from './place.ts';

const NOT_ASKED = 'The assistant was not asked.';
const FAULT =
  'The assistant does not answer: a fault of the desk itself stopped it; the log has the details. Please report it.';

/** No assistant is configured: there is nothing to wait for. */
const NO_SLOT: ConsultTurn = { signal: new AbortController().signal, end: () => undefined };

/** As a stream: `hostess` (her answer, as of `think`), `assistant` (`{delta}`, plain text) and `done` (the whole record, which alone counts). */
export const consult = serviceOperation({
  route: 'POST /h7/consult',
  roles: DESK,
  summary:
    'Asks the hostess, with the assistant consulting; as text/event-stream the events hostess, assistant and done',
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
    /** Her answer with what the assistant says of it. */
    const consulted = async (words: (text: string) => void = () => undefined): Promise<Consult> => {
      if (slot === null) return consultRecord.assemble({ ...thought, assistant: null, note: NOT_ASKED });
      const assisted = await assistant
        .ask(thought.message, thought, { signal: slot.signal, words })
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
        send('done', await consulted((delta) => send('assistant', { delta })));
      } finally {
        slot?.end();
      }
    });
  },
});
