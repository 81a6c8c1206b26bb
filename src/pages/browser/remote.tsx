/** The page of the remote listener: asks for a token, keeps it in the tab, and shows what other machines may see. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RemoteView } from '../../records/remote.ts';
import { Severity } from '../findings.tsx';
import { Clip } from '../long.tsx';
import { Empty, number, Section, State, Table, Time } from '../parts.tsx';
import { Frame } from '../plain-frame.tsx';
import { SignIn } from '../sign-in.tsx';
import { forget, get, keep, SignedOut, token } from './ask.ts';
import { follow } from './stream.ts';

/** Shortest time between two readings of the view, and between those of a desk that does not answer. */
const PACE_MS = 1_000;
const AGAIN_MS = 5_000;
const WORDS: Readonly<Record<RemoteView['reasons'][number], string>> = {
  virus: 'the port that must stay down is up',
  scar: 'there are unexplained findings of severity medium or above',
  gate: 'the scar gate is closed',
  duty: 'a duty does not run',
  loop: 'the recheck loop does not run',
  blind: 'not enough could be seen',
  config: 'a changed configuration is not in force',
  port: 'a required port is down or unknown',
  control: 'the control port is not served',
  site: 'the site does not answer as it should',
};

const REFUSED =
  'The token is not valid: it is mistyped, has expired or was revoked. Make one with "desk token make NAME" on the machine.';

function View({ view }: { view: RemoteView }) {
  const { verdict, grade, tone, reasons, ports, open, findings, site, processes } = view;
  // The browser looks for the target of a link before the token has shown it.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <>
      <section class="card" data-remote={view.ok ? 'ok' : 'not-ok'}>
        <h1>
          <State tone={tone}>{view.ok ? 'ok' : 'not ok'}</State> {verdict}
        </h1>
        <p>
          Grade {grade}, gate {view.gate}. {reasons.map((reason) => WORDS[reason]).join('; ')}
        </p>
        <p class="soft">
          Rechecked <Time at={view.ts} />, {number(processes.all)} processes, {number(view.listeners)}{' '}
          listeners, {number(view.blind)} pairs that could not be judged. Site:{' '}
          {site.ok ? `answers ${site.status}` : 'does not answer as it should'}.
        </p>
      </section>
      <Section id="ports" title="Ports">
        <Table
          caption="Desk ports"
          columns={[{ head: 'Port' }, { head: 'Name' }, { head: 'State' }]}
          rows={ports.map(({ port, name, up, known, required }) => [
            String(port),
            <Clip key="name" text={name} />,
            <State key="state" tone={up ? 'good' : required ? 'bad' : 'calm'}>
              {up ? 'up' : known ? 'down' : 'unknown'}
            </State>,
          ])}
        />
      </Section>
      <Section id="findings" title="Findings" aside={<span class="tile-figure">{findings}</span>}>
        {open.length === 0 && <Empty>No open findings.</Empty>}
        <ul class="lined">
          {open.map(({ id, severity, check, subject, meaning }) => (
            <li key={id} id={`finding-${id}`} data-finding={id}>
              <Severity of={severity} /> <code>{check}</code> <Clip text={subject} />{' '}
              <a class="soft small" href={`#finding-${id}`} aria-label={`Link to finding ${id}`}>
                {id}
              </a>
              <p class="soft small">{meaning}</p>
            </li>
          ))}
        </ul>
        {findings > open.length && <p class="soft">And {findings - open.length} more.</p>}
      </Section>
    </>
  );
}

/** Reads the view at once, and after events at most once a second. */
function paced(read: () => void) {
  let due: ReturnType<typeof setTimeout> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const now = () => {
    due = undefined;
    readAt = performance.now();
    read();
  };
  return {
    ask: (afterMs = PACE_MS) => {
      due ??= setTimeout(now, Math.max(0, readAt + afterMs - performance.now()));
    },
    stop: () => clearTimeout(due),
  };
}

function Remote() {
  const [signedIn, setSignedIn] = useState(token() !== null);
  const [refusal, refuse] = useState('');
  const [view, show] = useState<RemoteView | null>(null);
  const [lost, lose] = useState('');
  useEffect(() => {
    if (!signedIn) return;
    const leaving = new AbortController();
    const leave = (reason: string) => {
      leaving.abort();
      forget();
      show(null);
      lose('');
      refuse(reason);
      setSignedIn(false);
    };
    let follows = false;
    const reading = paced(() => {
      get('/view.json', {}, leaving.signal).then(
        (read) => {
          show(read);
          refuse('');
          if (!follows) begin();
        },
        (error: unknown) => {
          if (leaving.signal.aborted) return;
          if (error instanceof SignedOut) {
            leave(REFUSED);
            return;
          }
          lose(error instanceof Error ? error.message : String(error));
          // Until it was read once, no event asks for it again.
          if (!follows) reading.ask(AGAIN_MS);
        },
      );
    });
    const begin = () => {
      follows = true;
      lose('');
      follow(
        {
          opened: () => lose(''),
          snapshot: () => reading.ask(),
          changed: () => reading.ask(),
          lost: (reason) => {
            lose(reason);
            // Whether the token has ended is said by the view.
            reading.ask();
          },
        },
        leaving.signal,
        '/events',
      );
    };
    reading.ask();
    return () => {
      leaving.abort();
      reading.stop();
    };
  }, [signedIn]);
  const enter = (text: string) => {
    keep(text);
    lose('');
    setSignedIn(true);
  };
  const link = !signedIn ? null : lost === '' ? (view === null ? 'rendered' : 'live') : 'disconnected';
  const status = link !== null && (
    <p class="link" data-link={link}>
      <State tone={link === 'live' ? 'good' : link === 'rendered' ? 'calm' : 'bad'}>
        {link === 'rendered' ? 'asking' : link}
      </State>
      <button
        type="button"
        class="button small"
        onClick={() => {
          forget();
          show(null);
          setSignedIn(false);
        }}
      >
        Forget the token
      </button>
    </p>
  );
  return (
    <Frame
      path="/"
      nav={[['/', 'Desk']]}
      status={status}
      foot={view === null ? 'Hostess Desk, read-only.' : `Hostess Desk ${view.version}, read-only.`}
    >
      {lost !== '' && (
        <p class="banner bad" role="alert">
          {lost}
        </p>
      )}
      {signedIn ? (
        view !== null && <View view={view} />
      ) : (
        <SignIn label="Token" action="Show" autocomplete="current-password" refusal={refusal} enter={enter}>
          <h1>A read-only view of this desk</h1>
          <p>
            Make a token with <code>desk token make NAME</code> on the machine, and enter it here. It stays in
            this tab.
          </p>
        </SignIn>
      )}
    </Frame>
  );
}

export function begin(root: HTMLElement): void {
  root.replaceChildren();
  render(<Remote />, root);
}
