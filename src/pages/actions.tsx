/** What can be done from a page: its buttons, and the one dialog that is open. */

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../base/plural.ts';
import type { Finding } from '../records/finding-words.ts';
import type { ScarCheck } from '../records/scar.ts';
import { AcceptDialog, AcceptedDialog } from './accept-dialog.tsx';
import { CloseDialog, CookDialog, DryRunDialog, LearnDialog } from './act-dialogs.tsx';
import { useTask } from './confirm.tsx';
import { useDesk } from './desk-context.ts';
import { Code, Section, State } from './parts.tsx';

const DIALOGS = {
  'dry-run': DryRunDialog,
  cook: CookDialog,
  close: CloseDialog,
  learn: LearnDialog,
  accepted: AcceptedDialog,
} as const;
type Opens = keyof typeof DIALOGS;

/** Opens a dialog; for a finding, the one that accepts it. */
const Ask = createContext<(asked: Opens | Finding) => void>(() => undefined);

/** Holds the dialog of a page, above its lists, so that a dialog outlives the finding that it is about. */
export function ActionScope({ children }: { children: ComponentChildren }) {
  const [asked, ask] = useState<Opens | Finding | null>(null);
  const opened = useRef(false);
  const close = () => ask(null);
  useEffect(() => {
    // Where the button has gone with its finding, the focus goes to the content.
    if (asked === null && opened.current && document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
    opened.current = asked !== null;
  }, [asked]);
  const Dialog = typeof asked === 'string' ? DIALOGS[asked] : null;
  return (
    <Ask.Provider value={ask}>
      {children}
      {Dialog !== null && <Dialog onClose={close} />}
      {asked !== null && typeof asked === 'object' && <AcceptDialog finding={asked} onClose={close} />}
    </Ask.Provider>
  );
}

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
      title={may ? undefined : 'Run "desk open" to act from here.'}
      aria-label={`Accept: ${finding.summary}`}
      onClick={() => ask(finding)}
    >
      Accept …
    </button>
  );
}

const ACTS: readonly (readonly [name: Opens | 'scar-check', label: string, meaning: string])[] = [
  [
    'scar-check',
    'Check now',
    'A scar check: scans now, compares with the baseline, and runs the gate. Changes nothing.',
  ],
  ['dry-run', 'Dry run …', 'Shows what can be done about each scar, and by whom. Changes nothing.'],
  ['cook', 'Apply remedies …', 'Cook: applies the remedies that the dry run shows, after you confirm them.'],
  [
    'close',
    'Check all and apply …',
    'Close avenues: runs every check now, then applies the remedies of the scars, after you confirm them.',
  ],
  [
    'learn',
    'Learn …',
    'Adds what runs now to the baseline (the known programs and listeners), unless there is a scar that is not a changed program.',
  ],
  ['accepted', 'Accepted …', 'Lists the findings you accepted; you can take each back.'],
];
/** They change nothing and need no session. */
const FREE = ['scar-check', 'dry-run'];

export function ActionBar() {
  const { actions } = useDesk();
  const ask = useContext(Ask);
  const check = useTask<ScarCheck>();
  const may = actions?.signedIn === true;
  return (
    <Section id="acts" title="Actions" class="acts" term="remedies">
      <ul class="plain">
        {ACTS.map(([name, label, meaning]) => (
          <li key={name}>
            <button
              type="button"
              class="button"
              data-act={name}
              disabled={
                FREE.includes(name) ? actions === null || (name === 'scar-check' && check.busy) : !may
              }
              aria-describedby={`act-${name} acts-why`}
              onClick={() =>
                name === 'scar-check' ? check.run((desk) => desk.post('/scar/check', {})) : ask(name)
              }
            >
              {label}
            </button>
            <span id={`act-${name}`} class="soft small">
              {meaning}
            </span>
          </li>
        ))}
      </ul>
      <p id="acts-why" class="soft">
        {may ? (
          'Signed in for as long as the service runs. Anything that changes something asks you first.'
        ) : (
          <>
            Run <Code>desk open</Code> to act from here: cook, close, learn and accept need it.
          </>
        )}
      </p>
      <p class="act-result" role="status">
        {check.busy && 'The check is in progress …'}
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
