import { shellWord } from '../../base/shell-word.ts';
import { PEOPLE_ORDERS } from '../../records/ledger.ts';
import type { Exported, Forgotten } from '../../records/mail.ts';
import type { People, Who } from '../../records/people.ts';
import type { Client } from '../client.ts';
import type { Command, Input } from '../command.ts';
import { type ExitCode, exit, Failure, superfluous } from '../failure.ts';
import { dim, good, type Piece, strong, type Terminal, warn } from '../terminal.ts';

type Person = People['people'][number];

const columns = [
  { title: 'address', shrink: 'end' },
  { title: 'name', shrink: 'start' },
  { title: 'received', align: 'right' },
  { title: 'sent', align: 'right' },
  { title: 'first seen' },
  { title: 'last seen' },
  { title: '' },
] as const;

const day = (time: string | null): string => (time ?? '').slice(0, 10);

const marks = ({ flags, warnings }: Person): Piece | string => {
  const kinds = [...new Set(warnings.map(({ kind }) => kind))];
  return kinds.length > 0 ? warn([...kinds, ...flags].join(' ')) : dim(flags.join(' '));
};

const rowOf = (person: Person) => [
  person.email,
  person.name,
  person.received,
  person.sent,
  day(person.first_seen),
  day(person.last_seen),
  marks(person),
];

const ACTIONS = ['list', 'forget', 'export'] as const;

export const people: Command = {
  name: 'people',
  summary: 'The mail people ledger: list and search it, forget one person, export it',
  arguments: [
    { name: 'action', meaning: 'what to do; list by default', choices: ACTIONS, optional: true },
    { name: 'what', meaning: 'forget: the address; export: json or vcard', optional: true },
  ],
  options: [
    { flags: '--query <text>', meaning: 'only people whose address or name holds this' },
    { flags: '--sort <order>', meaning: `${PEOPLE_ORDERS.join(', ')}; rank: those you write to first` },
    { flags: '--limit <n>', meaning: 'how many at most, 1 to 500; 100 by default' },
    { flags: '--cursor <cursor>', meaning: 'go on where the last page ended' },
  ],
  examples: [
    ['desk people --query example.org', 'the people of one domain'],
    ['desk people --sort first_seen', 'the newest people first'],
    ['desk people forget ada@example.org', 'forgotten until new mail comes'],
    ['desk people export vcard', 'writes people/people.vcf in the state folder'],
  ],
  async run({ out, json, client }, { arguments: { action = 'list', what }, options }) {
    if (action === 'list' && what !== undefined) throw superfluous(`"${what}"`, 'people list');
    if (action !== 'list') {
      const [option] = Object.keys(options);
      if (option !== undefined) throw superfluous(`--${option}`, `people ${action}`);
    }
    const service = await client();
    if (action === 'list') return list(out, json, service, options);
    if (action === 'forget') {
      const email = wanted(what, 'Who is to be forgotten?', 'Name the address: desk people forget EMAIL.');
      const record = (await service.ask('POST', '/mail/forget', { email })) as Forgotten;
      if (json) out.json(record);
      else if (record.forgotten) out.line(good('Forgotten: '), record.email);
      else out.line(strong(record.email), ' is not in the ledger.');
      return record.forgotten ? exit.ok : exit.findings;
    }
    const format = wanted(what, 'In which form?', 'Say it: desk people export json, or vcard.');
    const record = (await service.ask('POST', '/mail/export', { format })) as Exported;
    if (json) out.json(record);
    else out.line(good(record.path), dim(`  ${record.people} people`));
    return exit.ok;
  },
};

function wanted(what: string | undefined, question: string, remedy: string): string {
  if (what === undefined) throw new Failure(exit.usage, question, '', remedy);
  return what;
}

/** The command that shows the next page: a cursor is good for its own search and order only. */
function nextOf(options: Input['options'], cursor: string): string {
  const asked = ['query', 'sort', 'limit']
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name} ${shellWord(String(options[name]))}`);
  return ['desk people', ...asked, `--cursor ${cursor}`].join(' ');
}

async function list(
  out: Terminal,
  json: boolean,
  service: Client,
  options: Input['options'],
): Promise<ExitCode> {
  const asked = new URLSearchParams();
  const names = { query: 'q', sort: 'sort', limit: 'limit', cursor: 'cursor' };
  for (const [option, parameter] of Object.entries(names))
    if (options[option] !== undefined) asked.set(parameter, String(options[option]));
  const path = asked.size > 0 ? `/email/api/people?${asked}` : '/email/api/people';
  const record = (await service.ask('GET', path)) as People;
  if (json) out.json(record);
  else if (record.people.length === 0)
    out.line(
      record.total === 0 ? 'The ledger is empty' : 'No one is left',
      dim(asked.size > 0 ? ' who matches.' : ': name sources in [mail] sources, see desk mail.'),
    );
  else {
    out.table(columns, record.people.map(rowOf));
    out.line(dim(`  ${record.people.length} of ${record.total}`));
    if (record.next !== null) out.line(dim(`  next: ${nextOf(options, record.next)}`));
  }
  return exit.ok;
}

const CONTACT = {
  in: 'they wrote to you',
  out: 'you wrote to them',
  beside: 'a message named both of you',
} as const;

const WARNING: Readonly<Record<Person['warnings'][number]['kind'], (about: string) => string>> = {
  'mixed-script': (about) => `mixes letters of several scripts: ${about}`,
  'address-in-name': (about) => `the name holds another address: ${about}`,
  'lookalike-domain': (about) => `the domain looks like ${about}, where you write to somebody`,
  'lookalike-name': (about) => `has the name of ${about}, to whom you write`,
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
    else card(out, record.person);
    return record.found ? exit.ok : exit.findings;
  },
};

function card(out: Terminal, person: Person): void {
  const row = (name: string, text: string): void =>
    out.line(dim(`  ${name.padEnd(14)}`), text || dim('unknown'));
  out.line(strong(person.name || person.email), person.name === '' ? '' : dim(`  ${person.email}`));
  for (const { kind, about } of person.warnings) out.line(warn('  warning: '), WARNING[kind](about));
  row('first seen', `${day(person.first_seen)}  ${CONTACT[person.first_contact]}`.trim());
  row('last seen', day(person.last_seen));
  row('from them', String(person.received));
  row('to them', String(person.sent));
  row('beside', String(person.copied));
  const [, ...others] = person.names;
  if (others.length > 0) row('also named', others.join(', '));
  if (person.flags.length > 0) row('flags', person.flags.join(', '));
}
