/** The scar gate drawn as its pipeline, with what its last run did, and the runs before it. */

import type { ComponentChildren } from 'preact';
import { plural } from '../base/plural.ts';
import type { Page } from '../records/page.ts';
import type { ScarRuns } from '../records/scar.ts';
import { gateMeaning, TERMS } from '../records/terms.ts';
import { useLoaded } from './confirm.tsx';
import { Code, duration, Empty, Meaning, Section, Soft, State, Table, Time } from './parts.tsx';

type Gate = Page['gate'];
type Step = NonNullable<Gate['last']>['steps'][number];

const STEPS = {
  cook: ['Look (cook)', 'scan twice, confirm what failed, close what is gone'],
  'scar-check': ['Compare (scar check)', 'compare B with A and law.toml'],
  gate: ['Gate', 'no scar, and one authoritative generation'],
  'cook-off': ['Apply (cook-off)', 'what can be done about the scars; a dry run unless you cook'],
  'scar-recheck': ['Compare again', 'what is left of them'],
} as const satisfies Record<Step['step'], readonly [string, string]>;

/** Of steps, whose times are in ms. */
const took = (ms: number): string => duration(1000 * ms);

/** A step of the run, or its end; `ok` is null where the run did not come there. */
const Box = (props: {
  name: string;
  about: readonly [title: string, meaning: string];
  ok: boolean | null;
  state: string;
  text: string;
  ms?: string;
}) => {
  const { name, about, ok, state, text, ms } = props;
  return (
    <li class={`step step-${name} ${ok === null ? 'idle' : ok ? 'well' : 'ill'}`} data-step={name}>
      <div class="row apart">
        <strong>{about[0]}</strong>
        <State tone={ok === null ? 'calm' : ok ? 'good' : 'bad'}>{state}</State>
      </div>
      <p class="soft small">{about[1]}</p>
      <p>{text}</p>
      {ms !== undefined && <p class="soft small">{ms}</p>}
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

const NEVER = 'The gate has not run yet.';
const AFTER_GATE = {
  none: NEVER,
  clean: 'Not needed: the gate passed.',
  dirty: 'The run stopped at the gate.',
} as const;

function Pipeline({ gate }: { gate: Gate }) {
  const stepOf = (name: string) => gate.last?.steps.find(({ step }) => step === name);
  const way = wayOf(gate);
  const clean = way === 'clean' || stepOf('scar-recheck')?.ok === true;
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
        <Held name="C" title="unexplained, excluded">
          {gate.c.length === 0 ? 'nothing' : plural(gate.c.length, 'finding')}
        </Held>
        <Held name="GOD" title="authoritative generations">
          {gate.god} {gate.god !== 1 && <State tone="bad">must be 1</State>}
        </Held>
      </dl>
      <ol class={`flow ${way}`} aria-label="Steps of the gate, as the last run took them">
        {Object.entries(STEPS).map(([name, about]) => {
          const step = stepOf(name);
          return (
            <Box
              key={name}
              name={name}
              about={about}
              ok={step?.ok ?? null}
              state={step === undefined ? 'not run' : step.ok ? 'ok' : 'failed'}
              text={step?.detail ?? (/-off|-recheck/.test(name) ? AFTER_GATE[way] : NEVER)}
              ms={step === undefined ? '' : took(step.ms)}
            />
          );
        })}
        <Box
          name="held"
          about={['A and B held', 'what may be learned from']}
          ok={clean || null}
          state={clean ? 'clean' : 'not reached'}
          text={
            way === 'clean'
              ? 'The clean path: straight from the gate.'
              : clean
                ? 'The dirty path: clean after cook-off.'
                : way === 'none'
                  ? NEVER
                  : 'C is excluded, and A stays as it is.'
          }
        />
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
      { head: 'Scars', class: 'number' },
      { head: 'Took', class: 'number' },
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

/** The runs before the last one, which the script asks for: again when another run has ended. Their place is kept. */
function Runs({ at }: { at: string | null }) {
  const { value, refusal } = useLoaded((desk, end) => desk.get('/scar/runs', { limit: RUNS }, end), at);
  return (
    <div class="runs">
      {value !== null && value.runs.length > 0 ? (
        <RunTable runs={value.runs} />
      ) : (
        <Empty>
          {refusal ||
            (value !== null || at === null ? (
              NEVER
            ) : (
              <>
                The script of this page lists earlier runs; <Code>desk history</Code> lists them too.
              </>
            ))}
        </Empty>
      )}
    </div>
  );
}

export const ScarGate = ({ gate }: { gate: Gate }) => (
  <Section
    id="gate"
    title="Known-good gate"
    term="gate"
    aside={gate.state === 'pass' ? <State tone="good">passes</State> : <State tone="bad">fails</State>}
  >
    <Meaning>{gateMeaning(gate).join(' ')}</Meaning>
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
