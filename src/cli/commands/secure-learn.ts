import type { Command } from '../command.ts';
import { exit, Failure } from '../failure.ts';
import { dim, good } from '../terminal.ts';
import { SLOW } from './scar-cook.ts';

interface Learned {
  readonly generation: number;
  readonly added: number;
  readonly window_until: string | null;
}

export const secureLearn: Command = {
  name: 'secure learn',
  summary:
    'Learns what runs now, unless there are scars other than changed programs, or opens a learning window',
  arguments: [{ name: 'once', meaning: 'one generation', choices: ['once'] }],
  options: [
    {
      flags: '--window <minutes>',
      meaning: 'learn at the end of so many minutes what clean observations show until then',
    },
  ],
  examples: [
    [
      'desk secure learn once',
      'learns what runs now; refused while a scar other than a changed program is open',
    ],
    [
      'desk secure learn once --window 30',
      'what starts within half an hour is learned at its end, if the gate passes then',
    ],
  ],
  async run({ out, json, client }, { options: { window } }) {
    const body = window === undefined ? {} : { window_min: minutes(String(window)) };
    const record = (await (await client(SLOW)).ask('POST', '/learn', body)) as Learned;
    if (json) out.json(record);
    else if (record.window_until !== null)
      out.line(
        good('Open'),
        ` until ${record.window_until}`,
        dim('  "desk secure learn once" ends it before.'),
      );
    else out.line(good('Learned'), ` generation ${record.generation}`, dim(`  ${record.added} new`));
    return exit.ok;
  },
};

function minutes(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1) return count;
  throw new Failure(exit.usage, `--window ${text} is not a whole number of minutes, 1 or more.`, '', '');
}
