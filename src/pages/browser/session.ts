/**
 * The session of a tab: `desk open` puts a single-use code into the fragment of the address, which is exchanged here for a token
 * that stays in this tab (sessionStorage, whose origin includes the port).
 */
import type { PostPath } from '../../operations/paths.ts';

const KEY = 'desk.token';

/** The token of this tab; null without one. */
export const token = (): string | null => sessionStorage.getItem(KEY);

/** The service does not know the token any more: it was started anew. */
export const forgetToken = (): void => sessionStorage.removeItem(KEY);

/** Exchanges the code of the address: a sentence that says why that failed, else "". Null when there is no code. */
export async function signIn(): Promise<string | null> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return null;
  // It must stay neither in the address bar nor in the history.
  history.replaceState(null, '', location.pathname + location.search);
  const answer = await fetch('/session' satisfies PostPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null);
  if (answer === null)
    return 'The service did not answer, so the code was not exchanged. Run "desk open" again.';
  const body = (await answer.json().catch(() => null)) as {
    readonly token?: string;
    readonly detail?: string;
  } | null;
  if (!answer.ok || typeof body?.token !== 'string')
    return body?.detail ?? 'The code was refused. Run "desk open" again.';
  sessionStorage.setItem(KEY, body.token);
  return '';
}
