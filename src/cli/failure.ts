/** Exit codes, and a refusal as the command line tells it: what happened, why, what to do. */
import { DeskError } from '../base/desk-error.ts';
import { systemRefusal } from './system-failure.ts';

export const exit = { ok: 0, findings: 1, usage: 2, unreachable: 3, refused: 4 } as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  readonly why: string;
  readonly remedy: string;

  /** `message` says what happened; `why` and `remedy` may be "". */
  constructor(exitCode: ExitCode, message: string, why: string, remedy: string) {
    super(message);
    this.exitCode = exitCode;
    this.why = why;
    this.remedy = remedy;
  }
}

const codes: Readonly<Record<DeskError['code'], ExitCode>> = {
  unavailable: exit.refused,
  refused: exit.refused,
  usage: exit.usage,
  'not-found': exit.usage,
};

/** A word or option that the rest of the command line leaves without a meaning. */
export const superfluous = (what: string, where: string): Failure =>
  new Failure(exit.usage, `${what} has no meaning for "desk ${where}".`, '', 'Leave it out.');

/** The names of fields alone, without the slash of a JSON pointer. */
export const withoutPointers = (text: string): string =>
  text.replace(/(^Invalid fields: |; )\/(?=[\w-]+:)/g, '$1');

/** The failure a thrown value is told as; undefined for a bug, which keeps its stack. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof DeskError)
    return new Failure(codes[error.code], withoutPointers(error.message), error.why, error.remedy);
  const refused = systemRefusal(error);
  return refused && new Failure(exit.refused, refused.what, refused.why, refused.remedy);
}
