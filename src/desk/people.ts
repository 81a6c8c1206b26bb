/** The people ledger, as others read it: the public listener, and the hostess. */
import type { LedgerPerson, PeoplePage, PeopleQuery } from '../records/ledger.ts';
import { publicToken } from './token.ts';

/** The mail people ledger, for reading. Refusals are DeskErrors. */
export interface People {
  /** `address` in the form of the ledger; null for a text that is not a mail address (RFC 5322 section 3.4.1). */
  who(email: string): Promise<{ readonly address: string; readonly person: LedgerPerson | null } | null>;
  /** Refuses (`usage`) a cursor that was not given out for this query. */
  page(query: PeopleQuery): Promise<PeoplePage>;
}

export const PEOPLE = publicToken<People>('people');
