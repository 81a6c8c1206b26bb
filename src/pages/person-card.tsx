/** What the ledger knows of one person, in a dialog. The address stays out of the address bar and its history. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { People, Who } from '../records/people.ts';
import { refusalText, useDesk } from './desk-context.ts';
import { Link, Pairs, plural, Soft, State, Time } from './parts.tsx';

export type Person = People['people'][number];
type Warning = Person['warnings'][number];

const FIRST: Readonly<Record<Person['first_contact'], string>> = {
  in: 'They wrote to you.',
  out: 'You wrote to them.',
  beside: 'A message named both of you.',
};

const FLAG: Readonly<Record<Person['flags'][number], readonly [word: string, meaning: string]>> = {
  list: ['mailing list', 'All their messages came over mailing lists.'],
  automated: ['automated', 'A program writes there: the address says so, or all their messages do.'],
};

/** What is odd and what it is like: why this may not be who it seems to be. */
export function warningText({ kind, about }: Warning): string {
  switch (kind) {
    case 'mixed-script':
      return `Letters of several scripts are in one word${about && `: ${about}`}. Some look alike and are not the same.`;
    case 'address-in-name':
      return `The name is that of another address${about && `: ${about}`}. What counts is the address they write from.`;
    case 'lookalike-domain':
      return `The domain looks like ${about || 'another that you know'} and is not the same.`;
    case 'lookalike-name':
      return `The name looks like that of ${about || 'somebody you know'}, under another address.`;
  }
}

export const flagWord = (flag: Person['flags'][number]): string => FLAG[flag][0];

/** Half a character cannot be written in an address of the web: U+FFFD stands for it. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));

/** A target for writing to an address: nothing in it can become a field of the message (RFC 6068). */
export function mailTo(email: string): string {
  const at = email.lastIndexOf('@');
  return `mailto:${encoded(email.slice(0, at))}@${encoded(email.slice(at + 1))}`;
}

const when = (at: string | null) =>
  at === null ? <Soft>no message had a believable time</Soft> : <Time at={at} />;

/** The card itself, without its dialog. */
export function PersonFacts({ person }: { person: Person }) {
  const others = person.names.filter((name) => name !== person.name);
  return (
    <>
      {person.warnings.length > 0 && (
        <ul class="person-warnings">
          {person.warnings.map((warning) => (
            <li key={`${warning.kind} ${warning.about}`}>
              <State tone="warn">look closely</State> {warningText(warning)}
            </li>
          ))}
        </ul>
      )}
      <Pairs
        rows={[
          [
            'Address',
            <Link key="address" to={mailTo(person.email)}>
              {person.email}
            </Link>,
          ],
          ['Other names', others.length === 0 ? <Soft key="none">none seen</Soft> : others.join(' · ')],
          ['From them', plural(person.received, 'message')],
          ['To them', plural(person.sent, 'message')],
          ['Named beside', plural(person.copied, 'message')],
          ['First contact', FIRST[person.first_contact]],
          ['First seen', when(person.first_seen)],
          ['Last seen', when(person.last_seen)],
          ...person.flags.map((flag) => [FLAG[flag][0], FLAG[flag][1]] as const),
        ]}
      />
    </>
  );
}

/** Opens over the page for `person`, read anew; Escape or the button closes it, and what opened it has the focus again. */
export function PersonCard({ person, close }: { person: Person | null; close: () => void }) {
  const { actions } = useDesk();
  const dialog = useRef<HTMLDialogElement>(null);
  const [read, keep] = useState<{ readonly who: Who | null; readonly trouble: string }>({
    who: null,
    trouble: '',
  });
  const email = person?.email ?? null;
  useEffect(() => {
    if (email === null) return;
    keep({ who: null, trouble: '' });
    if (dialog.current?.open === false) dialog.current.showModal();
    const ended = new AbortController();
    actions?.get('/email/api/who', { email }, ended.signal).then(
      (who) => keep({ who, trouble: '' }),
      (error: unknown) => {
        if (!ended.signal.aborted) keep({ who: null, trouble: refusalText(error) });
      },
    );
    return () => ended.abort();
  }, [email]);
  const shown = read.who?.person ?? person;
  return (
    <dialog
      ref={dialog}
      class="person"
      aria-labelledby={shown === null ? undefined : 'person-name'}
      onClose={close}
    >
      {shown !== null && (
        <>
          <h2 id="person-name">{shown.name || shown.email}</h2>
          <p class="small soft" role="status">
            {read.trouble ||
              (read.who?.found === false
                ? 'The ledger does not know this person any more; this is what it knew.'
                : shown.name === ''
                  ? 'No name was seen.'
                  : '')}
          </p>
          <PersonFacts person={shown} />
          <div class="buttons">
            <a class="button primary" href={mailTo(shown.email)}>
              Write to them
            </a>
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </>
      )}
    </dialog>
  );
}
