/** What the ledger knows of one person, in a dialog. The address stays out of the address bar and its history. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { plural } from '../base/plural.ts';
import type { People } from '../records/people.ts';
import { useLoaded } from './confirm.tsx';
import { Link, Pairs, Soft, State, Time } from './parts.tsx';

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

/** Why this may not be the person it seems to be. */
export function warningText({ kind, about }: Warning): string {
  switch (kind) {
    case 'mixed-script':
      return `One word mixes letters of several scripts${about && `: ${about}`}. Some are easily confused with others.`;
    case 'address-in-name':
      return `The name is that of another address${about && `: ${about}`}. What counts is the address they write from.`;
    case 'lookalike-domain':
      return `The domain resembles ${about || 'another that you know'} and is not the same.`;
    case 'lookalike-name':
      return `The name resembles that of ${about || 'somebody you know'}, under another address.`;
  }
}

export const flagWord = (flag: Person['flags'][number]): string => FLAG[flag][0];

/** Half a character cannot be written in a URL: U+FFFD replaces it. */
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
  const address = (
    <Link key="address" to={mailTo(person.email)}>
      {person.email}
    </Link>
  );
  return (
    <>
      {person.warnings.length > 0 && (
        <ul class="person-warnings">
          {person.warnings.map((warning) => (
            <li key={`${warning.kind} ${warning.about}`}>
              <State tone="warn">check the sender</State> {warningText(warning)}
            </li>
          ))}
        </ul>
      )}
      <Pairs
        rows={[
          ['Address', address],
          ['Other names', others.length === 0 ? <Soft key="none">none seen</Soft> : others.join(' · ')],
          ['From them', plural(person.received, 'message')],
          ['To them', plural(person.sent, 'message')],
          ['Named beside', plural(person.copied, 'message')],
          ['First contact', FIRST[person.first_contact]],
          ['First seen', when(person.first_seen)],
          ['Last seen', when(person.last_seen)],
          ...person.flags.map((flag) => FLAG[flag]),
        ]}
      />
    </>
  );
}

/** Open over the page, with the person read again; when it closes, what opened it has the focus again. */
export function PersonCard({ person, close }: { person: Person; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { email } = person;
  const { value, refusal } = useLoaded((desk, end) => desk.get('/email/api/who', { email }, end));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const shown = value?.person ?? person;
  const gone = value?.found === false;
  const unnamed = shown.name === '' ? 'No name was seen.' : '';
  return (
    <dialog ref={dialog} class="person" aria-labelledby="person-name" onClose={close}>
      <h2 id="person-name">{shown.name || email}</h2>
      <p class="small soft" role="status">
        {refusal || (gone ? 'This person is no longer in the ledger; this is what it knew.' : unnamed)}
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
    </dialog>
  );
}
