/** Talking with the hostess. She changes nothing. */
import type { Desk } from '../../desk.ts';
import { type Thought, think } from '../../records/talk.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';

interface Talk {
  readonly body: { readonly message: string };
}

/** What she answers to the message of a call. */
export const thoughtOf = async (desk: Desk, { body: { message } }: Talk): Promise<Thought> => ({
  message,
  ...(await desk.think(message)),
});

export function hostessRoutes(desk: Desk) {
  const thinks = async (call: Talk): Promise<Reply> => ({
    json: JSON.stringify(think.assemble(await thoughtOf(desk, call))),
  });
  return { think: thinks, 'hostess-think': thinks } satisfies Partial<ControlHandlers>;
}
