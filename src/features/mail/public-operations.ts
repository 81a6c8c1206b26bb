/** Reading the mail people ledger. The public listener serves it too. */
import { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { dim, strong, type Terminal, warn } from '../../base/terminal.ts';
import { newest } from '../../desk/context.ts';
import { publicOperation } from '../../desk/operation.ts';
import { PEOPLE } from '../../desk/people.ts';
import { LONGEST_CURSOR, PEOPLE_ORDERS } from '../../records/ledger.ts';
import { openPeople, type People, people as peopleRecord, who as whoRecord } from '../../records/people.ts';

const LEDGER = ['control', 'office', 'public'] as const;

export const people = publicOperation({
  route: 'GET /email/api/people',
  roles: LEDGER,
  summary: 'The mail people ledger; on an open public list without the token names and domains only',
  input: z.strictObject({
    q: z.string().max(200).optional().describe('part of a name or address'),
    limit: z.coerce.number().int().min(1).max(500).default(100).describe('people on one page'),
    cursor: z.string().max(LONGEST_CURSOR).optional().describe('"next" of the page before'),
    sort: z
      .enum(PEOPLE_ORDERS)
      .default('rank')
      .describe(
        'order; rank: people you wrote to, recently and often, first; where the list is open to all: name',
      ),
  }),
  answer: z.union([peopleRecord.schema, openPeople.schema]),
  // The list may be opened to everyone on the public listener; a search for one address never is.
  token: {
    grant: 'people',
    when: 'asked on the public listener with [mail] public_people = false, or on any other listener',
    needed: ({ role, config }) => role !== 'public' || !config.mail.public_people,
  },
  async handle({ desk, service }, { q = '', sort, limit, cursor }, { grant }) {
    // Without a token the list is public: its order must not reveal who writes to whom.
    const open = grant === null;
    if (open && q.trim() !== '') service.countSearch();
    const page = await desk.use(PEOPLE).page({ q, sort: open ? 'name' : sort, limit, cursor, open });
    const asked = { state: await newest(desk), ...page };
    return open ? openPeople.assemble(asked) : peopleRecord.assemble(asked);
  },
});

export const who = publicOperation({
  route: 'GET /email/api/who',
  roles: LEDGER,
  summary: 'Finds one address in the ledger',
  input: z.strictObject({ email: z.string().min(3).max(320).describe('the address') }),
  answer: whoRecord.schema,
  token: 'people',
  async handle({ desk }, { email }) {
    const found = await desk.use(PEOPLE).who(email);
    if (found === null)
      throw new DeskError(
        'usage',
        'Invalid fields: /email: expected a mail address, e.g. ada@example.org.',
        '',
      );
    const { address, person } = found;
    return whoRecord.assemble({ state: await newest(desk), email: address, person });
  },
  command: {
    name: 'who',
    summary: 'Finds one mail address in the ledger',
    arguments: [{ name: 'email', field: 'email' }],
    examples: [['desk who ada@example.org', 'what the ledger knows of her']],
    print(out, record) {
      if (record.person === null) out.line(strong(record.email), ' is not in the ledger.');
      else showPerson(out, record.person);
    },
    isWell: ({ found }) => found,
  },
});

type Person = People['people'][number];

const CONTACT = {
  in: 'they wrote to you',
  out: 'you wrote to them',
  beside: 'a message named both of you',
} as const;

const WARNING: Readonly<Record<Person['warnings'][number]['kind'], (about: string) => string>> = {
  'mixed-script': (about) => `mixes letters of several scripts: ${about}`,
  'address-in-name': (about) => `the name holds another address: ${about}`,
  'lookalike-domain': (about) => `the domain resembles ${about}, where you write to somebody`,
  'lookalike-name': (about) => `has the name of ${about}, to whom you write`,
};

export const dayOf = (time: string | null): string => (time ?? '').slice(0, 10);

function showPerson(out: Terminal, person: Person): void {
  const row = (name: string, text: string): void =>
    out.line(dim(`  ${name.padEnd(14)}`), text || dim('unknown'));
  out.line(strong(person.name || person.email), person.name === '' ? '' : dim(`  ${person.email}`));
  for (const { kind, about } of person.warnings) out.line(warn('  warning: '), WARNING[kind](about));
  row('first seen', `${dayOf(person.first_seen)}  ${CONTACT[person.first_contact]}`.trim());
  row('last seen', dayOf(person.last_seen));
  row('from them', String(person.received));
  row('to them', String(person.sent));
  row('beside', String(person.copied));
  const [, ...others] = person.names;
  if (others.length > 0) row('also named', others.join(', '));
  if (person.flags.length > 0) row('flags', person.flags.join(', '));
}
