/**
 * The answers of the scar gate: `GET /scar` and `POST /scar/check` (`H7_SCAR`), `POST /cook` (`H7_COOK`), `GET /scar/runs`
 * (`H7_SCAR_RUNS`).
 */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import type { GateStep } from '../findings/pipeline.ts';
import {
  atState,
  constant,
  count,
  field,
  group,
  head,
  type RecordOf,
  record,
  type Source,
  stateHead,
  text,
  wordsFor,
} from './define.ts';
import { gatePasses, learned, scarCount } from './derive.ts';
import { findingSchema, titled } from './finding.ts';
import type { DeskState } from './state.ts';
import { KIT } from './texts.ts';

const steps = z.array(
  z.strictObject({
    step: z.enum(['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck']).describe('step of the pipeline'),
    ok: z.boolean().describe('it succeeded'),
    ms: z.number().nonnegative().describe('how long it took'),
    detail: text.describe('what it found'),
  }),
);
const gate = z.enum(['pass', 'fail']);

const lastRun = z.strictObject({
  at: text.describe('RFC 3339'),
  steps: steps.describe('its steps in order'),
});

const STEPS = 'the steps of this run in order';

/** Fields that answers about the gate share. */
export const GATE = {
  scar_count: field(count, 'scars of this snapshot; 0 is clean', scarCount),
  gate: field(gate, 'pass when there is no scar and one authoritative generation', (m) =>
    gatePasses(m) ? 'pass' : 'fail',
  ),
  god: field(count, 'authoritative generations in the store; always 1', (m) => m.desk.gate.god),
  learned: field(text.nullable(), 'when A was learned, RFC 3339; null for generation 0', (m) =>
    learned(m) ? m.desk.baseline.learnedAt : null,
  ),
  observation: field(count, 'number of the observation', (m) => m.desk.gate.observation),
  last: field(
    lastRun.nullable(),
    'the last run of the gate; null when it never ran',
    (m) => m.desk.gate.lastRun,
  ),
};

const shape = {
  ...head('H7_SCAR'),
  kit: constant(KIT, 'name of the gate kit'),
  scar_count: GATE.scar_count,
  gate: GATE.gate,
  god: GATE.god,
  a: group('A, the held generation of the baseline', {
    generation: field(count, 'its number; 0 is the empty baseline', (m) => m.desk.baseline.generation),
    learned: GATE.learned,
  }),
  b: group('B, the observation', { generation: GATE.observation }),
  c: field(z.array(findingSchema), 'C, the scars: what B contains that A and the law do not explain', (m) =>
    m.judgement.scars.map(titled),
  ),
  last: GATE.last,
} as const;

export const scar = record('Scar', 'State of the scar gate', shape);
export type Scar = RecordOf<typeof scar>;

interface Run {
  /** The state after the run. */
  readonly state: DeskState;
  readonly steps: readonly GateStep[];
}

const run = wordsFor<Run>();
const runSteps = run.field(steps, STEPS, (done) => done.steps);

export const scarCheck = run.record('ScarCheck', 'State of the scar gate after a check, with its steps', {
  ...atState(shape),
  last: run.field(lastRun, 'this run', ({ state, steps }) => ({
    at: offsetTime(state.snapshot.at),
    steps,
  })),
  steps: runSteps,
});
export type ScarCheck = RecordOf<typeof scarCheck>;

const remedy = z.strictObject({
  finding: text.describe('id of the finding'),
  remedy: text.describe('what was tried, or would be'),
  result: text.describe('what came of it, or would'),
  left: z.boolean().describe('true: nothing is or would be done; it is down already, or left to you'),
  done: z.boolean().describe('true: nothing is left to do, or would be after success'),
  summary: text.describe('what the finding says'),
});
/** What was done about a finding, or would be. */
export type Remedy = Readonly<z.output<typeof remedy>>;

const cooked = wordsFor<Run & { readonly remedies: readonly Remedy[] }>();

export const cook = cooked.record('Cook', 'A run of the pipeline with cook-off', {
  ...stateHead('H7_COOK'),
  steps: runSteps,
  remedies: cooked.field(
    z.array(remedy),
    'one for each processed finding: the scars, or the files of field clear',
    ({ remedies }) => remedies,
  ),
  ...atState({ scar_count: GATE.scar_count, gate: GATE.gate, god: GATE.god }),
});
export type Cook = RecordOf<typeof cook>;

export const pastRun = z.strictObject({
  at: text.describe('time of its last observation, RFC 3339'),
  mode: z
    .enum(['scar', 'check', 'cook'])
    .describe('scar: automatic or a scar check; check: a dry run of cook; cook: cook-off was applied'),
  gate: gate.describe('how it ended'),
  scar_count: count.describe('scars of its last observation'),
  god: count.describe('authoritative generations counted then'),
  steps: steps.describe('its steps in order'),
});

/** A run of the scar gate, as the store keeps it. */
export interface PastRun extends Omit<Source<z.output<typeof pastRun>>, 'gate'> {
  readonly state: z.output<typeof gate>;
}

const past = wordsFor<{ readonly state: DeskState; readonly runs: readonly PastRun[] }>();

export const scarRuns = past.record('ScarRuns', 'The last runs of the scar gate', {
  ...stateHead('H7_SCAR_RUNS'),
  ...atState({ god: GATE.god }),
  runs: past.field(z.array(pastRun), 'newest first', ({ runs }) =>
    runs.map((one) => ({ ...one, gate: one.state })),
  ),
});
export type ScarRuns = RecordOf<typeof scarRuns>;
