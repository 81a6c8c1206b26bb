/** The answers of the scar gate: `GET /scar` and `POST /scar/check` (`H7_SCAR`), `POST /cook` (`H7_COOK`). */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import type { GateStep } from '../findings/pipeline.ts';
import { constant, count, field, group, type RecordOf, record, wordsFor } from './define.ts';
import { gatePasses, learned, scarCount } from './derive.ts';
import { findingOf, findingSchema, TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { KIT } from './texts.ts';

const text = z.string();

export const stepSchema = z.strictObject({
  step: z.enum(['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck']).describe('step of the pipeline'),
  ok: z.boolean().describe('it did what it should'),
  ms: z.number().nonnegative().describe('how long it took'),
  detail: text.describe('what it found'),
});
export const steps = z.array(stepSchema);
export const stepsOf = (run: readonly GateStep[]): z.output<typeof steps> =>
  run.map(({ step, ok, ms, detail }) => ({ step, ok, ms, detail }));

export const gate = z.enum(['pass', 'fail']);
export const gateOf = (moment: Moment): z.output<typeof gate> => (gatePasses(moment) ? 'pass' : 'fail');

const lastRun = z.strictObject({
  at: text.describe('RFC 3339'),
  steps: steps.describe('its steps in order'),
});

/** The meanings of what scar and cook answers share. */
export const GATE = {
  scarCount: 'scars of this moment; 0 is clean',
  gate: 'pass when there is no scar and one authoritative generation',
  god: 'authoritative generations in the store; always 1',
  steps: 'the steps of this run in order',
} as const;

const shape = {
  ts: field(text, TIME, (m) => offsetTime(m.snapshot.at)),
  word: constant('H7_SCAR', 'name of this answer'),
  kit: constant(KIT, 'name of the gate kit'),
  scar_count: field(count, GATE.scarCount, scarCount),
  gate: field(gate, GATE.gate, gateOf),
  god: field(count, GATE.god, (m) => m.desk.gate.god),
  a: group('A, the held generation of the baseline', {
    generation: field(count, 'its number; 0 is the empty baseline', (m) => m.desk.baseline.generation),
    learned: field(text.nullable(), 'when it was learned, RFC 3339; null for generation 0', (m) =>
      learned(m) ? m.desk.baseline.learnedAt : null,
    ),
  }),
  b: group('B, the observation', {
    generation: field(count, 'number of the observation', (m) => m.desk.gate.observation),
  }),
  c: field(z.array(findingSchema), 'C, the scars: what B brings that A and the law do not explain', (m) =>
    m.judgement.scars.map(findingOf),
  ),
  last: field(lastRun.nullable(), 'the last run of the gate; null when it never ran', ({ desk }) =>
    desk.gate.lastRun === null ? null : { at: desk.gate.lastRun.at, steps: stepsOf(desk.gate.lastRun.steps) },
  ),
} as const;

export const scar = record('Scar', 'State of the scar gate', shape);
export type Scar = RecordOf<typeof scar>;

interface ScarChecked {
  readonly moment: Moment;
  readonly steps: readonly GateStep[];
}

const checked = wordsFor<ScarChecked>();

export const scarCheck = checked.record('ScarCheck', 'State of the scar gate after a check, with its steps', {
  ...checked.of(({ moment }) => moment)(shape),
  last: checked.field(lastRun, 'this run', (run) => ({
    at: offsetTime(run.moment.snapshot.at),
    steps: stepsOf(run.steps),
  })),
  steps: checked.field(steps, GATE.steps, (run) => stepsOf(run.steps)),
});
export type ScarCheck = RecordOf<typeof scarCheck>;
