/** Requests of a page to its own listener, with the token of the tab where there is one. */
import { createParser } from 'eventsource-parser';
import { requestOf } from '../../desk/request.ts';
import type { PostPath } from '../../features/paths.ts';
import type { DeskActions } from '../desk-context.ts';

/** In sessionStorage, which ends with the tab and belongs to one origin, that is one port. */
const KEY = 'desk.token';

/** The token of this tab; null without one. */
export const token = (): string | null => sessionStorage.getItem(KEY);

/** Keeps a token that was entered, for this tab; `forget` takes it away. */
export const keep = (text: string): void => sessionStorage.setItem(KEY, text);
export const forget = (): void => sessionStorage.removeItem(KEY);

/** The header that carries the token of this tab; none without one. */
export const authorization = (): Readonly<Record<string, string>> => {
  const held = token();
  return held === null ? {} : { Authorization: `Bearer ${held}` };
};

/** The service does not take the token of this tab. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

const jsonOf = async <T>(answer: Response | null): Promise<T | null> =>
  ((await answer?.json().catch(() => null)) ?? null) as T | null;

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Exchanges the single-use code of `desk open` (in the URL fragment) for a token. As `exchange`; null without one. */
export async function signIn(): Promise<string | null> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return null;
  // It must stay neither in the address bar nor in the history.
  history.replaceState(null, '', location.pathname + location.search);
  return exchange(code);
}

/** Exchanges a code for a token of this tab. A sentence when that failed, else "". */
export async function exchange(code: string): Promise<string> {
  const answer = await fetch('/session' satisfies PostPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null);
  if (answer === null)
    return 'The service did not answer, so the code was not exchanged. Run "desk open" again.';
  const body = await jsonOf<{ readonly token?: string; readonly detail?: string }>(answer);
  if (!answer.ok || typeof body?.token !== 'string')
    return body?.detail ?? 'The code was refused. Run "desk open" again.';
  sessionStorage.setItem(KEY, body.token);
  return '';
}

/** @throws Error for anything but 2xx, for people: a refusal as the service words it (RFC 9457), or that it does not answer. */
async function answerTo(
  method: 'GET' | 'POST',
  path: string,
  input: object,
  abort: AbortSignal | undefined,
  accept: string,
): Promise<Response> {
  const held = token();
  const request = requestOf({ method, path }, input);
  const answer = await fetch(request.path, {
    method,
    headers: {
      Accept: accept,
      ...authorization(),
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
    },
    body: method === 'POST' ? JSON.stringify(request.body) : null,
    signal: abort ?? null,
  }).catch((error: unknown) => {
    throw isAbort(error)
      ? error
      : new Error('The service does not answer. See whether "desk boot" runs, then try again.');
  });
  if (answer.ok) return answer;
  if (answer.status === 401 && held !== null) {
    sessionStorage.removeItem(KEY);
    throw new SignedOut('The service was restarted and does not know this session. Run "desk open" again.');
  }
  const problem = await jsonOf<{ readonly title?: string; readonly detail?: string }>(answer);
  const text = [problem?.title, problem?.detail].filter(Boolean).join(': ');
  throw new Error(text || `The service answered ${answer.status}.`);
}

async function ask<T>(
  method: 'GET' | 'POST',
  path: string,
  input: object,
  abort: AbortSignal | undefined,
): Promise<T> {
  const answer = await answerTo(method, path, input, abort, 'application/json');
  return answer.json().catch((error: unknown) => {
    throw isAbort(error) ? error : new Error('What answers at this address is not the desk.');
  });
}

/** See `DeskActions`. */
export const get: DeskActions['get'] = (path, input, abort) => ask('GET', path, input, abort);
export const post: DeskActions['post'] = (path, input, abort) => ask('POST', path, input, abort);

export const converse: DeskActions['converse'] = async (path, input, abort, hear) => {
  const answer = await answerTo('POST', path, input, abort, 'text/event-stream');
  const parser = createParser({ onEvent: hear });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
      parser.feed(read.value);
  } catch (error) {
    // A connection that breaks ends the answer.
    if (!(error instanceof TypeError)) throw error;
  }
};
