/** The answer of `GET /scar/runs` (`H7_SCAR_RUNS`): the last runs of the gate. */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import type { GateStep } from '../findings/pipeline.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { GATE, gate, steps, stepsOf } from './scar.ts';

/** A run of the scar gate, as the store keeps it. */
export interface PastRun {
  /** RFC 3339. */
  readonly at: string;
  /** `scar` stopped at the gate, `check` told what cook-off would do, `cook` did it. */
  readonly mode: 'scar' | 'check' | 'cook';
  readonly state: 'pass' | 'fail';
  readonly scarCount: number;
  /** Authoritative generations counted at the run. */
  readonly god: number;
  readonly steps: readonly GateStep[];
}

interface Runs {
  readonly moment: Moment;
  /** Newest first. */
  readonly runs: readonly PastRun[];
}

const run = z.strictObject({
  at: z.string().describe('time of its last observation, RFC 3339'),
  mode: z
    .enum(['scar', 'check', 'cook'])
    .describe(
      'scar: by itself or a scar check, check: a dry run of cook; both say what cook-off would do, and cook does it',
    ),
  gate: gate.describe('how it ended'),
  scar_count: count.describe('scars of its last observation'),
  god: count.describe('authoritative generations counted then'),
  steps: steps.describe('its steps in order'),
});

const { field, constant, record } = wordsFor<Runs>();

export const scarRuns = record('ScarRuns', 'The last runs of the scar gate', {
  ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: constant('H7_SCAR_RUNS', 'name of this answer'),
  god: field(count, GATE.god, ({ moment }) => moment.desk.gate.god),
  runs: field(z.array(run), 'newest first', ({ runs }) =>
    runs.map(({ at, mode, state, scarCount, god, steps }) => ({
      at,
      mode,
      gate: state,
      scar_count: scarCount,
      god,
      steps: stepsOf(steps),
    })),
  ),
});
export type ScarRuns = RecordOf<typeof scarRuns>;
