/** The pages of the desk. */
import { z } from 'zod';
import { NotThere, type PageName } from '../desk/context.ts';
import { DESK, type Route, serviceOperation } from '../desk/operation.ts';
import { isEnded, processAsked, processNow } from './process.ts';

const page = <const R extends Route>(route: R, summary: string, name: PageName) =>
  serviceOperation({
    route,
    roles: DESK,
    summary,
    answer: 'page',
    handle: ({ service }) => service.page(name),
  });

export const officePage = page('GET /', 'The desk office', 'office');
export const hostessPage = page('GET /hostess7.html', 'The charge report for people', 'hostess');
export const startupPage = page(
  'GET /startup.html',
  'What starts by itself, accounts and packages',
  'startup',
);
export const processPage = serviceOperation({
  route: 'GET /process/{pid}',
  roles: DESK,
  summary: 'Everything known about one process; 404 where it has ended',
  // Links are passed on, and other sites may add a query of their own.
  input: z.object(processAsked.shape),
  answer: 'page',
  async handle({ desk, service }, asked, call) {
    const known = await processNow(desk, service, asked, call);
    if (!isEnded(known)) return service.processPage({ ...asked, record: known });
    return new NotThere(await service.processPage({ ...asked, record: null, now: known.now }));
  },
});
export const diffPage = page('GET /diff.html', 'What changed in the last days', 'diff');
export const linksPage = page('GET /links.html', 'Every link of the desk', 'links');
export const mailPage = page('GET /email/', 'The mail page', 'mail');

export const themeStyle = serviceOperation({
  route: 'GET /theme.css',
  roles: ['themed'],
  summary: 'The tokens that [theme] sets',
  answer: 'style',
  handle: ({ service }) => service.themeStyle(),
});

export const themedPage = serviceOperation({
  route: 'GET /',
  roles: ['themed'],
  summary: 'The same status, themed',
  answer: 'page',
  handle: ({ service }) => service.page('themed', [themeStyle.path]),
});
