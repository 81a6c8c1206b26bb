/** The dialogs of cook, close and learn: each shows what the service says would happen. */

import type { VNode } from 'preact';
import { plural } from '../base/plural.ts';
import type { BaselineDiff } from '../records/baseline-diff.ts';
import { contentWords } from '../records/finding-words.ts';
import type { Cook } from '../records/scar.ts';
import { Confirm, type DialogProps, useLoaded, useTask } from './confirm.tsx';
import { type DeskActions, useDesk } from './desk-context.ts';
import { Soft, State } from './parts.tsx';

type Remedy = Cook['remedies'][number];

/** Rows shown of a long list; the rest is counted. */
const SHOWN = 200;

/** As many findings as one call may name; the others are left for the next one. */
const MOST_NAMED = 500;

const Capped = <T,>({ rows, row }: { rows: readonly T[]; row: (one: T) => VNode }) => (
  <ul class="lined remedies">
    {rows.slice(0, SHOWN).map(row)}
    {rows.length > SHOWN && <li>and {rows.length - SHOWN} more</li>}
  </ul>
);

const Remedies = ({ title, rows }: { title: string; rows: readonly Remedy[] }) =>
  rows.length === 0 ? null : (
    <>
      <h3>
        {title} <Soft>{rows.length}</Soft>
      </h3>
      <Capped
        rows={rows}
        row={({ finding, summary, remedy, result }) => (
          <li key={finding}>
            <strong>{summary}</strong>
            <span>
              {remedy}: {result}
            </span>
          </li>
        )}
      />
    </>
  );

/** What cook-off would do, finding by finding. */
export function CookPlan({ cook: { remedies, gate } }: { cook: Cook }) {
  const done = remedies.filter(({ left }) => !left);
  if (remedies.length === 0)
    return (
      <p>
        {gate === 'pass'
          ? 'No scar is open and the gate passes, so there is nothing to do: cook would only scan again.'
          : 'The gate fails although no scar is open: cook would only scan again.'}
      </p>
    );
  return (
    <>
      <Remedies title="This will be done" rows={done} />
      {done.length === 0 && <p>The desk itself does nothing about any of these.</p>}
      <Remedies title="This is left to you" rows={remedies.filter(({ left }) => left)} />
    </>
  );
}

/** What came of a run. */
export const Outcome = ({ cook: { gate, scar_count, remedies } }: { cook: Cook }) => (
  <>
    <p>
      The gate {gate === 'pass' ? <State tone="good">passes</State> : <State tone="bad">fails</State>},{' '}
      {plural(scar_count, 'scar')}.
    </p>
    <Remedies title="Done" rows={remedies.filter(({ left, done }) => done && !left)} />
    <Remedies title="Tried without success" rows={remedies.filter(({ left, done }) => !left && !done)} />
    <Remedies title="Left to you" rows={remedies.filter(({ left }) => left)} />
  </>
);

const dryRun = (actions: DeskActions): Promise<Cook> => actions.post('/cook', { mode: 'check' });
const WAITING = 'Dry run in progress …';

export const DryRunDialog = ({ onClose }: DialogProps) => (
  <Confirm
    title="What cook would do"
    plan={useLoaded(dryRun)}
    waiting={WAITING}
    before={(cook) => <CookPlan cook={cook} />}
    note="A dry run changes nothing."
    onClose={onClose}
  />
);

interface WorkProps extends DialogProps {
  readonly title: string;
  readonly makePlan: (actions: DeskActions) => Promise<Cook>;
  readonly waiting: string;
  /** Above the list. */
  readonly intro?: string;
}

