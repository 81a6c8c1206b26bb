import type { Cook } from '../../records/cook.ts';
import type { Command } from '../command.ts';
import { dim, strong } from '../terminal.ts';
import { gateExit } from './scar-check.ts';
import { SLOW, showCook } from './scar-cook.ts';

export const fieldClear: Command = {
  name: 'field clear',
  summary: "Sets the desk's own stale files aside; resolute also shuts banned listeners down",
  arguments: [{ name: 'mode', meaning: 'how far to go', choices: ['soft', 'resolute'] }],
  local: true,
  examples: [
    ['desk field clear soft', 'only stale files of our own'],
    ['desk field clear resolute', 'those, and listeners on banned ports'],
  ],
  async run({ out, json, withSource }, { arguments: { mode } }) {
    const record = await withSource((source) => source.ask<Cook>('POST', '/field/clear', { mode }), SLOW);
    if (json) out.json(record);
    else {
      // What is left alone is listed by the gate below.
      const tried = record.remedies.filter(({ left }) => !left);
      const what = tried.length === 0 ? 'nothing to clear' : `${tried.length} handled`;
      out.line(strong(`Field clear ${mode}`), `  ${what}`);
      for (const { result, remedy } of tried) out.wrapped(dim('  '), `${remedy}: ${result}`);
      showCook(out, { ...record, remedies: record.remedies.filter(({ left }) => left) });
    }
    return gateExit(record);
  },
};
