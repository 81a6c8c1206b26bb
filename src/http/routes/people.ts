/** The mail people ledger, for the public listener too: this file reaches nothing that controls the desk. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { openPeople, people, who } from '../../records/people.ts';
import type { Handlers } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { Problem } from '../errors.ts';
import { RateLimiter } from '../rate.ts';

/** What the public listener may know of the desk. */
export type ReadableDesk = Pick<Desk, 'config' | 'latest' | 'moment' | 'people'>;

/** A search looks through everybody: all who have no token share so many. */
const OPEN_SEARCHES = { burst: 5, perSecond: 1 } as const;

export function peopleRoutes(desk: ReadableDesk) {
  const searches = new RateLimiter(OPEN_SEARCHES);
  const newest = async () => desk.latest() ?? (await desk.moment());
  return {
    people: async ({ query: { q = '', sort, limit, cursor }, grant }) => {
      // Without a token the list is asked where everybody may: no order there tells who writes to whom.
      const open = grant === null;
      const waitSec = open && q.trim() !== '' ? searches.take('everybody') : 0;
      if (waitSec > 0)
        throw new Problem('too-many', `Search again in ${waitSec} s.`, {
          headers: { 'Retry-After': String(waitSec) },
        });
      const page = await desk.people.page({ q, sort: open ? 'name' : sort, limit, cursor, open });
      const record = open ? openPeople : people;
      return { json: jsonText(record.assemble({ moment: await newest(), ...page })) };
    },
    who: async ({ query: { email } }) => {
      const found = await desk.people.who(email);
      if (found === null)
        throw new Problem(
          'invalid',
          'Invalid fields: /email: expected a mail address, e.g. ada@example.org.',
        );
      const { address, person } = found;
      return { json: jsonText(who.assemble({ moment: await newest(), email: address, person })) };
    },
  } satisfies Partial<Handlers<Endpoints, 'public'>>;
}
