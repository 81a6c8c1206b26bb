import type { Cook } from '../../records/cook.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { showCook } from './scar-cook.ts';

export const fieldClear: Command = {
  name: 'field clear',
  summary: "Clears the desk's own stale residue; resolute also shuts the virus down (not in this version)",
  arguments: [{ name: 'mode', meaning: 'how far to go', choices: ['soft', 'resolute'] }],
  examples: [
    ['desk field clear soft', 'only stale files of our own'],
    ['desk field clear resolute', 'those, and the listener on port 8766'],
  ],
  async run({ out, json, client }, { arguments: { mode } }) {
    const record = (await (
      await client({ timeoutMs: 60_000 })
    ).ask('POST', '/field/clear', { mode })) as Cook;
    if (json) out.json(record);
    else showCook(out, record);
    return record.gate === 'pass' ? exit.ok : exit.findings;
  },
};
