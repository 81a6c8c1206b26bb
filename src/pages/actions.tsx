/** What can be done from a page: its buttons, and the one dialog that is open. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Finding } from '../records/finding-words.ts';
import type { ScarCheck } from '../records/scar.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { AcceptedDialog } from './accepted-dialog.tsx';
import { CloseDialog, CookDialog, DryRunDialog, LearnDialog } from './act-dialogs.tsx';
import { useDeed } from './confirm.tsx';
import { useDesk } from './desk-context.ts';
import { Code, plural, Section, State } from './parts.tsx';

type Asked =
  | { readonly kind: 'dry-run' | 'cook' | 'close' | 'learn' | 'accepted' }
  | { readonly kind: 'accept'; readonly finding: Finding };

const Ask = createContext<(asked: Asked) => void>(() => undefined);

/**
 * Holds the dialog of a page. It stands above what a page lists, so that a dialog outlives the finding that it is about.
 */
export function ActionScope({ children }: { children: ComponentChildren }) {
  const [asked, ask] = useState<Asked | null>(null);
  const opened = useRef(false);
  const close = () => ask(null);
  useEffect(() => {
    // Where the button has gone with its finding, the focus goes to the content.
    if (asked === null && opened.current && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
    opened.current = asked !== null;
  }, [asked]);
  return (
    <Ask.Provider value={ask}>
      {children}
      {asked?.kind === 'dry-run' && <DryRunDialog onClose={close} />}
      {asked?.kind === 'cook' && <CookDialog onClose={close} />}
      {asked?.kind === 'close' && <CloseDialog onClose={close} />}
      {asked?.kind === 'learn' && <LearnDialog onClose={close} />}
      {asked?.kind === 'accepted' && <AcceptedDialog onClose={close} />}
      {asked?.kind === 'accept' && <AcceptDialog finding={asked.finding} onClose={close} />}
    </Ask.Provider>
  );
}

const SIGN_IN = 'Run "desk open" to act from here.';

/** Accepts a finding, once this tab may. */
export function AcceptButton({ finding }: { finding: Finding }) {
  const { actions } = useDesk();
  const ask = useContext(Ask);
  const may = actions?.signedIn === true;
  return (
    <button
      type="button"
      class="button small"
      data-act="accept"
      disabled={!may}
      title={may ? undefined : SIGN_IN}
      aria-label={`Accept: ${finding.summary}`}
      onClick={() => ask({ kind: 'accept', finding })}
    >
      Accept …
    </button>
  );
}

const Act = (props: {
  name: string;
  label: string;
  meaning: ComponentChildren;
  disabled: boolean;
  onAct: () => void;
}) => (
  <li>
    <button
      type="button"
      class="button"
      data-act={props.name}
      disabled={props.disabled}
      aria-describedby={`act-${props.name} acts-why`}
      onClick={props.onAct}
    >
      {props.label}
    </button>
    <span id={`act-${props.name}`} class="soft small">
      {props.meaning}
    </span>
  </li>
);

/** Scar check, dry run, cook, closing of avenues, learning. */
export function ActionBar() {
  const { actions } = useDesk();
  const ask = useContext(Ask);
  const check = useDeed<ScarCheck>();
  const may = actions?.signedIn === true;
  return (
    <Section id="acts" title="Actions" class="acts">
      <ul>
        <Act
          name="scar-check"
          label="Scar check"
          meaning="Scans now, compares with the baseline, and runs the gate. Changes nothing."
          disabled={actions === null || check.busy}
          onAct={() => check.run((desk) => desk.post('/scar/check', {}))}
        />
        <Act
          name="dry-run"
          label="Dry run …"
          meaning="Shows what cook would do. Changes nothing."
          disabled={actions === null}
          onAct={() => ask({ kind: 'dry-run' })}
        />
        <Act
          name="cook"
          label="Cook …"
          meaning="Does what the dry run shows, after you confirm it."
          disabled={!may}
          onAct={() => ask({ kind: 'cook' })}
        />
        <Act
          name="close"
          label="Close avenues …"
          meaning="Runs every check now, then does what it shows about the scars, after you confirm it."
          disabled={!may}
          onAct={() => ask({ kind: 'close' })}
        />
        <Act
          name="learn"
          label="Learn …"
          meaning="Adds what runs now to the baseline (the known programs and listeners), unless there are scars other than changed programs."
          disabled={!may}
          onAct={() => ask({ kind: 'learn' })}
        />
        <Act
          name="accepted"
          label="Accepted …"
          meaning="Lists the findings you accepted; you can take each back."
          disabled={!may}
          onAct={() => ask({ kind: 'accepted' })}
        />
      </ul>
      <p id="acts-why" class="soft">
        {may ? (
          'Signed in for as long as the service runs. What changes something asks before.'
        ) : (
          <>
            Run <Code>desk open</Code> to act from here: cook, close, learn and accept need it.
          </>
        )}
      </p>
      <p class="act-result" role="status">
        {check.busy && 'The scar check is under way …'}
        {check.result !== null && (
          <>
            <State tone={check.result.gate === 'pass' ? 'good' : 'bad'}>gate {check.result.gate}</State>{' '}
            {plural(check.result.scar_count, 'scar')}, observation {check.result.b.generation} against
            generation {check.result.a.generation}.
          </>
        )}
        {check.refusal !== '' && (
          <>
            <State tone="bad">refused</State> {check.refusal}
          </>
        )}
      </p>
    </Section>
  );
}
