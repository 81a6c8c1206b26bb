/** The mail page of the desk: the identity as configured, and how the ledger stands. */
import type { DeskStatus } from '../records/desk-status.ts';
import { type Html, html, type Value } from './html.ts';
import { link, OFFICE_NAV, page, pairs, state } from './layout.ts';

const set = (value: string): Value => (value === '' ? html`<span class="soft">not configured</span>` : value);

export function mailPage({ identity, hostess_charge: { mail }, ts }: DeskStatus): Html {
  const content = html`<h1>Mail</h1>
<section aria-labelledby="ledger"><h2 id="ledger">People ledger</h2>
<p>${state('warn', 'not configured')} This version reads no mail, so the ledger is empty.</p>
${pairs([
  ['Within its cap', mail.finite ? 'yes' : 'no'],
  ['Mail client', mail.claws_up ? state('good', 'runs') : state('warn', 'does not run')],
  ['Password', mail.pass_set ? 'configured' : html`<span class="soft">not configured</span>`],
  ['People', html`<code>${mail.people_api}</code>`],
  ['Look-up', html`<code>${mail.who_api}</code>`],
])}
<p class="soft">${mail.law}</p></section>
<section aria-labelledby="identity"><h2 id="identity">Identity</h2>
${pairs([
  ['Name', set(identity.from_name)],
  ['Address', identity.address === '' ? set('') : link(`mailto:${identity.address}`, identity.address)],
  [
    'IMAP',
    identity.imap_host === ''
      ? set('')
      : `${identity.imap_host}:${identity.imap_port} (${identity.ssl_mode})`,
  ],
  [
    'SMTP',
    identity.smtp_host === ''
      ? set('')
      : `${identity.smtp_host}:${identity.smtp_port} (${identity.ssl_mode})`,
  ],
  ['Provider', set(identity.provider)],
  ['Webmail', link(identity.webmail)],
  ['Notes', set(identity.notes)],
])}</section>`;
  return page({ title: 'Mail of the desk', path: '/email/', nav: OFFICE_NAV, foot: `As of ${ts}.` }, content);
}
