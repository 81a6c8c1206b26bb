/** The dialogs of what works on findings and the baseline: each says what the service says would happen. */
import type { ComponentChildren } from 'preact';
import type { BaselineDiff } from '../records/baseline-diff.ts';
import type { Cook } from '../records/cook.ts';
import { contentWords } from '../records/finding-words.ts';
import { Confirm, type Deed, type Loaded, useDeed, useLoaded } from './confirm.tsx';
import { type DeskActions, useDesk } from './desk-context.ts';
import { plural, Soft, State } from './parts.tsx';

export interface DialogProps {
  readonly onClose: () => void;
}

type Remedy = Cook['remedies'][number];

/** Rows shown of a long list; the rest is counted. */
const SHOWN = 200;

/** As many findings as one call may name; what is beyond them waits for the next one. */
const MOST_NAMED = 500;
const worked = (remedies: readonly Remedy[]): string[] =>
  remedies.flatMap(({ left, finding }) => (left ? [] : [finding])).slice(0, MOST_NAMED);

const dryRun = (actions: DeskActions): Promise<Cook> => actions.post('/cook', { mode: 'check' });

/** What the service says beforehand, once it has said it. */
function Planned<T>(props: {
  plan: Loaded<T>;
  waiting?: string | undefined;
  children: (value: T) => ComponentChildren;
}) {
  const { plan, waiting = 'The dry run is under way …', children } = props;
  if (plan.value !== null) return <>{children(plan.value)}</>;
  if (plan.refusal !== '') return null;
  return (
    <p role="status" class="soft">
      {waiting}
    </p>
  );
}

/** Without a refusal of its own a deed has that of its plan. */
const after = <T,>(deed: Deed<T>, { refusal }: Loaded<unknown>): Deed<T> => ({
  ...deed,
  refusal: deed.refusal || refusal,
});

const Remedies = ({ title, rows }: { title: string; rows: readonly Remedy[] }) =>
  rows.length === 0 ? null : (
    <>
      <h3>
        {title} <Soft>{rows.length}</Soft>
      </h3>
      <ul class="remedies">
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row.finding}>
            <strong>{row.summary}</strong>
            <span>
              {row.remedy}: {row.result}
            </span>
          </li>
        ))}
        {rows.length > SHOWN && <li>and {rows.length - SHOWN} more</li>}
      </ul>
    </>
  );

/** What cook-off would do, finding by finding. */
export const Foretold = ({ cook }: { cook: Cook }) => {
  const done = cook.remedies.filter(({ left }) => !left);
  const left = cook.remedies.filter(({ left }) => left);
  if (cook.remedies.length === 0)
    return (
      <p>
        {cook.gate === 'pass'
          ? 'There is no scar and the gate passes, so there is nothing to do: cook only looks again.'
          : 'There is no scar to work on, and still the gate does not pass: cook only looks again.'}
      </p>
    );
  return (
    <>
      <Remedies title="This will be done" rows={done} />
      {done.length === 0 && <p>The desk itself does nothing about any of these.</p>}
      <Remedies title="This is left to you" rows={left} />
    </>
  );
};

/** What came of a run. */
export const Outcome = ({ cook }: { cook: Cook }) => (
  <>
    <p>
      The gate {cook.gate === 'pass' ? <State tone="good">passes</State> : <State tone="bad">fails</State>},{' '}
      {plural(cook.scar_count, 'scar')}.
    </p>
    <Remedies title="Done" rows={cook.remedies.filter(({ left, done }) => done && !left)} />
    <Remedies title="Tried without success" rows={cook.remedies.filter(({ left, done }) => !left && !done)} />
    <Remedies title="Left to you" rows={cook.remedies.filter(({ left }) => left)} />
  </>
);

export function DryRunDialog({ onClose }: DialogProps) {
  const plan = useLoaded(dryRun);
  return (
    <Confirm
      title="What cook would do"
      act=""
      ready={plan.value !== null}
      deed={{ busy: false, result: null, refusal: plan.refusal }}
      onAct={() => undefined}
      onClose={onClose}
    >
      <Planned plan={plan}>{(cook) => <Foretold cook={cook} />}</Planned>
      <p class="soft">A dry run touches nothing.</p>
    </Confirm>
  );
}

interface WorkProps extends DialogProps {
  readonly act: string;
  /** What is looked at beforehand, and what came of that would be. */
  readonly foresee: (actions: DeskActions) => Promise<Cook>;
  /** Said while that is under way. */
  readonly waiting?: string;
  /** Said before the list. */
  readonly looked?: string;
}

