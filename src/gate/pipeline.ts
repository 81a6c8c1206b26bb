/**
 * The scar gate, kit NONOT-GOD-0001. Always in this order, each step timed: cook → scar check → gate → (gate failed)
 * cook-off → scar check again. A is the held generation, B the observation, C the residue B brings that nothing explains.
 */
import type { Finding } from '../checks/judgement.ts';
import type { GateStep, Moment } from '../records/moment.ts';

/** How far a run goes: `scar` stops at the gate, `check` tells what cook-off would do, `cook` does it. */
export type PipelineMode = 'scar' | 'check' | 'cook';

interface Remedied {
  readonly finding: string;
  readonly remedy: string;
  readonly result: string;
}

export interface PipelineRun {
  readonly moment: Moment;
  readonly steps: readonly GateStep[];
  readonly remedies: readonly Remedied[];
  readonly passed: boolean;
}

interface PipelineParts {
  /** A fresh observation, cooked into findings. */
  look(): Promise<Moment>;
  /** Authoritative generations in the store. */
  god(): number;
  /** Milliseconds of a monotonic clock. */
  clockMs(): number;
}

/**
 * The remedy of one scar. This version has none that acts: the shutdown of a banned listener and the quarantine of our own
 * files come with the remedies, everything else is for a person to do.
 */
function remedyOf(scar: Finding, mode: 'check' | 'cook'): Remedied {
  const suggestion = scar.remedy || 'look at the evidence';
  return {
    finding: scar.id,
    remedy: suggestion,
    result:
      mode === 'check' ? 'would be left to you' : 'left to you: this version applies no remedy by itself',
  };
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
      () => moment.judgement.scars.map((scar) => remedyOf(scar, mode)),
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
