/** The scar gate drawn as its pipeline, with what its last run did, and the runs before it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Page } from '../records/page.ts';
import type { ScarRuns } from '../records/scar-runs.ts';
import { refusalText, useDesk } from './desk-context.ts';
import { Code, duration, Empty, Meaning, plural, Section, Soft, State, Table, Time } from './parts.tsx';
import { TERMS } from './terms.ts';

export type Gate = Page['gate'];
type Step = NonNullable<Gate['last']>['steps'][number];

const STEPS = {
  cook: ['Cook', 'scan twice, confirm what failed, close what is gone'],
  'scar-check': ['Scar check', 'compare B with A and law.toml'],
  gate: ['Gate', 'no scar, and one authoritative generation'],
  'cook-off': ['Cook-off', 'what can be done about the scars; a dry run unless you cook'],
  'scar-recheck': ['Scar check again', 'what is left of them'],
} as const satisfies Record<Step['step'], readonly [string, string]>;

/** Of steps, which are told in ms. */
const took = (ms: number): string => duration(1000 * ms);

const Box = (props: {
  name: Step['step'];
  step: Step | undefined;
  /** Why the run did not come here. */
  otherwise: string;
}) => {
  const { name, step, otherwise } = props;
  const [title, meaning] = STEPS[name];
  return (
    <li
      class={`step step-${name} ${step === undefined ? 'idle' : step.ok ? 'well' : 'ill'}`}
      data-step={name}
    >
      <div class="step-head">
        <strong>{title}</strong>
        {step === undefined ? (
          <State tone="calm">not run</State>
        ) : (
          <State tone={step.ok ? 'good' : 'bad'}>{step.ok ? 'ok' : 'failed'}</State>
        )}
      </div>
      <p class="soft small">{meaning}</p>
      <p>{step === undefined ? otherwise : step.detail}</p>
      <p class="soft small">{step === undefined ? '' : took(step.ms)}</p>
    </li>
  );
};

const Held = ({ name, title, children }: { name: string; title: string; children: ComponentChildren }) => (
  <div class="held">
    <dt>
      <b aria-hidden="true">{name}</b> {title}
    </dt>
    <dd>{children}</dd>
  </div>
);

/** Which way the last run took. */
export function wayOf({ last }: Gate): 'none' | 'clean' | 'dirty' {
  const gate = last?.steps.find(({ step }) => step === 'gate');
  return gate === undefined ? 'none' : gate.ok ? 'clean' : 'dirty';
}

export function Pipeline({ gate }: { gate: Gate }) {
  const step = (name: Step['step']) => gate.last?.steps.find((one) => one.step === name);
  const way = wayOf(gate);
  const never = 'The gate has not run yet.';
  const idle =
    way === 'clean'
      ? 'Not needed: the gate passed.'
      : way === 'none'
        ? never
        : 'The run stopped at the gate.';
  const cleaned = step('scar-recheck')?.ok === true;
  return (
    <>
      <dl class="registers">
        <Held name="A" title="held">
          {gate.a === 0 ? 'generation 0, the empty baseline' : `generation ${gate.a}`}
          {gate.learned !== null && (
            <Soft>
              {' '}
              learned <Time at={gate.learned} />
            </Soft>
          )}
        </Held>
        <Held name="B" title="observed">
          observation {gate.b} {gate.differs && <Soft>differs from A</Soft>}
        </Held>
        <Held name="C" title="scars, thrown out">
          {gate.c.length === 0 ? 'none' : plural(gate.c.length, 'scar')}
        </Held>
        <Held name="GOD" title="authoritative generations">
          {gate.god} {gate.god !== 1 && <State tone="bad">must be 1</State>}
        </Held>
      </dl>
      <ol class={`flow ${way}`} aria-label="Steps of the gate, as the last run took them">
        <Box name="cook" step={step('cook')} otherwise={never} />
        <Box name="scar-check" step={step('scar-check')} otherwise={never} />
        <Box name="gate" step={step('gate')} otherwise={never} />
        <Box name="cook-off" step={step('cook-off')} otherwise={idle} />
        <Box name="scar-recheck" step={step('scar-recheck')} otherwise={idle} />
        <li class={`step end ${way === 'clean' || cleaned ? 'well' : 'idle'}`} data-step="held">
          <div class="step-head">
            <strong>A and B held</strong>
            {way === 'clean' || cleaned ? (
              <State tone="good">clean</State>
            ) : (
              <State tone="calm">not reached</State>
            )}
          </div>
          <p class="soft small">what may be learned from</p>
          <p>
            {way === 'clean'
              ? 'The clean way: straight from the gate.'
              : cleaned
                ? 'The dirty way: clean after cook-off.'
                : way === 'none'
                  ? never
                  : 'C is thrown out, and A stays as it is.'}
          </p>
        </li>
      </ol>
    </>
  );
}

