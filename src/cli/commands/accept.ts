import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { dim, good, warn } from '../terminal.ts';

export const accept: Command = {
  name: 'accept',
  summary: 'Accepts a finding, and what is like it, for a reason that is written down',
  arguments: [{ name: 'id', meaning: 'the finding' }],
  options: [
    { flags: '--why <reason>', meaning: 'the reason, kept with it', required: true },
    { flags: '--expires <time>', meaning: 'RFC 3339 time after which it counts again' },
  ],
  examples: [
    ['desk accept 3f9c1a2b4d5e6f70 --why "our build server"', 'the finding is explained from now on'],
    [
      'desk accept 3f9c1a2b4d5e6f70 --why "until the move" --expires 2027-01-31T08:00:00+01:00',
      'it counts again after that time',
    ],
  ],
  async run({ out, json, client }, { arguments: { id }, options: { why, expires } }) {
    const body = { finding: id, why, ...(expires !== undefined && { expires }) };
    const record = (await (await client()).ask('POST', '/accept', body)) as { readonly effect: string };
    if (json) out.json(record);
    else if (record.effect === 'spared')
      out.line(warn('Spared'), ` ${id}: it will not be shut down, and stays open: nothing excuses it.`);
    else out.line(good('Accepted'), ` ${id}.`, dim('  desk law show lists it'));
    return exit.ok;
  },
};
