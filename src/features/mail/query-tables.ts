/** What a query can ask of the people ledger. */

import { PEOPLE } from '../../desk/people.ts';
import { type DeskTable, recordTable } from '../../desk/query.ts';
import type { LedgerPerson } from '../../records/ledger.ts';
import { person, personOf } from '../../records/people.ts';

/** People that are read, those you write to first. */
const MOST_PEOPLE = 10_000;
const PAGE = 500;

const people = recordTable({
  name: 'people',
  meaning: 'people of the mail ledger; needs a token',
  noun: ['person', 'people'],
  key: ['email'],
  label: 'name',
  time: 'last_seen',
  shown: ['email', 'name', 'received', 'sent', 'first_seen', 'last_seen'],
  columns: [person],
  hints: { times: ['first_seen', 'last_seen'] },
  needs: 'people',
  read: async (desk) => {
    const ledger = desk.use(PEOPLE);
    const found: LedgerPerson[] = [];
    let cursor: string | undefined;
    let total = 0;
    do {
      const page = await ledger.page({ q: '', sort: 'rank', limit: PAGE, cursor, open: false });
      found.push(...page.people);
      total = page.total;
      cursor = page.next ?? undefined;
    } while (cursor !== undefined && found.length < MOST_PEOPLE);
    const state = desk.latest() ?? (await desk.state());
    const rows = found.map((one) => {
      const {
        address,
        firstMs: _first,
        lastMs: _last,
        firstContact,
        list: _list,
        automated: _auto,
        ...rest
      } = one;
      const { firstSeen, lastSeen, flags } = personOf(state, one);
      return {
        ...rest,
        email: address,
        first_contact: firstContact,
        first_seen: firstSeen,
        last_seen: lastSeen,
        flags,
      };
    });
    const { mail } = state.desk;
    return {
      rows,
      gaps: [
        ...(cursor === undefined ? [] : [`only ${found.length} of ${total} people are read`]),
        ...(mail.configured && !mail.finite ? ['the ledger was full, and people were left out'] : []),
        ...(mail.configured ? [] : ['no mail is read: name sources in [mail] sources']),
      ],
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [people];
