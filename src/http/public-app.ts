/** The application of the public listener. What this file imports, and that in turn, holds no control code (a test checks). */
import type { PublicContext, PublicService, ReadableDesk } from '../desk/context.ts';
import { operationsIn } from '../desk/operation.ts';
import type { PublicToken } from '../desk/token.ts';
import * as declared from '../features/public.ts';
import { publicMailPage, publicPage } from '../pages/public-pages.tsx';
import { uptimePage } from '../pages/uptime-page.tsx';
import type { UptimePage } from '../records/sites.ts';
import { type AppOptions, createApp } from './app.ts';
import { asset } from './assets.ts';
import { Problem } from './errors.ts';
import { RateLimiter } from './rate.ts';

/** The type check holds the guarantee: an operation that needs more of the desk is not assignable. */
export const PUBLIC_OPERATIONS = operationsIn<PublicContext>(declared);

/** A search reads the whole ledger: all callers without a token share this rate. */
const OPEN_SEARCHES = { burst: 5, perSecond: 1 } as const;

/** What handlers of a listener get that may serve everybody; `may` says which names of assets it serves. */
export function publicService(
  { config }: ReadableDesk,
  may: (name: string) => boolean = () => true,
): PublicService {
  const searches = new RateLimiter(OPEN_SEARCHES);
  let front: string | undefined;
  /** The last status page: it is drawn once for each record. */
  let drawn: { readonly of: UptimePage; readonly page: string } | undefined;
  return {
    countSearch() {
      const waitSec = searches.take('everybody');
      if (waitSec > 0)
        throw new Problem('too-many', `Search again in ${waitSec} s.`, {
          headers: { 'Retry-After': String(waitSec) },
        });
    },
    asset: (name) => (may(name) ? asset(name) : undefined),
    publicPages: {
      front: () => (front ??= publicPage(config)),
      mail: (people) => publicMailPage(config, people),
      uptime: (shown) => {
        if (drawn?.of !== shown) drawn = { of: shown, page: uptimePage(shown) };
        return drawn.page;
      },
    },
  };
}

/** What may be used here: the types allow no other token, and neither does this. */
function checked<T extends PublicToken<unknown>>(token: T): T {
  if (token.isPublic !== true) throw new TypeError(`"${token.id}" is not for the public listener`);
  return token;
}

/** The readable part of a desk and nothing else, whatever `desk` has beside it. */
const readable = (desk: ReadableDesk): ReadableDesk => ({
  config: desk.config,
  use: (token) => desk.use(checked(token)),
  find: (token) => desk.find(checked(token)),
  latest: () => desk.latest(),
  state: (freshness) => desk.state(freshness),
});

export const createPublicApp = (
  desk: ReadableDesk,
  options: Omit<AppOptions<PublicContext>, 'operations' | 'context'>,
) =>
  createApp({
    ...options,
    operations: PUBLIC_OPERATIONS,
    // The style sheet alone: no script of the desk leaves by this listener.
    context: { desk: readable(desk), service: publicService(desk, (name) => name.endsWith('.css')) },
  });
