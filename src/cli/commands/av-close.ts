import type { Cook } from '../../records/cook.ts';
import type { Command } from '../command.ts';
import { gateExit } from './scar-check.ts';
import { SLOW, showCook } from './scar-cook.ts';

export const avClose: Command = {
  name: 'av close',
  summary:
    'A full antivirus pass: closes avenues whose subjects are gone, shuts banned listeners down that the law does not allow',
  arguments: [{ name: 'once', meaning: 'one pass', choices: ['once'] }],
  local: true,
  examples: [['desk av close once', 'one full pass by the service']],
  async run({ out, json, withSource }) {
    const record = await withSource((source) => source.ask<Cook>('POST', '/av/close', {}), SLOW);
    if (json) out.json(record);
    else showCook(out, record);
    return gateExit(record);
  },
};
