/** The mail page of the desk: its people (by script, with a token), how the ledger is kept, the identity as configured. */
import type { DeskStatus } from '../records/desk-status.ts';
import type { MailState } from '../records/mail.ts';
import { type Html, html, type Value } from './html.ts';
import { link, OFFICE_NAV, page, pairs, state, table } from './layout.ts';

const set = (value: string): Value => (value === '' ? html`<span class="soft">not configured</span>` : value);
const server = (host: string, port: number, mode: string): Value => set(host && `${host}:${port} (${mode})`);

const PEOPLE_COLUMNS = [
  { head: 'Name' },
  { head: 'Address' },
  { head: 'From them', number: true },
  { head: 'To them', number: true },
  { head: 'First seen' },
  { head: 'Last seen' },
  { head: 'Notes' },
];

/** What a reader without the token, or without script, is told; the script puts the people in its place. */
const people = html`<section aria-labelledby="people" data-ledger><h2 id="people">People</h2>
<form data-search role="search" hidden><label>Search <input name="q" type="search" maxlength="200" autocomplete="off"></label></form>
<p data-said aria-live="polite">The people you know by mail are shown to whoever holds the token: run <code>desk open</code>, or
<code>desk people</code> in a terminal.</p>
<div data-table hidden>${table('Those you write to first', PEOPLE_COLUMNS, [])}</div>
<p><button data-more type="button" hidden>More</button></p></section>`;

const TONE = { waiting: 'warn', importing: 'warn', watching: 'good', failed: 'bad' } as const;

function progressOf({ progress, read, reason }: MailState['sources'][number]): Value {
  if (reason !== '') return reason;
  if (progress === null) return `${read} messages read since the start`;
  const left = progress.left_sec === null ? '' : `, ${progress.left_sec} s left`;
  return `${progress.done} of ${progress.total}, ${Math.round(progress.per_sec)} per second${left}`;
}

function ledger({ configured, ledger: held, trouble, sources }: MailState, law: string): Html {
  const word = !configured
    ? state('warn', 'not configured')
    : trouble === ''
      ? state('good', 'kept')
      : state('bad', 'trouble');
  return html`<section aria-labelledby="ledger"><h2 id="ledger">Ledger</h2>
<p>${word} ${trouble || (configured ? '' : 'Name sources of people in [mail] sources of the configuration.')}</p>
${pairs([
  ['People', held.people],
  ['Messages counted', held.messages],
  ['Within its cap', held.finite ? 'yes' : 'no'],
  ['Export', set(held.export)],
])}
${
  sources.length > 0 &&
  table(
    'Where people are read from',
    [{ head: 'Source' }, { head: 'State' }, { head: 'Progress' }],
    sources.map((one) => [one.source, state(TONE[one.state], one.state), progressOf(one)]),
  )
}
<p class="soft">${law}</p></section>`;
}

export function mailPage({ identity, hostess_charge: { mail }, ts }: DeskStatus, kept: MailState): Html {
  const content = html`<h1>Mail</h1>
${people}
${ledger(kept, mail.law)}
<section aria-labelledby="identity"><h2 id="identity">Identity</h2>
${pairs([
  ['Name', set(identity.from_name)],
  ['Address', identity.address === '' ? set('') : link(`mailto:${identity.address}`, identity.address)],
  ['IMAP', server(identity.imap_host, identity.imap_port, identity.ssl_mode)],
  ['SMTP', server(identity.smtp_host, identity.smtp_port, identity.ssl_mode)],
  ['Password', mail.pass_set ? 'configured' : set('')],
  ['Mail client', mail.claws_up ? state('good', 'runs') : state('warn', 'does not run')],
  ['Provider', set(identity.provider)],
  ['Webmail', link(identity.webmail)],
  ['Notes', set(identity.notes)],
])}
<p>Whether the servers answer: <code>desk mail</code>.</p></section>`;
  return page({ title: 'Mail of the desk', path: '/email/', nav: OFFICE_NAV, foot: `As of ${ts}.` }, content);
}
