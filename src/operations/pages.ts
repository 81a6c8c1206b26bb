/** The pages of the desk. */
import type { PageName } from './context.ts';
import { DESK, serviceOperation } from './operation.ts';

const page = <P extends string>(id: string, path: P, summary: string, name: PageName) =>
  serviceOperation({
    id,
    method: 'GET',
    path,
    roles: DESK,
    summary,
    answer: 'page',
    handle: ({ service }) => service.page(name),
  });

export const officePage = page('office-page', '/', 'The desk office', 'office');
export const hostessPage = page('hostess-page', '/hostess7.html', 'The charge report for people', 'hostess');
export const linksPage = page('links-page', '/links.html', 'Every link of the desk', 'links');
export const mailPage = page('mail-page', '/email/', 'The mail page', 'mail');

export const themeStyle = serviceOperation({
  id: 'theme-style',
  method: 'GET',
  path: '/theme.css',
  roles: ['themed'],
  summary: 'The tokens that [theme] sets',
  answer: 'style',
  handle: ({ service }) => service.themeStyle(),
});

export const themedPage = serviceOperation({
  id: 'themed-page',
  method: 'GET',
  path: '/',
  roles: ['themed'],
  summary: 'The same status, themed',
  answer: 'page',
  handle: ({ service }) => service.page('themed', [themeStyle.path]),
});
