import type { Cook } from '../../records/cook.ts';
import type { Command } from '../command.ts';
import { bad, dim, good, strong, type Terminal } from '../terminal.ts';
import { gateExit, showSteps } from './scar-check.ts';

/** A remedy waits for programs to end, learning for the gate's own look. */
export const SLOW = { timeoutMs: 60_000 } as const;

export const scarCook: Command = {
  name: 'scar cook',
  summary:
    'Runs the whole pipeline: "check" says what cook-off would do, "cook" does it; what the desk has no remedy for is left to you',
  arguments: [{ name: 'mode', meaning: 'dry run or the real one', choices: ['check', 'cook'] }],
  local: true,
  examples: [
    ['desk scar cook check', 'what cook-off would do'],
    ['desk scar cook cook', 'does it'],
  ],
  async run({ out, json, withSource }, { arguments: { mode } }) {
    const record = await withSource((source) => source.ask<Cook>('POST', '/cook', { mode }), SLOW);
    if (json) out.json(record);
    else showCook(out, record);
    return gateExit(record);
  },
};

export function showCook(out: Terminal, { gate, scar_count, god, steps, remedies }: Cook): void {
  out.line(
    strong('Gate '),
    gate === 'pass' ? good('pass') : bad('fail'),
    dim(`  scars ${scar_count}, GOD ${god}`),
  );
  showSteps(out, steps);
  if (remedies.length === 0) return;
  out.table(
    [{ title: 'finding' }, { title: 'remedy', shrink: 'start' }, { title: 'result', shrink: 'start' }],
    remedies.map(({ finding, remedy, result }) => [finding, remedy, result]),
  );
}
