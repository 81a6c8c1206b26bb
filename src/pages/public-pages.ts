/** What everyone may see: that there is a desk, and nothing about the machine it stands on. */
import type { Config } from '../config-schema.ts';
import { magazineOf } from '../records/links.ts';
import type { OpenPeople } from '../records/people.ts';
import { type Html, html } from './html.ts';
import { link, page, table } from './layout.ts';

const NAV = [
  ['/', 'Welcome'],
  ['/email/', 'Mail'],
] as const;

const nameOf = (site: Config['site']): string =>
  site.names[0] ?? (site.public_url === '' ? 'This desk' : new URL(site.public_url).hostname);

export function publicPage(config: Config): Html {
  const { site } = config;
  const magazine = magazineOf(config);
  const content = html`<h1>${nameOf(site)}</h1>
<section><p>Welcome. A hostess keeps this desk in order.</p>
${magazine !== '' && html`<p>Read the ${link(magazine, 'magazine')}.</p>`}
<p>Write to us by way of the <a href="/email/">mail page</a>.</p></section>`;
  return page({ title: nameOf(site), path: '/', nav: NAV, foot: 'Served by Hostess Desk.' }, content);
}

/** `people`: names and domains, where the configuration opens the list; else null. */
export function publicMailPage({ site, identity }: Config, people: OpenPeople | null): Html {
  const { address } = identity;
  const content = html`<h1>Mail</h1>
<section><p>${
    address === ''
      ? 'The mail of this desk is not configured.'
      : html`Write to ${link(`mailto:${address}`, address)}.`
  }</p>
<p class="soft">${
    people === null
      ? 'The people ledger behind this page answers only to those who hold its token.'
      : 'Of the people ledger everybody may see names and domains; all else is for those who hold its token.'
  }</p></section>
${
  people !== null &&
  html`<section>${table(
    people.next === null
      ? 'People of this desk'
      : `The first ${people.people.length} of ${people.total} people of this desk`,
    [{ head: 'Name' }, { head: 'Domain' }],
    people.people.map(({ name, domain }) => [name || html`<span class="soft">no name</span>`, domain]),
  )}</section>`
}`;
  return page(
    { title: `Mail, ${nameOf(site)}`, path: '/email/', nav: NAV, foot: 'Served by Hostess Desk.' },
    content,
  );
}
