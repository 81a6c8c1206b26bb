/** Talking with the hostess. She changes nothing. */
import type { Desk } from '../../desk.ts';
import { consult, type Thought, think } from '../../records/talk.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';

export function hostessRoutes(desk: Desk) {
  const thought = async (message: string): Promise<Thought> => ({ message, ...(await desk.think(message)) });
  const thinks = async ({ body }: { readonly body: { readonly message: string } }): Promise<Reply> => ({
    json: JSON.stringify(think.assemble(await thought(body.message))),
  });
  return {
    think: thinks,
    'hostess-think': thinks,
    consult: async ({ body: { message, with_assistant } }) => {
      const note = !with_assistant
        ? 'The assistant was not asked.'
        : desk.config.assistant.base_url === ''
          ? 'No assistant is configured, see [assistant].'
          : 'This version does not ask the assistant yet.';
      return {
        json: JSON.stringify(consult.assemble({ ...(await thought(message)), assistant: null, note })),
      };
    },
  } satisfies Partial<ControlHandlers>;
}
