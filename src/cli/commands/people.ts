import type { People, Who } from '../../records/people.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { dim, strong } from '../terminal.ts';

const columns = [
  { title: 'address', shrink: 'end' },
  { title: 'name', shrink: 'start' },
  { title: 'received', align: 'right' },
  { title: 'sent', align: 'right' },
  { title: 'last seen' },
] as const;

const rowOf = ({ email, name, received, sent, last_seen }: People['people'][number]) => [
  email,
  name,
  received,
  sent,
  last_seen,
];

export const people: Command = {
  name: 'people',
  summary: 'Lists the mail people ledger',
  options: [
    { flags: '--query <text>', meaning: 'only people whose address or name holds this' },
    { flags: '--limit <n>', meaning: 'how many at most' },
    { flags: '--cursor <cursor>', meaning: 'go on where the last page ended' },
  ],
  examples: [['desk people --query example.org', 'the people of one domain']],
  async run({ out, json, client }, { options: { query, limit, cursor } }) {
    const asked = new URLSearchParams();
    if (query !== undefined) asked.set('q', String(query));
    if (limit !== undefined) asked.set('limit', String(limit));
    if (cursor !== undefined) asked.set('cursor', String(cursor));
    const path = asked.size > 0 ? `/email/api/people?${asked}` : '/email/api/people';
    const record = (await (await client()).ask('GET', path)) as People;
    if (json) out.json(record);
    else if (record.people.length === 0)
      out.line('The ledger holds nobody', dim(' (mail sources come in a later version).'));
    else {
      out.table(columns, record.people.map(rowOf));
      out.line(
        dim(
          `  ${record.people.length} of ${record.total}${record.next === null ? '' : `, next: --cursor ${record.next}`}`,
        ),
      );
    }
    return exit.ok;
  },
};

export const who: Command = {
  name: 'who',
  summary: 'Looks one mail address up in the ledger',
  arguments: [{ name: 'email', meaning: 'the address' }],
  examples: [['desk who ada@example.org', 'what the ledger knows of her']],
  async run({ out, json, client }, { arguments: { email } }) {
    const path = `/email/api/who?${new URLSearchParams({ email: email ?? '' })}`;
    const record = (await (await client()).ask('GET', path)) as Who;
    if (json) out.json(record);
    else if (record.person === null) out.line(strong(record.email), ' is not in the ledger.');
    else out.table(columns, [rowOf(record.person)]);
    return record.found ? exit.ok : exit.findings;
  },
};
