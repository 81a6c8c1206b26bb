/** The pages of a desk, by their names. */
import type { FunctionComponent } from 'preact';
import type { PageName, ProcessAsked } from '../desk/context.ts';
import type { Page } from '../records/page.ts';
import { DiffPage } from './diff-page.tsx';
import { HostessPage } from './hostess-page.tsx';
import { LinksPage } from './links-page.tsx';
import { MailPage } from './mail-page.tsx';
import { OfficePage } from './office-page.tsx';
import { ProcessPage } from './process-page.tsx';
import { StartupPage } from './startup-page.tsx';
import { ThemedPage } from './themed-page.tsx';

interface Entry {
  readonly title: (page: Page) => string;
  readonly Content: FunctionComponent;
  /** On control and office; undefined where it is not on these. */
  readonly path?: string;
}

const well = (ok: boolean): string => (ok ? 'ok' : 'not ok');
const deskTitle = ({ status }: Page): string => `Desk ${well(status.ok)}, ${status.grade}`;

export const PAGES = {
  office: { title: deskTitle, Content: OfficePage, path: '/' },
  themed: { title: deskTitle, Content: ThemedPage },
  hostess: {
    title: ({ status: { hostess_charge: charge } }) =>
      `Hostess ${well(charge.ok)}, ${charge.war_machine.grade}`,
    Content: HostessPage,
    path: '/hostess7.html',
  },
  startup: { title: () => 'What starts by itself', Content: StartupPage, path: '/startup.html' },
  process: { title: () => 'Process', Content: ProcessPage },
  diff: { title: () => 'What has changed', Content: DiffPage, path: '/diff.html' },
  links: { title: () => 'Links of the desk', Content: LinksPage, path: '/links.html' },
  mail: { title: () => 'Mail of the desk', Content: MailPage, path: '/email/' },
} as const satisfies Record<PageName, Entry>;

/** The process that an address is about: its path, and its query; null where it is about none. */
export function processAt(path: string, query = ''): ProcessAsked | null {
  const [, pid] = /^\/process\/([1-9]\d{0,6})$/.exec(path) ?? [];
  if (pid === undefined) return null;
  return { pid: Number(pid), start: new URLSearchParams(query).get('start') ?? undefined };
}

/** The page of a path on control and office; null where there is none. */
export const pageAt = (asked: string): PageName | null =>
  processAt(asked) !== null
    ? 'process'
    : ((Object.keys(PAGES) as PageName[]).find((name) => (PAGES[name] as Entry).path === asked) ?? null);
