/** What components know: the page record, and in the browser what has changed since. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ProcessAsked } from '../desk/context.ts';
import type { AnswerAt, GetPath, InputAt, PostPath } from '../features/paths.ts';
import type { Live } from '../records/live.ts';
import type { Page } from '../records/page.ts';

/** `rendered`: no script yet. `live`: events arrive. `stale`: none for two periods, though connected. `disconnected`: no answer, retrying. */
type LinkState = 'rendered' | 'live' | 'stale' | 'disconnected';

export interface DeskView {
  readonly page: Page;
  /** Of the page of a process. */
  readonly process?: ProcessAsked | null;
  /** The newest live record; null until one came. */
  readonly live: Live | null;
  readonly link: LinkState;
  /** Why the link is not live, for people; "" when it is, or when its state says all. */
  readonly trouble: string;
  /** Null on the server, where nothing can be done. */
  readonly actions: DeskActions | null;
}

/** What a page asks of its own listener. A refusal is an `Error` whose message says what happened and what to do. */
export interface DeskActions {
  /** This tab has a token. */
  readonly signedIn: boolean;
  /** Why the code in the address was not exchanged for one; "" when it was, or when there was none. */
  readonly refusal: string;
  get<P extends GetPath>(path: P, input: InputAt<'GET', P>, abort?: AbortSignal): Promise<AnswerAt<'GET', P>>;
  post<P extends PostPath>(
    path: P,
    input: InputAt<'POST', P>,
    abort?: AbortSignal,
  ): Promise<AnswerAt<'POST', P>>;
  /** Receives the answer as events; resolves when it has ended, complete or not. */
  converse<P extends PostPath>(
    path: P,
    input: InputAt<'POST', P>,
    abort: AbortSignal,
    hear: (event: { readonly event?: string | undefined; readonly data: string }) => void,
  ): Promise<void>;
  /** Reads the page record again, after an action. */
  refresh(): Promise<void>;
}

export const refusalText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const DeskContext = createContext<DeskView | null>(null);

export function useDesk(): DeskView {
  const view = useContext(DeskContext);
  if (view === null) throw new TypeError('a page is outside its desk');
  return view;
}
