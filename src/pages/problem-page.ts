/** A problem for people: what happened and what to do. */
import type { Problem } from '../records/problem.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';

export const problemPage = ({ status, title, detail, type, instance }: Problem): Html =>
  page(
    {
      title: `${status} ${title}`,
      path: '',
      nav: [['/', 'Back to the start']],
      foot: html`<code>${instance}</code>`,
    },
    html`<h1>${title}</h1><section><p>${detail}</p><p class="soft">${status}, <code>${type}</code></p></section>`,
  );
