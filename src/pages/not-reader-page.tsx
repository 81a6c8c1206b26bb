/** The page for a user who may not read this desk: why, and every way in. */
import { shellWord } from '../base/shell-word.ts';
import type { Problem } from '../records/problem.ts';
import { renderDocument } from './document.tsx';
import { Section } from './parts.tsx';
import { Frame } from './plain-frame.tsx';
import { SignIn } from './sign-in.tsx';

/** What is known of the caller. */
export interface CallerFacts {
  /** A user of this machine, one whose uid the kernel did not report, or another machine. */
  readonly kind: 'user' | 'blind' | 'remote';
  /** "" where /etc/passwd has no such user. */
  readonly user: string;
  /** Null where it is not known. */
  readonly uid: number | null;
  /** `[access] group`; "" without one. */
  readonly group: string;
  /** A page of this listener may get a session. */
  readonly signsIn: boolean;
}

/** A group for readers, where the configuration names none. */
const NEW_GROUP = 'desk-readers';

function Why({ kind, user, uid, group }: CallerFacts) {
  const members = group === '' ? '' : `, members of the group "${group}"`;
  return (
    <p>
      {kind === 'remote' &&
        'The request comes from another machine, and this listener answers only its own. '}
      {kind === 'blind' && 'The kernel did not report which user asks. '}
      {kind === 'user' && (
        <>
          You are {user === '' ? 'the user' : <strong>{user}</strong>} with uid {uid}.{' '}
        </>
      )}
      The desk shows processes, findings and accounts of every user, so it answers only root, the user of its
      service{members}, and pages that are signed in.
    </p>
  );
}

/** Lines to copy. An element for each: a line feed in a text would be made visible. */
const Commands = ({ lines }: { lines: readonly string[] }) => (
  <pre class="commands">
    {lines.map((line) => (
      <code key={line}>{line}</code>
    ))}
  </pre>
);

function Group({ user, group }: CallerFacts) {
  const name = group === '' ? NEW_GROUP : group;
  const add = `sudo usermod -aG ${shellWord(name)} ${user === '' ? 'USER' : shellWord(user)}`;
  return (
    <Section id="group" title="Let your user read, for good">
      {group === '' ? (
        <>
          <p>
            No group may read yet. An administrator makes one and adds you, writes it into{' '}
            <code>desk.toml</code> (<code>/etc/desk/desk.toml</code> after <code>desk install</code>), and
            reloads the desk:
          </p>
          <Commands lines={[`sudo groupadd -f ${name}`, add]} />
          <Commands lines={['[access]', `group = "${name}"`]} />
          <Commands lines={['sudo systemctl reload desk']} />
        </>
      ) : (
        <>
          <p>An administrator adds you to the group that may read:</p>
          <Commands lines={[add]} />
        </>
      )}
      <p class="soft">Then reload this page; you need not log in again. Members read; they change nothing.</p>
    </Section>
  );
}

interface Props {
  readonly facts: CallerFacts;
  readonly refusal: string;
  readonly enter: ((text: string) => void) | null;
}

/** What the page says, on the server and in the browser. */
export const NotReader = ({ facts, refusal, enter }: Props) => (
  <Frame path="" nav={[]} foot="Hostess Desk. The request was refused with 401.">
    <div class="reading">
      <h1>{facts.kind === 'user' ? 'Your user may not read this desk' : 'This desk does not answer you'}</h1>
      <section class="card">
        <Why {...facts} />
      </section>
      {facts.signsIn && (
        <SignIn label="Address or code" action="Sign in" autocomplete="off" refusal={refusal} enter={enter}>
          <h2>Sign this tab in</h2>
          <p>
            Root or the user of the service runs this, and you paste here what it prints. It works once,
            within 60 s:
          </p>
          <Commands lines={['sudo desk open --print']} />
          <p class="soft">
            A signed-in tab may do everything that <code>desk</code> may, until you close it or the service
            restarts. The control token works here too; a token of <code>desk token</code> does not.
          </p>
        </SignIn>
      )}
      {facts.kind === 'user' && <Group {...facts} />}
      <Section id="others" title="Without this page">
        <ul>
          {facts.kind !== 'remote' && (
            <li>
              In a terminal: <code>sudo desk status</code>.
            </li>
          )}
          <li>
            Read-only, also from other machines: turn on <code>[listen.remote]</code>, run{' '}
            <code>sudo desk token make NAME</code>, and open the address that it prints.
          </li>
          <li>
            From another machine: an SSH tunnel of a user who may read,{' '}
            <code>ssh -L 9999:127.0.0.1:PORT USER@MACHINE</code>.
          </li>
        </ul>
      </Section>
    </div>
  </Frame>
);

export const notReaderPage = ({ status, title }: Problem, facts: CallerFacts): string =>
  renderDocument({
    title: `${status} ${title}`,
    ...(facts.signsIn && { page: { name: 'not-reader', json: JSON.stringify(facts) } }),
    body: <NotReader facts={facts} refusal="" enter={null} />,
  });
