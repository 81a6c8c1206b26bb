/** The record that an operation answers, where it is called and not served. */
import { Cached, type Call, OfState } from './context.ts';
import { conform } from './input.ts';
import type { AnyOperation } from './operation.ts';

/** @throws DeskError for an input that does not fit, and what the operation throws */
export async function answerOf<C>(
  { input: schema, handle }: AnyOperation<C>,
  context: C,
  input: unknown,
  call: Call,
): Promise<unknown> {
  const result = await handle(context, conform(schema, input) as never, call);
  if (result instanceof Cached) return result.answer;
  return result instanceof OfState ? result.make() : result;
}
