/** What the mail people ledger gives: persons, pages of them, and counts. */

export type FirstContact = 'in' | 'out' | 'beside';

export const WARNINGS = ['mixed-script', 'address-in-name', 'lookalike-domain', 'lookalike-name'] as const;

export interface Warning {
  readonly kind: (typeof WARNINGS)[number];
  /** The address, domain or name it is like, or what is odd; "" when the kind says it all. */
  readonly about: string;
}

export const MOST_NAMES = 8;

/** A person as the ledger knows them. */
export interface LedgerPerson {
  readonly address: string;
  /** The name seen most often; "" when none was. */
  readonly name: string;
  /** All names seen, the most frequent first, at most `MOST_NAMES`. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch; null when no message had a believable time. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** What the first message was: theirs to you (in), yours to them (out), or one that named both (beside). */
  readonly firstContact: FirstContact;
  /** Messages from them. */
  readonly received: number;
  /** Your messages to them. */
  readonly sent: number;
  /** Messages that named them as a further recipient: yours with them in Cc or Bcc, others' with them in To or Cc. */
  readonly copied: number;
  /** All their messages came over lists. */
  readonly list: boolean;
  /** A program: the address says so (noreply), or all their messages do. */
  readonly automated: boolean;
  readonly warnings: readonly Warning[];
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
   * True: `q` looks at names and domains only, and nothing that comes back (the cursor too) tells a local part: `address` is the
   * domain alone, and names with an address in them, or that are a local part, are left out.
   */
  readonly open: boolean;
}

export interface PeoplePage {
  /** All that match. */
  readonly total: number;
  readonly people: readonly LedgerPerson[];
  readonly next: string | null;
}

export interface LedgerTotals {
  readonly people: number;
  /** Messages that were counted. */
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
