/** Talking with the hostess. She changes nothing. */
import type { Desk } from '../../desk.ts';
import { consult, type Thought, think } from '../../records/talk.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';
import type { Grant } from '../tokens.ts';

interface Asked {
  readonly body: { readonly message: string };
  readonly grant: Grant | null;
}

export function hostessRoutes(desk: Desk) {
  // Both tokens open the ledger; without one she tells nothing about people.
  const thought = async (message: string, grant: Grant | null): Promise<Thought> => ({
    message,
    ...(await desk.think(message, { mayKnowPeople: grant !== null })),
  });
  const thinks = async ({ body, grant }: Asked): Promise<Reply> => ({
    json: JSON.stringify(think.assemble(await thought(body.message, grant))),
  });
  return {
    think: thinks,
    'hostess-think': thinks,
    consult: async ({ body: { message, with_assistant }, grant }) => {
      const note = !with_assistant
        ? 'The assistant was not asked.'
        : desk.config.assistant.base_url === ''
          ? 'No assistant is configured, see [assistant].'
          : 'This version does not ask the assistant yet.';
      return {
        json: JSON.stringify(consult.assemble({ ...(await thought(message, grant)), assistant: null, note })),
      };
    },
  } satisfies Partial<ControlHandlers>;
}
