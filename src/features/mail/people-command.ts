import type { z } from 'zod';
import { shellWord } from '../../base/shell-word.ts';
import { dim, good, type Piece, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command, Context, Input } from '../../desk/command.ts';
import { type ExitCode, superfluous, usage } from '../../desk/failure.ts';
import { PEOPLE_ORDERS } from '../../records/ledger.ts';
import type { People } from '../../records/people.ts';
import { mailExport, mailForget } from './operations.ts';
import { dayOf, people as operation } from './public-operations.ts';

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

const marks = ({ flags, warnings }: Person): Piece | string => {
  const kinds = [...new Set(warnings.map(({ kind }) => kind))];
  return kinds.length > 0 ? warn([...kinds, ...flags].join(' ')) : dim(flags.join(' '));
};

const rowOf = (person: Person) => [
  person.email,
  person.name,
  person.received,
  person.sent,
  dayOf(person.first_seen),
  dayOf(person.last_seen),
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
  async run(context, { arguments: { action = 'list', what }, options }) {
    if (action === 'list' && what !== undefined) throw superfluous(`"${what}"`, 'people list');
    if (action !== 'list') {
      const [option] = Object.keys(options);
      if (option !== undefined) throw superfluous(`--${option}`, `people ${action}`);
    }
    if (action === 'list') return list(context, options);
    const { answer } = context;
    const service = await context.client();
    if (action === 'forget') {
      const email = wanted(what, 'Who is to be forgotten?', 'Name the address: desk people forget EMAIL.');
      const record = await service.ask(mailForget, { email });
      const print = (out: Terminal): void =>
        record.forgotten
          ? out.line(good('Forgotten: '), record.email)
          : out.line(strong(record.email), ' is not in the ledger.');
      return answer(record, print, record.forgotten);
    }
    const format = wanted(what, 'In which form?', 'Say it: desk people export json, or vcard.');
    const record = await service.ask(mailExport, { format: format as 'json' | 'vcard' });
    return answer(record, (out) => out.line(good(record.path), dim(`  ${record.people} people`)));
  },
};

function wanted(what: string | undefined, question: string, remedy: string): string {
  if (what === undefined) throw usage(question, remedy);
  return what;
}

/** The command that shows the next page: a cursor is good for its own search and order only. */
function nextOf(options: Input['options'], cursor: string): string {
  const asked = ['query', 'sort', 'limit']
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name} ${shellWord(String(options[name]))}`);
  return ['desk people', ...asked, `--cursor ${cursor}`].join(' ');
}

async function list({ client, answer }: Context, options: Input['options']): Promise<ExitCode> {
  const { query: q, sort, limit, cursor } = options;
  const asked = { q, sort, limit, cursor } as z.input<typeof operation.input>;
  // The command sends a token, so the list is never the open one.
  const record = (await (await client()).ask(operation, asked)) as People;
  const filtered = Object.keys(options).length > 0;
  return answer(record, (out) => {
    if (record.people.length === 0) {
      out.line(
        record.total === 0 ? 'The ledger is empty' : 'No one is left',
        dim(filtered ? ' who matches.' : ': name sources in [mail] sources, see desk mail.'),
      );
      return;
    }
    out.table(columns, record.people.map(rowOf));
    out.line(dim(`  ${record.people.length} of ${record.total}`));
    if (record.next !== null) out.line(dim(`  next: ${nextOf(options, record.next)}`));
  });
}
