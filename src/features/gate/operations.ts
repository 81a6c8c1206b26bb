/** The scar gate: its state, its runs, a check, and cook-off. */
import { z } from 'zod';
import { bad, dim, good, severityPiece, strong, type Terminal } from '../../base/terminal.ts';
import { wholeRecord } from '../../desk/context.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { findingId } from '../../records/finding.ts';
import { subjectText } from '../../records/finding-words.ts';
import {
  type Cook,
  cook as cookRecord,
  type ScarCheck,
  scarCheck as scarCheckRecord,
  scar as scarRecord,
  scarRuns as scarRunsRecord,
} from '../../records/scar.ts';
import { gateMeaning } from '../../records/terms.ts';
import { GATE } from './api.ts';

export * from './query-tables.ts';

/** A remedy waits for programs to end, learning for a run of the gate. */
export const SLOW_MS = 60_000;
/** Findings named in one call: the body stays below its limit. */
const MOST_NAMED = 500;

export const scar = operation({
  route: 'GET /scar',
  roles: DESK,
  summary: 'State of the scar gate',
  answer: scarRecord.schema,
  handle: wholeRecord(scarRecord),
});

export const scarRuns = operation({
  route: 'GET /scar/runs',
  roles: DESK,
  summary: 'The last runs of the scar gate, newest first',
  input: z.strictObject({ limit: z.coerce.number().int().min(1).max(200).default(20).describe('how many') }),
  answer: scarRunsRecord.schema,
  handle: async ({ desk }, { limit }) =>
    scarRunsRecord.assemble({ state: await desk.state(), runs: desk.use(GATE).runs(limit) }),
});

export const scarCheck = operation({
  route: 'POST /scar/check',
  roles: DESK,
  summary: 'Runs the whole pipeline, with cook-off as a dry run; changes nothing outside its records',
  answer: scarCheckRecord.schema,
  handle: async ({ desk }) => scarCheckRecord.assemble(await desk.use(GATE).check()),
  command: {
    name: 'scar check',
    summary:
      'Runs the whole pipeline over a fresh sweep, with cook-off as a dry run; changes nothing on the machine',
    examples: [
      ['desk scar check', 'the gate, now'],
      ['desk scar check --json', 'the H7_SCAR record alone'],
    ],
    print: showCheck,
    isWell: isGateWell,
  },
});

export const cook = operation({
  route: 'POST /cook',
  roles: DESK,
  summary: 'Says what cook-off would do (check), or does it (cook)',
  input: z.strictObject({
    mode: z.enum(['check', 'cook']).default('check').describe('dry run or the whole pipeline'),
    findings: z
      .array(findingId)
      .max(MOST_NAMED)
      .optional()
      .describe(
        'ids of the findings that it may work on, others are left as they are; all scars when left out',
      ),
  }),
  answer: cookRecord.schema,
  // Reading needs no token, changing does.
  token: { grant: 'control', when: 'mode is "cook"', needed: ({ input }) => input.mode === 'cook' },
  changes: ({ mode }) => mode === 'cook',
  handle: async ({ desk }, { mode, findings }) =>
    cookRecord.assemble(await desk.use(GATE).cook(mode, findings)),
  command: {
    name: 'scar cook',
    summary:
      'Runs the whole pipeline: "check" says what cook-off would do, "cook" does it; what the desk has no remedy for is left to you',
    arguments: [{ name: 'mode', field: 'mode', meaning: '"check": a dry run; "cook": for real' }],
    examples: [
      ['desk scar cook check', 'what cook-off would do'],
      ['desk scar cook cook', 'does it'],
    ],
    timeoutMs: SLOW_MS,
    print: showCook,
    isWell: isGateWell,
  },
});

/** The gate passes, and the run was recorded. */
export function isGateWell({ gate, steps }: Pick<ScarCheck, 'gate' | 'steps'>): boolean {
  return gate === 'pass' && steps.at(-1)?.ok !== false;
}

function showGate(out: Terminal, { gate, scar_count, god }: Cook | ScarCheck, kit: string): void {
  const word = gate === 'pass' ? good(gate) : bad(gate);
  out.line(strong('Gate '), word, dim(`${kit}  scars ${scar_count}, GOD ${god}`));
  if (gate === 'fail')
    for (const sentence of [...gateMeaning({ state: gate }), 'List them with "desk findings".'])
      out.wrapped(dim('  '), sentence);
}

function showSteps(out: Terminal, steps: ScarCheck['steps']): void {
  out.table(
    [{ title: 'step' }, { title: '' }, { title: 'ms', align: 'right' }, { title: 'detail', shrink: 'start' }],
    steps.map(({ step, ok, ms, detail }) => [step, ok ? good('ok') : bad('no'), ms, detail]),
  );
}

function showCheck(out: Terminal, record: ScarCheck): void {
  showGate(out, record, `  ${record.kit}`);
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

export function showCook(out: Terminal, cook: Cook): void {
  showGate(out, cook, '');
  showSteps(out, cook.steps);
  const { remedies } = cook;
  if (remedies.length === 0) return;
  out.table(
    [{ title: 'finding' }, { title: 'remedy', shrink: 'start' }, { title: 'result', shrink: 'start' }],
    remedies.map(({ finding, remedy, result }) => [finding, remedy, result]),
  );
}
