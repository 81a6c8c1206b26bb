import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { good } from '../terminal.ts';

export const accept: Command = {
  name: 'accept',
  summary: 'Accepts a finding for a reason that is written down (not in this version)',
  arguments: [{ name: 'id', meaning: 'the finding' }],
  options: [
    { flags: '--why <reason>', meaning: 'the reason, kept with it', required: true },
    { flags: '--expires <time>', meaning: 'RFC 3339 time after which it counts again' },
  ],
  examples: [
    ['desk accept 3f9c1a2b4d5e6f70 --why "our build server"', 'the finding is explained from now on'],
  ],
  async run({ out, json, client }, { arguments: { id }, options: { why, expires } }) {
    const body = { finding: id, why, ...(expires !== undefined && { expires }) };
    const record = await (await client()).ask('POST', '/accept', body);
    if (json) out.json(record);
    else out.line(good('Accepted'), ` ${id}.`);
    return exit.ok;
  },
};
