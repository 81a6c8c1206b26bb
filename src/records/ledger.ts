/** What the mail people ledger gives: persons, pages of them, and counts. */
import type { z } from 'zod';
import type { Source } from './define.ts';
import type { person } from './people.ts';

export type FirstContact = 'in' | 'out' | 'beside';

export const WARNINGS = ['mixed-script', 'address-in-name', 'lookalike-domain', 'lookalike-name'] as const;

/** `about`: the address, domain or name it is like, or what is odd; "" when the kind says it all. */
export type Warning = LedgerPerson['warnings'][number];

export const MOST_NAMES = 8;

/** A person as the ledger knows them, with at most `MOST_NAMES` names. */
export interface LedgerPerson
  extends Omit<Source<z.output<typeof person>>, 'email' | 'firstSeen' | 'lastSeen' | 'flags'> {
  readonly address: string;
  /** Milliseconds since the epoch; null when no message had a believable time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** All their messages came over lists. */
  readonly list: boolean;
  /** A program: the address says so (noreply), or all their messages do. */
  readonly automated: boolean;
}

/** Characters of a cursor: a name and a domain at their longest in the order by name. */
export const LONGEST_CURSOR = 2000;

export const PEOPLE_ORDERS = ['rank', 'name', 'first_seen', 'last_seen', 'received', 'sent'] as const;
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number];

export interface PeopleQuery {
  /** Part of a name or an address, in any case; "" for all. */
  readonly q: string;
  readonly sort: PeopleOrder;
  readonly limit: number;
  /** `next` of the page before; undefined for the first. */
  readonly cursor: string | undefined;
  /**
   * True: `q` searches names and domains only, and the answer (the cursor too) reveals no local part: `address` is the
   * domain alone, and names with an address in them, or that are a local part, are left out.
   */
  readonly open: boolean;
}

export interface PeoplePage {
  readonly total: number;
  readonly people: readonly LedgerPerson[];
  readonly next: string | null;
}

export interface LedgerTotals {
  readonly people: number;
  readonly messages: number;
  /**
   * People that had to be left out because the ledger was full, each time one was, and messages that found no room to be remembered:
   * above 0 it is not finite.
   */
  readonly leftOut: number;
}

/** What is asked of the ledger; `address` in its normal form (`addressOf`). */
export type LedgerQuestion =
  | { readonly what: 'who'; readonly address: string }
  | { readonly what: 'page'; readonly query: PeopleQuery }
  | { readonly what: 'totals' };

export interface LedgerAnswers {
  /** Null: no person has that address. */
  readonly who: LedgerPerson | null;
  /** Null: the cursor was not given out for this query. */
  readonly page: PeoplePage | null;
  readonly totals: LedgerTotals;
}
