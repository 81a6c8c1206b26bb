/** Talking with the hostess. She changes nothing. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { type Thought, think } from '../../records/talk.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';
import type { Grant } from '../tokens.ts';

interface Asked {
  readonly body: { readonly message: string };
  readonly grant: Grant | null;
}

/** What she answers to the message of a call. Both tokens open the ledger; without one she tells nothing about people. */
export const thoughtOf = async (desk: Desk, { body: { message }, grant }: Asked): Promise<Thought> => ({
  message,
  ...(await desk.think(message, { mayKnowPeople: grant !== null })),
});

export function hostessRoutes(desk: Desk) {
  const thinks = async (call: Asked): Promise<Reply> => ({
    json: jsonText(think.assemble(await thoughtOf(desk, call))),
  });
  return { think: thinks, 'hostess-think': thinks } satisfies Partial<ControlHandlers>;
}
