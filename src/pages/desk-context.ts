/** What components know: the page record, and in the browser what has come since. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AnswerAt, GetPath, InputAt, PostPath } from '../operations/paths.ts';
import type { Live } from '../records/live.ts';
import type { Page } from '../records/page.ts';

/**
 * `rendered`: by the server, before any script runs. `live`: events come. `stale`: none came for two periods and a bit, though the connection is up.
 * `disconnected`: the service does not answer; it is asked again.
 */
export type LinkState = 'rendered' | 'live' | 'stale' | 'disconnected';

export interface DeskView {
  readonly page: Page;
  /** The newest live record; null until one came. */
  readonly live: Live | null;
  readonly link: LinkState;
  /** Why the link is not live, for people; "" when it is, or when its state says all. */
  readonly trouble: string;
  /** What the tab does; null on the server, where nothing can be done. */
  readonly actions: DeskActions | null;
}

/** What a page asks of its own listener. A refusal is an `Error` whose message says what happened and what to do. */
export interface DeskActions {
  /** A token was exchanged in this tab: what needs one can be asked. */
  readonly signedIn: boolean;
  /** Why the code of the address was not exchanged; "" when it was, or when there was none. */
  readonly refusal: string;
  get<P extends GetPath>(path: P, input: InputAt<'GET', P>, abort?: AbortSignal): Promise<AnswerAt<'GET', P>>;
  post<P extends PostPath>(
    path: P,
    input: InputAt<'POST', P>,
    abort?: AbortSignal,
  ): Promise<AnswerAt<'POST', P>>;
  /** Asks, and hears the answer as events; resolves when it has ended, whole or not. */
  converse<P extends PostPath>(
    path: P,
    input: InputAt<'POST', P>,
    abort: AbortSignal,
    hear: (event: { readonly event?: string | undefined; readonly data: string }) => void,
  ): Promise<void>;
  /** Reads the page record anew, after an action. */
  refresh(): Promise<void>;
}

/** What was thrown instead of an answer, in words. */
export const refusalText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const DeskContext = createContext<DeskView | null>(null);

export function useDesk(): DeskView {
  const view = useContext(DeskContext);
  if (view === null) throw new TypeError('a page is outside its desk');
  return view;
}
