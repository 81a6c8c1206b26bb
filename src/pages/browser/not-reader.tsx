/** The page for a user who may not read, in the browser: once the tab is signed in, the page that was asked for takes its place. */
import { hydrate, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageName } from '../../desk/context.ts';
import type { Page } from '../../records/page.ts';
import { type CallerFacts, NotReader } from '../not-reader-page.tsx';
import { Frame } from '../plain-frame.tsx';
import { pageAt } from '../registry.tsx';
import { exchange, get, SignedOut, signIn, token } from './ask.ts';

const TOKEN_OF_REMOTE =
  'This is a read-only token of "desk token": it opens the remote listener at the address that "desk token list" shows, and nothing here.';

/** The code of an address as "desk open" prints it, or what was entered. */
const codeIn = (text: string): string =>
  new URLSearchParams(text.slice(text.indexOf('#') + 1)).get('code') ?? text;

interface Props {
  readonly facts: CallerFacts;
  readonly show: (page: Page, name: PageName) => void;
}

function SignedInOrNot({ facts, show }: Props) {
  const [refusal, refuse] = useState('');
  const [opening, setOpening] = useState(false);
  // The first drawing is that of the server, whose attributes stay: there the field is disabled.
  const [runs, setRuns] = useState(false);
  const open = async (): Promise<void> => {
    const name = pageAt(location.pathname);
    // Only pages of the desk can be drawn by a script.
    if (name === null) return location.replace('/');
    setOpening(true);
    try {
      show(await get('/h7/page', {}), name);
    } catch (error) {
      setOpening(false);
      refuse(error instanceof SignedOut ? 'The session has ended. Sign in again.' : (error as Error).message);
    }
  };
  const after = async (exchanged: Promise<string | null>): Promise<void> => {
    const reason = await exchanged;
    refuse(reason ?? '');
    if (!reason && token() !== null) await open();
  };
  useEffect(() => {
    setRuns(true);
    const byAddress = () => void after(signIn());
    byAddress();
    addEventListener('hashchange', byAddress);
    return () => removeEventListener('hashchange', byAddress);
  }, []);
  const enter = (text: string): void => {
    if (text.startsWith('desk_')) refuse(TOKEN_OF_REMOTE);
    else void after(exchange(codeIn(text)));
  };
  if (opening)
    return (
      <Frame path="" nav={[]} foot="Hostess Desk.">
        <p role="status">Opening the desk …</p>
      </Frame>
    );
  return <NotReader facts={facts} refusal={refusal} enter={runs ? enter : null} />;
}

/** `show` draws a page of the desk in the place of this one. */
export function begin(root: HTMLElement, facts: CallerFacts, show: Props['show']): void {
  const replace: Props['show'] = (page, name) => {
    render(null, root);
    show(page, name);
  };
  hydrate(<SignedInOrNot facts={facts} show={replace} />, root);
}
