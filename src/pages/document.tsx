/** A whole document, as the server sends it. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeJson } from '../base/visible-text.ts';

interface DocumentProps {
  readonly title: string;
  /** Which page the script is to take over, and the record it was rendered from; without one no script is loaded. */
  readonly page?: { readonly name: string; readonly json: string; readonly process?: string };
  /** Style sheets beside the pages' own. */
  readonly styles?: readonly string[];
  readonly body: VNode;
}

/** JSON in markup: no `<` that ends the element or begins a comment (HTML Standard, 4.12.1.3), no invisible characters. */
const inMarkup = (json: string): string => escapeJson(json).replaceAll('<', '\\u003c');

/** The markup of a document; `body` is rendered within `#app`. */
export function renderDocument({ title, page, styles = [], body }: DocumentProps): string {
  const head = renderToString(
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      {['/assets/style.css', ...styles].map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {page !== undefined && <script type="module" src="/assets/pages.js" />}
    </head>,
  );
  const app = renderToString(body);
  const name = page === undefined ? '' : ` data-page="${page.name}"`;
  const script = (id: string, json: string | undefined) =>
    json === undefined ? '' : `<script type="application/json" id="${id}">${inMarkup(json)}</script>`;
  const data = script('page', page?.json) + script('process', page?.process);
  return `<!doctype html>\n<html lang="en">${head}<body><div id="app"${name}>${app}</div>${data}</body></html>\n`;
}
