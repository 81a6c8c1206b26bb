/** The mail people ledger, for the public listener too: this file reaches nothing that controls the desk. */
import type { Desk } from '../../desk.ts';
import { people, who } from '../../records/people.ts';
import type { Handlers } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';

/** What the public listener may know of the desk. */
export type ReadableDesk = Pick<Desk, 'config' | 'latest' | 'moment'>;

/** Without a mail source the ledger is empty, and says so. */
export function peopleRoutes(desk: ReadableDesk) {
  const newest = async () => desk.latest() ?? (await desk.moment());
  return {
    people: async () => ({
      json: JSON.stringify(people.assemble({ moment: await newest(), total: 0, people: [], next: null })),
    }),
    who: async ({ query: { email } }) => ({
      json: JSON.stringify(who.assemble({ moment: await newest(), email, person: null })),
    }),
  } satisfies Partial<Handlers<Endpoints, 'public'>>;
}
