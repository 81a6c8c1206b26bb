/** The status page, which may be shown to everyone. */
import { DeskError } from '../../base/desk-error.ts';
import { Cached, type ReadableDesk } from '../../desk/context.ts';
import { publicOperation } from '../../desk/operation.ts';
import { STATUS_PAGE } from '../../desk/sites-seen.ts';
import { uptimePage as record, type UptimePage } from '../../records/sites.ts';

const LISTENERS = ['public', 'themed'] as const;
/** Shorter than any site is probed. */
const KEPT_SEC = 5;

function shown(desk: Pick<ReadableDesk, 'find'>): UptimePage {
  const page = desk.find(STATUS_PAGE)?.page() ?? null;
  if (page === null) throw new DeskError('not-found', 'There is no status page here.', '');
  return page;
}

export const statusPage = publicOperation({
  route: 'GET /uptime',
  roles: LISTENERS,
  summary: 'The status page: the sites of [status_page], for everyone; 404 while it is not enabled',
  answer: 'page',
  handle: ({ desk, service }) => new Cached(service.publicPages.uptime(shown(desk)), KEPT_SEC),
});

export const statusPageData = publicOperation({
  route: 'GET /uptime.json',
  roles: LISTENERS,
  summary: 'What the status page shows, as data; 404 while it is not enabled',
  answer: record.schema,
  handle: ({ desk }) => new Cached(shown(desk), KEPT_SEC),
});
