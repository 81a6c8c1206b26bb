import type { Cook } from '../../records/cook.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { showCook } from './scar-cook.ts';

export const avClose: Command = {
  name: 'av close',
  summary:
    'A full antivirus pass: closes avenues whose subjects are gone (8766 is left to you in this version)',
  arguments: [{ name: 'once', meaning: 'one pass', choices: ['once'] }],
  examples: [['desk av close once', 'one full pass by the service']],
  async run({ out, json, client }) {
    const record = (await (await client({ timeoutMs: 60_000 })).ask('POST', '/av/close', {})) as Cook;
    if (json) out.json(record);
    else showCook(out, record);
    return record.gate === 'pass' ? exit.ok : exit.findings;
  },
};
