/** The two pages of the public listener. They tell nothing of the machine and reach nothing that controls it. */
import { publicMailPage, publicPage } from '../../pages/public-pages.tsx';
import { openPeople } from '../../records/people.ts';
import type { Handlers } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import type { ReadableDesk } from './people.ts';

/** People on one page. */
const MOST = 200;

export function publicPageRoutes(desk: ReadableDesk) {
  const { config } = desk;
  const listed = async () => {
    if (!config.mail.public_people) return null;
    const page = await desk.people.page({ q: '', sort: 'name', limit: MOST, cursor: undefined, open: true });
    const moment = desk.latest() ?? (await desk.moment());
    return openPeople.assemble({ moment, ...page });
  };
  const front = publicPage(config);
  return {
    'public-page': () => ({ page: front }),
    'public-mail-page': async () => ({ page: publicMailPage(config, await listed()) }),
  } satisfies Partial<Handlers<Endpoints, 'public'>>;
}
