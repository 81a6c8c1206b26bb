/** Where a command's answers come from: the running service, or a desk in this process. Same operations, same records. */
import type { z } from 'zod';
import { answerOf } from '../desk/answer.ts';
import type { Source } from '../desk/command.ts';
import type { Call, DeskContext } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { exit, Failure } from '../desk/failure.ts';
import {
  type AnswerKind,
  type AnyOperation,
  type Asked,
  changesWith,
  type RecordOf,
} from '../desk/operation.ts';

/** Who asks a desk of this process may do everything. */
const OWN_CALL: Call = {
  grant: 'control',
  wantsStream: false,
  header: () => undefined,
  lastEventId: undefined,
  caller: { name: '', left: () => new AbortController().signal },
};

/**
 * Answers from a desk of this process, `beside` a service of that pid or null. What changes something, and what only a service knows,
 * is asked of that service.
 */
export const localSource = (desk: Desk, beside: number | null, service: () => Promise<Source>): Source => ({
  async ask<I extends z.ZodObject, A extends AnswerKind>(asked: Asked<I, A>, input: z.input<I>) {
    const operation = asked as unknown as AnyOperation<DeskContext>;
    if (beside !== null && (!operation.local || changesWith(operation, input)))
      return (await service()).ask(asked, input);
    if (!operation.local)
      throw new Failure(
        exit.usage,
        `${operation.route} needs the running service.`,
        '',
        'Start it with "desk boot" and leave --local out.',
      );
    return (await answerOf(operation, { desk, service: null }, input, OWN_CALL)) as RecordOf<A>;
  },
});
