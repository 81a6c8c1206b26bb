/**
 * The scar gate, kit NONOT-GOD-0001. Always in this order, each step timed: cook → scar check → gate → (gate failed)
 * cook-off → scar check again. A is the held generation, B the observation, C the residue B brings that nothing explains.
 */
import type { Finding } from '../checks/judgement.ts';
import type { GateStep, Moment } from '../records/moment.ts';

/** How far a run goes: `scar` stops at the gate, `check` tells what cook-off would do, `cook` does it. */
export type PipelineMode = 'scar' | 'check' | 'cook';

export interface Remedied {
  /** Id of the finding. */
  readonly finding: string;
  readonly remedy: string;
  readonly result: string;
}

/** What cook-off can do about a scar. Refusals are results, never rejections. */
export interface Remedies {
  /** What `apply` would do; touches nothing. */
  plan(scar: Finding, moment: Moment): Remedied | Promise<Remedied>;
  apply(scar: Finding, moment: Moment): Promise<Remedied>;
}

export interface PipelineRun {
  readonly moment: Moment;
  readonly steps: readonly GateStep[];
  readonly remedies: readonly Remedied[];
  readonly passed: boolean;
}

export interface PipelineParts {
  /** A fresh observation, cooked into findings. */
  look(): Promise<Moment>;
  /** Authoritative generations in the store. */
  god(): number;
  /** Milliseconds of a monotonic clock. */
  clockMs(): number;
  readonly remedies: Remedies;
}

const suggestion = (scar: Finding, result: string): Remedied => ({
  finding: scar.id,
  remedy: scar.remedy || 'look at the evidence',
  result,
});

/** Nothing is done: every scar is left to the person. */
export const leftToYou: Remedies = {
  plan: (scar) => suggestion(scar, 'would be left to you'),
  apply: async (scar) => suggestion(scar, 'left to you: this version applies no remedy by itself'),
};

/** One after the other: what a remedy does may change what the next one finds. */
async function cookOff(
  mode: 'check' | 'cook',
  remedies: Remedies,
  moment: Moment,
): Promise<readonly Remedied[]> {
  const done: Remedied[] = [];
  for (const scar of moment.judgement.scars)
    done.push(await (mode === 'check' ? remedies.plan(scar, moment) : remedies.apply(scar, moment)));
  return done;
}

export async function runPipeline(mode: PipelineMode, parts: PipelineParts): Promise<PipelineRun> {
  const steps: GateStep[] = [];
  const step = async <T>(
    name: GateStep['step'],
    work: () => Promise<T> | T,
    tell: (result: T) => { ok: boolean; detail: string },
  ): Promise<T> => {
    const started = parts.clockMs();
    const result = await work();
    steps.push({ step: name, ms: Math.ceil(parts.clockMs() - started), ...tell(result) });
    return result;
  };

  const scarsOf = (moment: Moment) => moment.judgement.scars.length;
  const scarWords = (count: number) => (count === 1 ? '1 scar' : `${count} scars`);
  const look = (name: GateStep['step']) =>
    step(name, parts.look, (moment) => ({
      ok: true,
      detail: `observation ${moment.snapshot.generation}, ${moment.judgement.findings.length} findings`,
    }));

  let moment = await look('cook');
  await step(
    'scar-check',
    () => scarsOf(moment),
    (scars) => ({ ok: scars === 0, detail: scarWords(scars) }),
  );
  const gate = await step(
    'gate',
    () => ({ god: parts.god(), scars: scarsOf(moment), held: moment.desk.baseline.generation }),
    ({ god, scars, held }) => ({
      ok: scars === 0 && god === 1,
      detail:
        scars === 0
          ? `generation ${held} and observation ${moment.snapshot.generation} are held, GOD ${god}`
          : `${scarWords(scars)} thrown out, generation ${held} stays, GOD ${god}`,
    }),
  );
  let passed = gate.scars === 0 && gate.god === 1;
  let remedies: readonly Remedied[] = [];
  if (!passed && mode !== 'scar') {
    remedies = await step(
      'cook-off',
      () => cookOff(mode, parts.remedies, moment),
      (tried) => ({
        ok: true,
        detail: mode === 'check' ? `${tried.length} looked at` : `${tried.length} tried`,
      }),
    );
    moment = await step('scar-recheck', parts.look, (again) => ({
      ok: scarsOf(again) === 0,
      detail: scarWords(scarsOf(again)),
    }));
    passed = scarsOf(moment) === 0 && parts.god() === 1;
  }
  return { moment, steps, remedies, passed };
}
