/** The server's side of a page: its markup before any script. */

import { jsonText } from '../base/visible-text.ts';
import type { PageName, ProcessAsked } from '../desk/context.ts';
import type { Page } from '../records/page.ts';
import { DeskContext } from './desk-context.ts';
import { renderDocument } from './document.tsx';
import { PAGES } from './registry.tsx';

/** What of a page is not the state of the desk. */
interface PageParts {
  /** Addresses of further style sheets. */
  readonly styles?: readonly string[];
  /** The process that it is about. */
  readonly process?: ProcessAsked | null;
}

/** The document of page `name`; `json` is `page` as `/h7/page` answers it. */
export function renderPage(
  name: PageName,
  page: Page,
  json: string,
  { styles = [], process = null }: PageParts = {},
): string {
  const { title, Content } = PAGES[name];
  return renderDocument({
    title: title(page),
    page: { name, json, ...(process !== null && { process: jsonText(process) }) },
    styles,
    body: (
      <DeskContext.Provider
        value={{ page, process, live: null, link: 'rendered', trouble: '', actions: null }}
      >
        <Content />
      </DeskContext.Provider>
    ),
  });
}
