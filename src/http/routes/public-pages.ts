/** The two pages of the public listener. They tell nothing of the machine and reach nothing that controls it. */
import { publicMailPage, publicPage } from '../../pages/public-pages.ts';
import type { Handlers } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import type { ReadableDesk } from './people.ts';

export function publicPageRoutes({ config }: ReadableDesk) {
  return {
    'public-page': () => ({ page: publicPage(config.site) }),
    'public-mail-page': () => ({ page: publicMailPage(config.site) }),
  } satisfies Partial<Handlers<Endpoints, 'public'>>;
}
