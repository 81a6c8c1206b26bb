import { subjectText } from '../../pages/finding-words.ts';
import type { Cook } from '../../records/cook.ts';
import type { Scar } from '../../records/scar.ts';
import type { Command } from '../command.ts';
import { type ExitCode, exit } from '../failure.ts';
import { bad, dim, good, strong, type Terminal } from '../terminal.ts';
import { severityPiece } from './findings.ts';

/** `/scar` of the moment after the run, and the run's steps. */
type ScarCheck = Scar & Pick<Cook, 'steps'>;

export const scarCheck: Command = {
  name: 'scar check',
  summary:
    'Runs the whole pipeline over a fresh sweep, with cook-off as a dry run; changes nothing on the machine',
  local: true,
  examples: [
    ['desk scar check', 'the gate, now'],
    ['desk scar check --json', 'the H7_SCAR record alone'],
  ],
  async run({ out, json, withSource }) {
    const record = await withSource((source) => source.ask<ScarCheck>('POST', '/scar/check', {}));
    if (json) out.json(record);
    else show(out, record);
    return gateExit(record);
  },
};

/** The gate passes, and the run stands in the store. */
export const gateExit = ({ gate, steps }: Pick<ScarCheck, 'gate' | 'steps'>): ExitCode =>
  gate === 'pass' && steps.at(-1)?.ok !== false ? exit.ok : exit.findings;

export function showSteps(out: Terminal, steps: ScarCheck['steps']): void {
  out.table(
    [{ title: 'step' }, { title: '' }, { title: 'ms', align: 'right' }, { title: 'detail', shrink: 'start' }],
    steps.map(({ step, ok, ms, detail }) => [step, ok ? good('ok') : bad('no'), ms, detail]),
  );
}

function show(out: Terminal, record: ScarCheck): void {
  const passed = record.gate === 'pass';
  out.line(
    strong('Gate '),
    passed ? good('pass') : bad('fail'),
    dim(`  ${record.kit}  scars ${record.scar_count}, GOD ${record.god}`),
  );
  const { a, b } = record;
  out.line(
    dim(
      `  A generation ${a.generation}${a.learned === null ? ' (nothing learned yet)' : `, learned ${a.learned}`}; B observation ${b.generation}`,
    ),
  );
  showSteps(out, record.steps);
  if (record.c.length === 0) return;
  out.line(strong('C, set aside'));
  out.table(
    [{ title: 'id' }, { title: 'severity' }, { title: 'check' }, { title: 'subject', shrink: 'start' }],
    record.c.map(({ id, severity, check, subject }) => [
      id,
      severityPiece(severity),
      check,
      subjectText(subject),
    ]),
  );
}