/** What was shown is what is worked on: nothing that has come since. */
function WorkDialog({ act, foresee, waiting, looked, onClose }: WorkProps) {
  const plan = useLoaded(foresee);
  const deed = useDeed<Cook>();
  const work = () => {
    const findings = worked(plan.value?.remedies ?? []);
    deed.run((actions) => actions.post('/cook', { mode: 'cook', findings }));
  };
  return (
    <Confirm
      title={deed.result === null ? `${act}: this will happen` : `${act}: this has happened`}
      act={act}
      danger
      ready={plan.value !== null}
      deed={after(deed, plan)}
      onAct={work}
      onClose={onClose}
    >
      {deed.result !== null ? (
        <Outcome cook={deed.result} />
      ) : (
        <Planned plan={plan} waiting={waiting}>
          {(cook) => (
            <>
              {looked !== undefined && <p>{looked}</p>}
              <Foretold cook={cook} />
            </>
          )}
        </Planned>
      )}
      {deed.result === null && (
        <p class="soft">
          Nothing else is touched: no other process, no file. Who holds a listener is looked at again before
          each signal, and what has come since this was shown is left alone.
        </p>
      )}
    </Confirm>
  );
}

export const CookDialog = ({ onClose }: DialogProps) => (
  <WorkDialog act="Cook" foresee={dryRun} onClose={onClose} />
);

const lookAndForesee = (actions: DeskActions): Promise<Cook> => actions.post('/av/close', { mode: 'check' });

export const CloseDialog = ({ onClose }: DialogProps) => (
  <WorkDialog
    act="Close avenues"
    foresee={lookAndForesee}
    waiting="Every check looks at everything, which may take some seconds …"
    looked="Every check has looked at everything just now, and findings whose subject is gone are closed. Of what is left:"
    onClose={onClose}
  />
);

const KINDS = { identity: 'program', listener: 'listener', class: 'class of findings' } as const;

const Rows = ({ rows }: { rows: BaselineDiff['added'] }) => (
  <ul class="remedies">
    {rows.slice(0, SHOWN).map(({ kind, text }) => (
      <li key={`${kind} ${text}`}>
        <span>
          <Soft>{KINDS[kind]}</Soft> {text}
        </span>
      </li>
    ))}
    {rows.length > SHOWN && <li>and {rows.length - SHOWN} more</li>}
  </ul>
);

/** What learning would do. */
export const Lesson = ({ diff, windowOpen }: { diff: BaselineDiff; windowOpen: boolean }) => {
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
        The gate runs. If it passes, generation {a.generation} is followed by a new one, which{' '}
        {learn.adds.length === 0
          ? 'knows the same as before.'
          : `knows ${plural(learn.adds.length, 'thing')} more:`}
      </p>
      <Rows rows={learn.adds} />
      {changed.length > 0 && (
        <>
          <p>
            Changed content: {plural(changed.length, 'learned program')} with other content than was learned.
          </p>
          <ul class="remedies">
            {changed.slice(0, SHOWN).map(({ text, learned, running }) => (
              <li key={text}>
                <span>{text}</span>
                <Soft>
                  old: {contentWords(learned)}
                  <br />
                  new: {contentWords(running)}
                </Soft>
              </li>
            ))}
            {changed.length > SHOWN && <li>and {changed.length - SHOWN} more</li>}
          </ul>
        </>
      )}
      {windowOpen && <p>The open learning window ends with it.</p>}
      <p>
        {gone.length === 0
          ? 'Nothing is forgotten.'
          : `Nothing is forgotten: ${plural(gone.length, 'thing')} that ${gone.length === 1 ? 'is' : 'are'} known and not seen now ${gone.length === 1 ? 'stays' : 'stay'} known.`}
      </p>
      {gone.length > 0 && (
        <details>
          <summary>Known, and not seen now</summary>
          <Rows rows={gone} />
        </details>
      )}
      <p class="soft">
        What is learned is what the gate itself sees then. "desk baseline restore {a.generation}" takes it
        back.
      </p>
    </>
  );
};

const difference = (actions: DeskActions): Promise<BaselineDiff> => actions.get('/baseline/diff', {});

export function LearnDialog({ onClose }: DialogProps) {
  const { page } = useDesk();
  const plan = useLoaded(difference);
  const deed = useDeed<{ readonly generation: number; readonly added: number }>();
  return (
    <Confirm
      title={deed.result === null ? 'Learn: this will happen' : 'Learn: this has happened'}
      act="Learn"
      ready={plan.value !== null && plan.value.learn.refusal === ''}
      deed={after(deed, plan)}
      onAct={() => deed.run((actions) => actions.post('/learn', {}))}
      onClose={onClose}
    >
      {deed.result !== null ? (
        <p>
          Generation {deed.result.generation} is held now; it knows {plural(deed.result.added, 'thing')} more
          than the one before.
        </p>
      ) : (
        <Planned plan={plan} waiting="The observation is compared with the baseline …">
          {(diff) => <Lesson diff={diff} windowOpen={page.baseline.window_open} />}
        </Planned>
      )}
    </Confirm>
  );
}
