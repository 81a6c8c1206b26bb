/** The server's side of a page: its markup before any script. */
import type { PageName } from '../desk/context.ts';
import type { Page } from '../records/page.ts';
import { DeskContext } from './desk-context.ts';
import { renderDocument } from './document.tsx';
import { PAGES } from './registry.tsx';

/** The document of page `name`; `json` is `page` as `/h7/page` answers it. */
export function renderPage(name: PageName, page: Page, json: string, styles: readonly string[] = []): string {
  const { title, Content } = PAGES[name];
  return renderDocument({
    title: title(page),
    page: { name, json },
    styles,
    body: (
      <DeskContext.Provider value={{ page, live: null, link: 'rendered', trouble: '', actions: null }}>
        <Content />
      </DeskContext.Provider>
    ),
  });
}
