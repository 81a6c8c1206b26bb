/** Every refusal of the HTTP layer: one line per problem type, written as application/problem+json (RFC 9457). */
import { DeskError, type Place, PlacedError } from '../base/desk-error.ts';
import { withStop } from '../base/sentence.ts';
import { type Problem as ProblemAnswer, problem } from '../records/problem.ts';

/** Problem type → status and title. The type URI is `urn:hostess-desk:problem:` + key. */
export const PROBLEMS = {
  'malformed-http': [400, 'The request is not well-formed HTTP'],
  'malformed-json': [400, 'The body is not well-formed JSON'],
  'token-required': [401, 'This request needs a token'],
  'user-refused': [401, 'Requests of this user are not served'],
  'proxy-refused': [403, 'Proxied requests are not served here'],
  'origin-refused': [403, 'Requests of other sites are not served'],
  'not-found': [404, 'Not found'],
  'method-refused': [405, 'Method not allowed for this path'],
  'not-acceptable': [406, 'No acceptable form of the answer'],
  'too-slow': [408, 'The request took too long'],
  conflict: [409, 'Refused in the current state'],
  'too-large': [413, 'The body is too large'],
  'type-refused': [415, 'The body is not plain JSON'],
  'expectation-failed': [417, 'The expectation cannot be met'],
  'wrong-host': [421, 'The request is meant for another host'],
  invalid: [422, 'The request does not fit the endpoint'],
  'too-many': [429, 'Too many requests'],
  'header-too-large': [431, 'The request header is too large'],
  internal: [500, 'The desk failed to answer'],
  unavailable: [503, 'Not available'],
} as const satisfies Record<string, readonly [number, string]>;

type ProblemId = keyof typeof PROBLEMS;

/** A refusal to be answered as it is; `detail` says what to do and never repeats unchecked input. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly id: ProblemId;
  readonly headers: Readonly<Record<string, string>>;
  readonly place: Place | undefined;

  constructor(
    id: ProblemId,
    detail: string,
    {
      headers = {},
      place,
    }: { readonly headers?: Readonly<Record<string, string>>; readonly place?: Place } = {},
  ) {
    super(detail);
    this.id = id;
    this.headers = headers;
    this.place = place;
  }

  get status(): number {
    return PROBLEMS[this.id][0];
  }
}

const DESK_PROBLEMS = {
  unavailable: 'unavailable',
  refused: 'conflict',
  usage: 'invalid',
  'not-found': 'not-found',
} as const satisfies Record<DeskError['code'], ProblemId>;

/** The problem that answers a thrown value. Anything unknown becomes `internal`, without its message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DeskError) {
    const detail = error.remedy === '' ? error.message : `${withStop(error.message)} ${error.remedy}`;
    return new Problem(DESK_PROBLEMS[error.code], withStop(detail), {
      ...(error.code === 'unavailable' && { headers: { 'Retry-After': '5' } }),
      ...(error instanceof PlacedError && { place: error.place }),
    });
  }
  return new Problem(
    'internal',
    'The log of the service says why, under the instance of this answer. Ask again.',
  );
}

/** The answer; `instance` names this one occurrence, and the log carries the same name. */
export function problemBody(refused: Problem, instance: string): ProblemAnswer {
  const [status, title] = PROBLEMS[refused.id];
  const { place } = refused;
  return problem.assemble({
    type: `urn:hostess-desk:problem:${refused.id}`,
    title,
    status,
    detail: refused.message,
    instance,
    position: place && place.at + 1,
    suggestions: place && [...place.suggestions],
  });
}
