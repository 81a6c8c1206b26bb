/** The answer of `POST /cook` (`H7_COOK`): the pipeline's steps and what cook-off did or would do. */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import type { GateStep } from '../findings/pipeline.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import { scarCount } from './derive.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { GATE, gate, gateOf, steps, stepsOf } from './scar.ts';

const remedy = z.strictObject({
  finding: z.string().describe('id of the finding'),
  remedy: z.string().describe('what was tried, or would be'),
  result: z.string().describe('what came of it, or would'),
  left: z
    .boolean()
    .describe('true: nothing is done about it, or would be; it is down already, or left to a person'),
  done: z.boolean().describe('true: nothing is left to do about it, or would be if that succeeds'),
  summary: z.string().describe('what the finding says'),
});
/** What was done about a finding, or would be. */
export type RemedyTold = Readonly<z.output<typeof remedy>>;

export interface Cooked {
  /** The moment after the run. */
  readonly moment: Moment;
  readonly steps: readonly GateStep[];
  readonly remedies: readonly RemedyTold[];
}

const { field, constant, record } = wordsFor<Cooked>();

export const cook = record('Cook', 'A run of the pipeline with cook-off', {
  ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: constant('H7_COOK', 'name of this answer'),
  steps: field(steps, GATE.steps, (run) => stepsOf(run.steps)),
  remedies: field(
    z.array(remedy),
    'one for each finding that was worked on: the scars, or what field clear is for',
    (run) =>
      run.remedies.map(({ finding, remedy, result, left, done, summary }) => ({
        finding,
        remedy,
        result,
        left,
        done,
        summary,
      })),
  ),
  scar_count: field(count, GATE.scarCount, ({ moment }) => scarCount(moment)),
  gate: field(gate, GATE.gate, ({ moment }) => gateOf(moment)),
  god: field(count, GATE.god, ({ moment }) => moment.desk.gate.god),
});
export type Cook = RecordOf<typeof cook>;