const MODES = { scar: 'scar check', check: 'dry run', cook: 'cook' } as const;
/** Runs shown. */
const RUNS = 20;

export const RunTable = ({ runs }: { runs: ScarRuns['runs'] }) => (
  <Table
    caption={`The last ${plural(runs.length, 'run')}, newest first`}
    columns={[
      { head: 'When' },
      { head: 'What' },
      { head: 'Gate' },
      { head: 'Scars', number: true },
      { head: 'Took', number: true },
      { head: 'What was found' },
    ]}
    rows={runs.map((run) => [
      <Time key="at" at={run.at} />,
      MODES[run.mode],
      <State key="gate" tone={run.gate === 'pass' ? 'good' : 'bad'}>
        {run.gate}
      </State>,
      run.scar_count,
      took(run.steps.reduce((sum, { ms }) => sum + ms, 0)),
      run.steps.at(-1)?.detail ?? '',
    ])}
  />
);

/** The runs before the last one; they are asked for by the script. Their place is kept. */
function Runs({ at }: { at: string | null }) {
  const { actions } = useDesk();
  const [runs, setRuns] = useState<ScarRuns['runs'] | null>(null);
  const [refusal, setRefusal] = useState('');
  const get = actions?.get;
  // Asked for anew when another run has ended: `at` changes.
  useEffect(() => {
    if (get === undefined) return;
    const abort = new AbortController();
    get('/scar/runs', { limit: RUNS }, abort.signal).then(
      (answer) => {
        setRuns(answer.runs);
        setRefusal('');
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setRefusal(refusalText(error));
      },
    );
    return () => abort.abort();
  }, [get, at]);
  return (
    <div class="runs">
      {runs !== null && runs.length > 0 ? (
        <RunTable runs={runs} />
      ) : (
        <Empty>
          {refusal !== '' ? (
            refusal
          ) : runs !== null || at === null ? (
            'The gate has not run yet.'
          ) : (
            <>
              Earlier runs are listed by the script of this page; <Code>desk history</Code> lists them too.
            </>
          )}
        </Empty>
      )}
    </div>
  );
}

export const ScarGate = ({ gate }: { gate: Gate }) => (
  <Section
    id="gate"
    title="Scar gate"
    aside={
      <State tone={gate.state === 'pass' ? 'good' : 'bad'}>
        {gate.state === 'pass' ? 'passes' : 'fails'}
      </State>
    }
  >
    <Meaning>{gate.state === 'pass' ? TERMS.gatePasses : `${TERMS.gateFails} ${TERMS.scar}`}</Meaning>
    <p class="soft">
      {gate.last === null ? (
        <>
          It has not run yet: <Code>desk scar check</Code> runs it.
        </>
      ) : (
        <>
          The last run: <Time at={gate.last.at} />
        </>
      )}
    </p>
    <Pipeline gate={gate} />
    <Meaning>{TERMS.registers}</Meaning>
    <Runs at={gate.last?.at ?? null} />
  </Section>
);
