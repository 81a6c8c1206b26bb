/** Questions of a page to its own listener, with the token of the tab where there is one. */
import { createParser } from 'eventsource-parser';
import { type Request, requestOf } from '../../operations/request.ts';
import type { DeskActions } from '../desk-context.ts';
import { forgetToken, token } from './session.ts';

/** A refusal as the service words it (RFC 9457), or that it does not answer. */
export class AskError extends Error {
  override readonly name = 'AskError';
  constructor(
    /** HTTP status; 0 when nothing answered. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A JSON body, where there is one. */
interface Told {
  readonly title?: string;
  readonly detail?: string;
}

/** @throws AskError for anything but 2xx. */
async function answerTo(path: string, { headers, ...init }: RequestInit): Promise<Response> {
  const held = token();
  let answer: Response;
  try {
    answer = await fetch(path, {
      ...init,
      headers: {
        Accept: 'application/json',
        ...(held !== null && { Authorization: `Bearer ${held}` }),
        ...headers,
      },
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new AskError(0, 'The service does not answer. See whether "desk boot" runs, then try again.');
  }
  if (answer.ok) return answer;
  if (answer.status === 401 && held !== null) {
    forgetToken();
    throw new AskError(
      401,
      'The service was started again and does not know this session. Run "desk open" again.',
    );
  }
  const told = (await answer.json().catch(() => null)) as Told | null;
  throw new AskError(
    answer.status,
    [told?.title, told?.detail].filter(Boolean).join(': ') || `The service answered ${answer.status}.`,
  );
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const answer = await answerTo(path, init);
  try {
    return (await answer.json()) as T;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new AskError(answer.status, 'What answers at this address is not the desk.');
  }
}

const init = ({ method, body }: Request, abort: AbortSignal | undefined): RequestInit => ({
  method,
  ...(body !== undefined && {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }),
  signal: abort ?? null,
});

/** See `DeskActions`. */
export const get: DeskActions['get'] = (path, input, abort) => {
  const request = requestOf({ method: 'GET', path }, input);
  return ask(request.path, init(request, abort));
};

export const post: DeskActions['post'] = (path, input, abort) => {
  const request = requestOf({ method: 'POST', path }, input);
  return ask(request.path, init(request, abort));
};

export const converse: DeskActions['converse'] = async (path, input, abort, hear) => {
  const request = requestOf({ method: 'POST', path }, input);
  const { headers, ...rest } = init(request, abort);
  const answer = await answerTo(request.path, {
    ...rest,
    headers: { ...headers, Accept: 'text/event-stream' },
  });
  const parser = createParser({ onEvent: hear });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
      parser.feed(read.value);
  } catch (error) {
    // A connection that breaks is an answer that ends.
    if (!(error instanceof TypeError)) throw error;
  }
};
