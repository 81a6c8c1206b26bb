/** Questions of a page to its own listener, with the token of the tab where there is one. */
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

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const held = token();
  const headers = {
    Accept: 'application/json',
    ...(held !== null && { Authorization: `Bearer ${held}` }),
    ...init.headers,
  };
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new AskError(0, 'The service does not answer. See whether "desk boot" runs, then try again.');
  }
  const body = (await answer.json().catch(() => null)) as
    | (T & { readonly title?: string; readonly detail?: string })
    | null;
  if (answer.ok && body !== null) return body;
  if (answer.status === 401 && held !== null) {
    forgetToken();
    throw new AskError(
      401,
      'The service was started anew and does not know this session. Run "desk open" again.',
    );
  }
  throw new AskError(
    answer.status,
    [body?.title, body?.detail].filter(Boolean).join(': ') || `The service answered ${answer.status}.`,
  );
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => ask(path, signal ? { signal } : {});

export const post = <T>(path: string, body: unknown): Promise<T> =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
