import { dim, type Terminal } from '../../base/terminal.ts';
import type { Command, Source } from '../../desk/command.ts';
import type { Think } from '../../records/talk.ts';
import { think as operation } from './operations.ts';

/** What starts by itself, and accounts, are read when they are asked for. */
const READING_MS = 60_000;

export const ask: Command = {
  name: 'ask',
  summary:
    'Asks the hostess; prints her answer and the query that the question was read as, without the values',
  arguments: [{ name: 'question', meaning: 'what to ask', rest: true }],
  options: [
    {
      flags: '--after <question>',
      meaning: 'the question before, for one that refers to it, such as "is that normal?"',
    },
  ],
  local: true,
  examples: [
    ['desk ask "which user runs the most processes?"', 'the user, with the number of processes'],
    ['desk ask "is that normal?" --after "who holds port 22?"', 'whether what holds the port is allowed'],
    ['desk ask "wie viele Prozesse laufen unter root?"', 'the number, in German'],
  ],
  async run(context, { arguments: { question = '' }, options: { after } }) {
    const record = await context.withSource(
      async (source) => {
        const previous = typeof after === 'string' ? await queryOf(source, after) : null;
        return source.ask(operation, { message: question, previous });
      },
      { timeoutMs: READING_MS },
    );
    return context.answer(record, show);
  },
};

const queryOf = async (source: Source, message: string): Promise<string | null> =>
  (await source.ask(operation, { message })).query;

function show(out: Terminal, record: Think): void {
  out.wrapped('', record.answer);
  for (const choice of record.choices) out.line(dim('  read as  '), choice);
  if (record.query !== null) out.line(dim('  query  '), record.query);
  for (const suggestion of record.suggestions) out.line(dim('  try  '), suggestion);
}
