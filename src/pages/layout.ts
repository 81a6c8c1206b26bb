/** The frame of every page: head, landmarks, navigation. */
import { STYLE } from './design.ts';
import { type Html, html, safeHref, type Value } from './html.ts';

export interface Frame {
  readonly title: string;
  /** Path of the page itself, marked in the navigation. */
  readonly path: string;
  readonly nav: readonly (readonly [path: string, label: string])[];
  readonly theme?: 'themed';
  /** One line at the foot. */
  readonly foot?: Value;
}

export const OFFICE_NAV = [
  ['/', 'Desk'],
  ['/hostess7.html', 'Hostess'],
  ['/links.html', 'Links'],
  ['/email/', 'Mail'],
] as const;

export function page({ title, path, nav, theme, foot }: Frame, content: Value): Html {
  const links = nav.map(
    ([to, label]) =>
      html`<li><a href="${to}"${to === path ? html` aria-current="page"` : ''}>${label}</a></li>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${STYLE}${
  nav === OFFICE_NAV &&
  html`
<script src="/desk.js" defer></script>`
}
</head>
<body${theme === 'themed' ? html` class="themed"` : ''}>
<a class="skip" href="#content">Skip to content</a>
<header><strong>Hostess Desk</strong>${links.length > 0 && html`<nav aria-label="Pages"><ul>${links}</ul></nav>`}</header>
<main id="content" tabindex="-1">
${content}
</main>
<footer>${foot ?? 'Measured on this machine.'}</footer>
</body>
</html>
`;
}

/** A word for a state, with its colour; the word alone carries the meaning. */
export const state = (tone: 'good' | 'warn' | 'bad', word: string): Html =>
  html`<span class="state ${tone}">${word}</span>`;

/** A link, plain text for a target that is no link, or "not configured". */
export function link(target: string, label = target): Html {
  if (target === '') return html`<span class="soft">not configured</span>`;
  const href = safeHref(target);
  return href === null ? html`${label}` : html`<a href="${href}" rel="noreferrer">${label}</a>`;
}

export interface Column {
  readonly head: string;
  readonly number?: boolean;
}

/** Columns that fit a narrow screen side by side; the cells of a wider table stand below each other there. */
const ABREAST = 3;

/**
 * A table with a caption and header cells; the first cell of a row heads it. Cells that stack are no table to a reader of the
 * screen any more, so their roles are said (https://www.w3.org/TR/html-aria/).
 */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
): Html {
  const kind = (at: number) => (columns[at]?.number ? html` class="number"` : '');
  const stacks = columns.length > ABREAST;
  const role = (name: string) => stacks && html` role="${name}"`;
  const head = (at: number) => stacks && html` data-head="${columns[at]?.head}"`;
  return html`<div class="scroll"><table${stacks && html` class="stack"`}${role('table')}><caption>${caption}</caption>
<thead${role('rowgroup')}><tr${role('row')}>${columns.map((column, at) => html`<th scope="col"${role('columnheader')}${kind(at)}>${column.head}</th>`)}</tr></thead>
<tbody${role('rowgroup')}>${rows.map(
    (cells) =>
      html`<tr${role('row')}>${cells.map((cell, at) =>
        at === 0
          ? html`<th scope="row"${role('rowheader')}${kind(at)}>${cell}</th>`
          : html`<td${role('cell')}${head(at)}${kind(at)}>${cell}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

/** Pairs of name and value. */
export const pairs = (rows: readonly (readonly [string, Value])[]): Html =>
  html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
