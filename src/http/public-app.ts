/** The application of the public listener. What this file imports, and that in turn, holds no control code (a test checks). */
import type { PublicContext, PublicService, ReadableDesk } from '../operations/context.ts';
import { type AnyOperation, operationsIn } from '../operations/operation.ts';
import * as declared from '../operations/public.ts';
import { publicMailPage, publicPage } from '../pages/public-pages.tsx';
import { type AppOptions, createApp } from './app.ts';
import { asset } from './assets.ts';
import { Problem } from './errors.ts';
import { RateLimiter } from './rate.ts';

/** The type check holds the guarantee: an operation that needs more of the desk is not assignable. */
export const PUBLIC_OPERATIONS: readonly AnyOperation<PublicContext>[] = operationsIn(declared);

/** A search looks through everybody: all who have no token share so many. */
const OPEN_SEARCHES = { burst: 5, perSecond: 1 } as const;

/** What handlers of a listener get that may serve everybody; `may` says which names of assets it serves. */
export function publicService(
  { config }: ReadableDesk,
  may: (name: string) => boolean = () => true,
): PublicService {
  const searches = new RateLimiter(OPEN_SEARCHES);
  let front: string | undefined;
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
    },
  };
}

/** The readable part of a desk and nothing else, whatever `desk` has beside it. */
const readable = (desk: ReadableDesk): ReadableDesk => ({
  config: desk.config,
  people: desk.people,
  latest: () => desk.latest(),
  moment: (freshness) => desk.moment(freshness),
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
