/** Takes over the page that the server rendered, and keeps it up to date. */
import { hydrate, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageName, ProcessAsked } from '../../desk/context.ts';
import type { Page } from '../../records/page.ts';
import { DeskContext, type DeskView } from '../desk-context.ts';
import type { CallerFacts } from '../not-reader-page.tsx';
import { PAGES, processAt } from '../registry.tsx';
import { converse, get, post, signIn, token } from './ask.ts';
import { DeskBrowser } from './desk-browser.ts';

/** Shortest time between two drawings: of figures alone, and of another page record. */
const FIGURES_MS = 100;
const PAGE_MS = 16;

/** Draws at once, then at most as often as above, not while hidden: twenty tabs may follow. `soon`: more than figures changed. */
function paced(draw: () => void) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let due: ReturnType<typeof setTimeout> | undefined;
  /** How long after the last drawing the wanted one may come; infinite: none is wanted. */
  let afterMs = Number.POSITIVE_INFINITY;
  const now = () => {
    afterMs = Number.POSITIVE_INFINITY;
    drawnAt = performance.now();
    draw();
  };
  const ask = (soon: boolean) => {
    afterMs = Math.min(afterMs, soon ? PAGE_MS : FIGURES_MS);
    if (document.visibilityState === 'hidden') return;
    clearTimeout(due);
    const wait = drawnAt + afterMs - performance.now();
    if (wait <= 0) now();
    else due = setTimeout(now, wait);
  };
  const visibilityChanged = () => {
    if (Number.isFinite(afterMs)) ask(true);
  };
  document.addEventListener('visibilitychange', visibilityChanged);
  const stop = () => {
    clearTimeout(due);
    document.removeEventListener('visibilitychange', visibilityChanged);
  };
  return { ask, stop };
}

function App(props: { desk: DeskBrowser; name: PageName; process: ProcessAsked | null }) {
  const { desk, name, process } = props;
  const [shown, show] = useState(desk.shown);
  const [signedIn, setSignedIn] = useState(false);
  const [refusal, setRefusal] = useState('');
  const { title, Content } = PAGES[name];
  useEffect(() => {
    let drawn: Page | undefined;
    const drawing = paced(() => {
      drawn = desk.shown.page;
      show(desk.shown);
      setSignedIn(token() !== null);
    });
    // The first drawing is that of the server; what has come since follows it.
    drawing.ask(true);
    const unsubscribe = desk.subscribe(() => {
      // The title is visible where the page is not.
      document.title = title(desk.shown.page);
      drawing.ask(desk.shown.page !== drawn);
    });
    const exchange = () =>
      void signIn().then((reason) => {
        if (reason !== null) setRefusal(reason);
        setSignedIn(token() !== null);
      });
    exchange();
    // An address of `desk open` that is put into a tab of this page changes its fragment and loads nothing.
    addEventListener('hashchange', exchange);
    return () => {
      removeEventListener('hashchange', exchange);
      unsubscribe();
      drawing.stop();
    };
  }, [desk, title]);
  const actions = useMemo(
    () => ({ signedIn, refusal, get, post, converse, refresh: () => desk.refresh() }),
    [signedIn, refusal, desk],
  );
  const view: DeskView = { ...shown, process, actions: shown.link === 'rendered' ? null : actions };
  return (
    <DeskContext.Provider value={view}>
      <Content />
    </DeskContext.Provider>
  );
}

const root = document.getElementById('app') as HTMLElement;
const record = JSON.parse(document.getElementById('page')?.textContent ?? '');
const { page: name } = root.dataset;
if (name === 'remote') void import('./remote.tsx').then(({ begin }) => begin(root));
else if (name === 'not-reader')
  void import('./not-reader.tsx').then(({ begin }) =>
    begin(root, record as CallerFacts, (page, shown) => {
      document.title = PAGES[shown].title(page);
      const process = processAt(location.pathname, location.search);
      render(<App desk={new DeskBrowser(page)} name={shown} process={process} />, root);
    }),
  );
else {
  const process = JSON.parse(
    document.getElementById('process')?.textContent ?? 'null',
  ) as ProcessAsked | null;
  hydrate(<App desk={new DeskBrowser(record as Page)} name={name as PageName} process={process} />, root);
}
