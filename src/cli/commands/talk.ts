import type { Consult, Think } from '../../records/talk.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { dim, strong, type Terminal } from '../terminal.ts';

export const message = { name: 'message', meaning: 'what to ask', rest: true } as const;

export const think: Command = {
  name: 'think',
  summary: 'Asks the hostess; she answers from the records only',
  arguments: [message],
  local: true,
  examples: [['desk think "why is the desk not ok?"', 'an answer with the values it rests on']],
  async run({ out, json, withSource }, { arguments: args }) {
    const record = await withSource((source) =>
      source.ask<Think>('POST', '/h7/think', { message: args.message }),
    );
    if (json) out.json(record);
    else show(out, record);
    return exit.ok;
  },
};

export function show(out: Terminal, record: Think | Consult): void {
  out.wrapped(strong(`${record.she}: `), record.answer);
  if (record.grounds.length > 0) {
    out.line();
    out.table(
      [
        { title: 'ground', shrink: 'end' },
        { title: 'value', shrink: 'start' },
      ],
      record.grounds.map(({ path, value }) => [
        path,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  }
  for (const suggestion of record.suggestions) out.line(dim('  try  '), suggestion);
}
