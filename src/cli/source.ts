/** Where a command's answers come from: the running service, or a desk in this process. Same operations, same records. */
import type { z } from 'zod';
import { type Call, type DeskContext, OfMoment } from '../operations/context.ts';
import type { Desk } from '../operations/desk.ts';
import { conform } from '../operations/input.ts';
import {
  type AnswerKind,
  type AnyOperation,
  type Asked,
  changesWith,
  type RecordOf,
} from '../operations/operation.ts';
import { exit, Failure } from './failure.ts';

/** A `Client`, or a desk of this process. */
export interface Source {
  /** The record that the operation answers. Refusals are `Failure`s. */
  ask<I extends z.ZodObject, A extends AnswerKind>(
    operation: Asked<I, A>,
    input: z.input<I>,
  ): Promise<RecordOf<A>>;
}

/** Who asks a desk of this process may do everything. */
const OWN_CALL: Call = {
  grant: 'control',
  wantsStream: false,
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
    const checked = conform(operation.input, input) as never;
    const result = await operation.handle({ desk, service: null }, checked, OWN_CALL);
    return (result instanceof OfMoment ? result.make() : result) as RecordOf<A>;
  },
});
