/** The thread of ledger-search.ts: its own reader of the ledger, kept open between two searches. */
import { DeskError } from '../desk.ts';
import type { PeoplePage, PeopleQuery } from '../records/ledger.ts';
import { type LedgerReader, openLedgerReader } from './ledger-reader.ts';

export interface Search {
  /** Path of the state folder. */
  readonly folder: string;
  readonly query: PeopleQuery;
}

/** A class would not come through a channel: refusals are values here. */
export type Searched =
  | { readonly ok: true; readonly page: PeoplePage | null }
  | {
      readonly ok: false;
      readonly code: DeskError['code'];
      readonly message: string;
      readonly remedy: string;
    };

const readers = new Map<string, LedgerReader>();

export default function search({ folder, query }: Search): Searched {
  let reader = readers.get(folder);
  if (reader === undefined) {
    reader = openLedgerReader(folder);
    readers.set(folder, reader);
  }
  try {
    return { ok: true, page: reader.page(query) };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    const { code, message, remedy } = error;
    return { ok: false, code, message, remedy };
  }
}
