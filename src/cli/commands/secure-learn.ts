import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { good } from '../terminal.ts';

export const secureLearn: Command = {
  name: 'secure learn',
  summary: 'Takes the observation into the baseline after a clean gate (not in this version)',
  arguments: [{ name: 'once', meaning: 'one generation', choices: ['once'] }],
  examples: [['desk secure learn once', 'B becomes A, if the gate is clean']],
  async run({ out, json, client }) {
    const record = (await (await client({ timeoutMs: 60_000 })).ask('POST', '/learn', {})) as {
      generation: number;
    };
    if (json) out.json(record);
    else out.line(good('Learned'), ` generation ${record.generation}.`);
    return exit.ok;
  },
};
