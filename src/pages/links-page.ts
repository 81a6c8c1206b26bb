/** Every link of the desk: navigation, the whole stick, and the commands. */
import type { DeskStatus } from '../records/desk-status.ts';
import { type Html, html } from './html.ts';
import { link, OFFICE_NAV, page, table } from './layout.ts';

const linkTable = (caption: string, links: Readonly<Record<string, string>>): Html =>
  table(
    caption,
    [{ head: 'Name' }, { head: 'Link' }],
    Object.entries(links).map(([name, target]) => [name.replaceAll('_', ' '), link(target)]),
  );

export function linksPage(status: DeskStatus): Html {
  const content = html`<h1>Links</h1>
<section aria-labelledby="nav"><h2 id="nav">Navigation</h2>${linkTable('Where to go from here', status.nav)}</section>
<section aria-labelledby="stick"><h2 id="stick">The whole stick</h2>${linkTable('Everything the desk is made of', status.whole_stick)}</section>
<section aria-labelledby="cli"><h2 id="cli">Commands</h2>
${table(
  'Commands that run as printed',
  [{ head: 'Name' }, { head: 'Command' }],
  Object.entries(status.cli).map(([name, command]) => [name, html`<code>${command}</code>`]),
)}</section>
<p class="soft">Links that are "not configured" are set under <code>[links]</code> of the configuration.</p>`;
  return page(
    { title: 'Links of the desk', path: '/links.html', nav: OFFICE_NAV, foot: `As of ${status.ts}.` },
    content,
  );
}
