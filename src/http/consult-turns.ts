/** How many ask the assistant at once: one for each caller, four in all. An answer of it is long, and costs its machine a lot. */
import type { Caller, ConsultTurn } from '../desk/context.ts';
import { Problem } from './errors.ts';

const MOST_IN_ALL = 4;
const RETRY_SEC = 5;

export class ConsultTurns {
  readonly #callers = new Set<string>();
  readonly #closing = new AbortController();

  /** @throws Problem 429 while this caller asks already, or too many do. */
  begin({ name, left }: Caller): ConsultTurn {
    const why = this.#callers.has(name)
      ? 'The assistant is still answering you.'
      : this.#callers.size >= MOST_IN_ALL
        ? `The assistant is answering ${MOST_IN_ALL} others.`
        : '';
    if (why !== '')
      throw new Problem(
        'too-many',
        `${why} Ask again in ${RETRY_SEC} s, or with "with_assistant": false now.`,
        { headers: { 'Retry-After': String(RETRY_SEC) } },
      );
    this.#callers.add(name);
    return {
      signal: AbortSignal.any([left(), this.#closing.signal]),
      end: () => void this.#callers.delete(name),
    };
  }

  /** Ends all that are under way. */
  close(): void {
    this.#closing.abort();
  }
}
