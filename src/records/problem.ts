/** An error as the service answers it: RFC 9457 `application/problem+json`. */
import { z } from 'zod';
import { type RecordOf, wordsFor } from './define.ts';

interface ProblemFacts {
  /** A URI reference that names the kind of problem; `about:blank` when the status says it all. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What happened here and what to do about it; no stack, no local path, no echo of what was not validated. */
  readonly detail: string;
  /** A URI reference of this occurrence. */
  readonly instance: string;
}

const { field, record } = wordsFor<ProblemFacts>();

export const problem = record('Problem', 'An error (RFC 9457)', {
  type: field(z.string(), 'URI reference of the kind of problem', ({ type }) => type),
  title: field(z.string(), 'the kind of problem in a few words', ({ title }) => title),
  status: field(z.int().min(400).max(599), 'the HTTP status', ({ status }) => status),
  detail: field(z.string(), 'what happened here and what to do about it', ({ detail }) => detail),
  instance: field(z.string(), 'URI reference of this occurrence', ({ instance }) => instance),
});
export type Problem = RecordOf<typeof problem>;
