import type { Cook } from '../../records/cook.ts';
import type { Command } from '../command.ts';
import { gateExit } from './scar-check.ts';
import { SLOW, showCook } from './scar-cook.ts';

export const fieldClear: Command = {
  name: 'field clear',
  summary: "Sets the desk's own stale files aside; resolute also shuts the virus down",
  arguments: [{ name: 'mode', meaning: 'how far to go', choices: ['soft', 'resolute'] }],
  local: true,
  examples: [
    ['desk field clear soft', 'only stale files of our own'],
    ['desk field clear resolute', 'those, and the listener on port 8766'],
  ],
  async run({ out, json, withSource }, { arguments: { mode } }) {
    const record = await withSource((source) => source.ask<Cook>('POST', '/field/clear', { mode }), SLOW);
    if (json) out.json(record);
    else showCook(out, record);
    return gateExit(record);
  },
};