/** Works on what was shown and on nothing newer. */
function WorkDialog({ title, makePlan, waiting, intro, onClose }: WorkProps) {
  const plan = useLoaded(makePlan);
  const task = useTask<Cook>();
  const work = () => {
    const findings = (plan.value?.remedies ?? [])
      .flatMap(({ left, finding }) => (left ? [] : [finding]))
      .slice(0, MOST_NAMED);
    task.run((actions) => actions.post('/cook', { mode: 'cook', findings }));
  };
  return (
    <Confirm
      title={title}
      danger
      plan={plan}
      waiting={waiting}
      before={(cook) => (
        <>
          {intro !== undefined && <p>{intro}</p>}
          <CookPlan cook={cook} />
        </>
      )}
      note="Nothing else is changed: no other process, no file. The owner of a listener is checked again before each signal, and findings newer than this list are left alone."
      task={task}
      after={(cook) => <Outcome cook={cook} />}
      onAct={work}
      onClose={onClose}
    />
  );
}

export const CookDialog = ({ onClose }: DialogProps) => (
  <WorkDialog title="Cook" makePlan={dryRun} waiting={WAITING} onClose={onClose} />
);

const closeDryRun = (actions: DeskActions): Promise<Cook> => actions.post('/av/close', { mode: 'check' });

export const CloseDialog = ({ onClose }: DialogProps) => (
  <WorkDialog
    title="Close avenues"
    makePlan={closeDryRun}
    waiting="Every check scans everything, which may take some seconds …"
    intro="Every check has just scanned everything, and findings whose subject is gone were closed. Of what is left:"
    onClose={onClose}
  />
);

const KINDS = { identity: 'program', listener: 'listener', class: 'class of findings' } as const;

const Rows = ({ rows }: { rows: BaselineDiff['added'] }) => (
  <Capped
    rows={rows}
    row={({ kind, text }) => (
      <li key={`${kind} ${text}`}>
        <span>
          <Soft>{KINDS[kind]}</Soft> {text}
        </span>
      </li>
    )}
  />
);

const entries = (count: number): string => plural(count, 'more entry', 'more entries');

/** What learning would do. */
export function LearnPlan({ diff, windowOpen }: { diff: BaselineDiff; windowOpen: boolean }) {
  const { a, gone, changed, learn } = diff;
  if (learn.refusal !== '')
    return (
      <p>
        <State tone="bad">refused</State> {learn.refusal}
      </p>
    );
  return (
    <>
      <p>
        The gate runs. If it passes, generation {a.generation} is followed by a new one{' '}
        {learn.adds.length === 0 ? 'with the same entries.' : `with ${entries(learn.adds.length)}:`}
      </p>
      <Rows rows={learn.adds} />
      {changed.length > 0 && (
        <>
          <p>
            Changed content: {plural(changed.length, 'learned program')} with other content than was learned.
          </p>
          <Capped
            rows={changed}
            row={({ text, learned, running }) => (
              <li key={text}>
                <span>{text}</span>
                <Soft>
                  old: {contentWords(learned)}
                  <br />
                  new: {contentWords(running)}
                </Soft>
              </li>
            )}
          />
        </>
      )}
      {windowOpen && <p>The open learning window ends with it.</p>}
      <p>No entry is removed, also not what does not run now.</p>
      {gone.length > 0 && (
        <details>
          <summary>Known, and not seen now: {gone.length}</summary>
          <Rows rows={gone} />
        </details>
      )}
      <p class="soft">
        What is learned is what the gate itself sees then. To undo it: "desk baseline restore {a.generation}".
      </p>
    </>
  );
}

export function LearnDialog({ onClose }: DialogProps) {
  const { page } = useDesk();
  const plan = useLoaded((actions) => actions.get('/baseline/diff', {}));
  const task = useTask<{ readonly generation: number; readonly added: number }>();
  return (
    <Confirm
      title="Learn"
      plan={plan}
      waiting="Comparing the observation with the baseline …"
      before={(diff) => <LearnPlan diff={diff} windowOpen={page.baseline.window_open} />}
      ready={plan.value?.learn.refusal === ''}
      task={task}
      after={({ generation, added }) => (
        <p>
          Generation {generation} is active now, with {entries(added)} than before.
        </p>
      )}
      onAct={() => task.run((actions) => actions.post('/learn', {}))}
      onClose={onClose}
    />
  );
}
