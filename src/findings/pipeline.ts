/**
 * The scar gate, kit NONOT-GOD-0001. Always in this order, each step timed: cook → scar check → gate → (gate failed)
 * cook-off → scar check again. A is the held generation, B the observation, C the residue B brings that nothing explains.
 */
import type { Snapshot } from '../engine/snapshot.ts';
import { type Finding, type Judgement, scarsText } from './finding.ts';

export interface GateStep {
  readonly step: 'cook' | 'scar-check' | 'gate' | 'cook-off' | 'scar-recheck';
  readonly ok: boolean;
  readonly ms: number;
  readonly detail: string;
}

/** What cook-off does where the gate fails: in `check` and `scar`, the automatic runs, it says what it would do; in `cook` it does it. */
export type PipelineMode = 'scar' | 'check' | 'cook';

export interface Remedied {
  readonly finding: string;
  readonly remedy: string;
  readonly result: string;
  /** Nothing is or would be done about it: it is down already, or left to you or to automatic shutdown. */
  readonly left: boolean;
  /** Nothing is left to do about it; in a dry run: if what it says succeeds. */
  readonly done: boolean;
}

/** With the summary of the finding. */
interface Tried extends Remedied {
  readonly summary: string;
}

/** What the pipeline reads of an observation. */
interface Observed {
  readonly snapshot: Pick<Snapshot, 'generation'>;
  readonly judgement: Pick<Judgement, 'findings' | 'scars'>;
  readonly desk: { readonly baseline: { readonly generation: number } };
}

export interface PipelineRun<DeskState extends Observed> {
  readonly state: DeskState;
  readonly steps: readonly GateStep[];
  readonly remedies: readonly Tried[];
  readonly passed: boolean;
}

/** What cook-off works on, and how. */
export interface CookOff {
  /** Cook-off runs when there are any; nothing else is touched. */
  subjects(state: Observed): readonly Finding[];
  /** `check` reports what would be done, `cook` does it. */
  apply(finding: Finding, mode: 'check' | 'cook'): Promise<Remedied>;
}

interface PipelineParts<DeskState> {
  /** A fresh observation, cooked into findings. */
  observe(): Promise<DeskState>;
  /** Authoritative generations in the store. */
  god(): number;
  /** Milliseconds of a monotonic clock. */
  clockMs(): number;
  readonly cookOff: CookOff;
}

/** What is for a person to do. */
export function suggestion({ id, remedy }: Finding, mode: 'check' | 'cook'): Remedied {
  return {
    finding: id,
    remedy: remedy || 'check the evidence',
    result: mode === 'check' ? 'would be left to you' : 'left to you',
    left: true,
    done: false,
  };
}

/** What cook-off did, counted separately: what was done, what was tried without success and what is left. */
function cookedOff(tried: readonly Remedied[], acts: boolean): { ok: boolean; detail: string } {
  const done = tried.filter((one) => one.done).length;
  const left = tried.filter((one) => one.left && !one.done).length;
  const failed = tried.length - done - left;
  const counted = [
    ...(done > 0 ? [`${done} ${acts ? 'done' : 'would be done'}`] : []),
    ...(failed > 0 ? [`${failed} tried without success`] : []),
    ...(left > 0 ? [`${left} left`] : []),
  ];
  const nothing = tried.length === 0 ? 'nothing to work on' : `nothing ${acts ? 'done' : 'would be done'}`;
  const detail = [...(done === 0 && failed === 0 ? [nothing] : []), ...counted].join(', ');
  return { ok: tried.length > 0 && done === tried.length, detail: acts ? detail : `dry run: ${detail}` };
}

/** The same for these findings alone: the confirmation of a person does not cover later ones. */
export const onlyThese = ({ subjects, apply }: CookOff, findings: ReadonlySet<string>): CookOff => ({
  subjects: (state) => subjects(state).filter(({ id }) => findings.has(id)),
  apply,
});

export async function runPipeline<DeskState extends Observed>(
  mode: PipelineMode,
  parts: PipelineParts<DeskState>,
): Promise<PipelineRun<DeskState>> {
  const steps: GateStep[] = [];
  const step = async <T>(
    name: GateStep['step'],
    work: () => Promise<T> | T,
    outcome: (result: T) => { ok: boolean; detail: string },
  ): Promise<T> => {
    const started = parts.clockMs();
    const result = await work();
    steps.push({ step: name, ms: Math.ceil(parts.clockMs() - started), ...outcome(result) });
    return result;
  };

  const scarsOf = (state: DeskState) => state.judgement.scars.length;
  const observe = (name: GateStep['step']) =>
    step(name, parts.observe, (state) => ({
      ok: true,
      detail: `observation ${state.snapshot.generation}, ${state.judgement.findings.length} findings`,
    }));

  let state = await observe('cook');
  await step(
    'scar-check',
    () => scarsOf(state),
    (scars) => ({ ok: scars === 0, detail: scarsText(scars) }),
  );
  const gate = await step(
    'gate',
    () => ({ god: parts.god(), scars: scarsOf(state), held: state.desk.baseline.generation }),
    ({ god, scars, held }) => ({
      ok: scars === 0 && god === 1,
      detail:
        scars === 0
          ? `generation ${held} and observation ${state.snapshot.generation} are held, GOD ${god}`
          : `${scarsText(scars)} thrown out, generation ${held} stays, GOD ${god}`,
    }),
  );
  let passed = gate.scars === 0 && gate.god === 1;
  let remedies: readonly Tried[] = [];
  const { subjects, apply } = parts.cookOff;
  const acts = mode === 'cook';
  const asked = subjects(state);
  if (!passed || asked.length > 0) {
    remedies = await step(
      'cook-off',
      async () => {
        const tried: Tried[] = [];
        // One after another: a remedy may change what the next one finds.
        for (const finding of asked)
          tried.push({ ...(await apply(finding, acts ? 'cook' : 'check')), summary: finding.summary });
        return tried;
      },
      (tried) => cookedOff(tried, acts),
    );
    state = await step('scar-recheck', parts.observe, (again) => ({
      ok: scarsOf(again) === 0,
      detail: scarsText(scarsOf(again)),
    }));
    passed = scarsOf(state) === 0 && parts.god() === 1;
  }
  return { state, steps, remedies, passed };
}
