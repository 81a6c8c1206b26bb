/** The desk office: how the desk is, what to do about it, and where everything is. */
import { deskPorts } from '../records/derive.ts';
import type { DeskStatus } from '../records/desk-status.ts';
import type { Moment } from '../records/moment.ts';
import { avenueTable, findingTable } from './avenues.ts';
import { type Html, html } from './html.ts';
import { link, OFFICE_NAV, page, pairs, state, table } from './layout.ts';

const GRADE_TONE = { gold: 'good', silver: 'warn', bronze: 'bad', lead: 'bad' } as const;

function headline(status: DeskStatus): Html {
  return html`<section aria-labelledby="health">
<h1 id="health">The desk is ${status.ok ? state('good', 'ok') : state('bad', 'not ok')}</h1>
<p class="big">Grade ${state(GRADE_TONE[status.grade], status.grade)}</p>
${
  status.issues.length > 0
    ? html`<h2>What is wrong, and what to do</h2><ul>${status.issues.map((issue) => html`<li>${issue}</li>`)}</ul>`
    : html`<p>Nothing is wrong.</p>`
}
<p class="soft">Measured at ${status.ts}.</p>
</section>`;
}

function improvements({ hostess_charge: { improvements: all } }: DeskStatus): Html {
  const listed = all.split('; ').filter((one) => one !== '');
  if (listed.length === 0) return html`<p>Nothing to improve.</p>`;
  const shown = listed.slice(0, 12);
  return html`<ul>${shown.map((one) => html`<li>${one}</li>`)}</ul>
${listed.length > shown.length && html`<p class="soft">And ${listed.length - shown.length} more in the charge report.</p>`}`;
}

function site({ desk: { site } }: Moment): Html {
  const good = site.status >= 200 && site.status < 400;
  return pairs([
    ['Site', link(site.url, site.name)],
    [
      'Answer',
      good
        ? state('good', String(site.status))
        : state('warn', site.status === 0 ? 'no answer' : String(site.status)),
    ],
    ...(site.reason === '' ? [] : ([['Why', site.reason]] as const)),
    ['Configured', site.configured ? 'yes' : 'no, the embedded public page is the site'],
  ]);
}

/** The office page of `status`, which must be the record of `moment`. `theme` makes it the themed page. */
export function officePage(moment: Moment, status: DeskStatus, theme?: 'themed'): Html {
  const { antivirus } = status.hostess_charge;
  const { counts } = moment.snapshot;
  const content = html`${headline(status)}
<section aria-labelledby="findings"><h2 id="findings">Findings</h2>${findingTable(moment.judgement.findings)}</section>
<div class="grid">
<section aria-labelledby="ports"><h2 id="ports">Ports: ${status.ports_up} of ${status.ports_n} up</h2>
${table(
  'Desk ports',
  [{ head: 'Port' }, { head: 'Name' }, { head: 'State' }],
  deskPorts(moment).map(({ port, name, required, up }) => [
    port,
    html`${name}${required && html` <span class="soft">required</span>`}`,
    up ? state('good', 'up') : state(required ? 'bad' : 'warn', 'down'),
  ]),
)}</section>
<section aria-labelledby="wrap"><h2 id="wrap">Wrapped processes</h2>
${pairs([
  ['User-space', antivirus.spv_pids],
  ['Wrapped', antivirus.spv_wrapped],
  ['Free', counts.free],
  ['Blind', counts.wrapBlind],
  ['Fried', counts.fried],
])}
<p><meter min="0" max="1000" value="${status.iron.PHI}" aria-label="wrapped share">${status.iron.PHI} ‰</meter> ${status.iron.PHI} ‰ are wrapped.</p></section>
<section aria-labelledby="site"><h2 id="site">Public site</h2>${site(moment)}</section>
<section id="hostess7" aria-labelledby="hostess"><h2 id="hostess">Hostess</h2>
<p>${status.hostess_charge.charge_line}</p>
<p>Charge ${status.hostess_charge.ok ? state('good', 'ok') : state('bad', 'not ok')}, score
${status.hostess_charge.war_machine.score}, ${status.hostess_charge.war_machine.grade}.
${theme === undefined && html`<a href="/hostess7.html">The whole charge report</a>`}</p></section>
</div>
<section aria-labelledby="avenues"><h2 id="avenues">Avenues</h2>${avenueTable(antivirus.avenues)}</section>
<section aria-labelledby="improve"><h2 id="improve">Improvements</h2>${improvements(status)}</section>
<section aria-labelledby="links"><h2 id="links">Links</h2>
${pairs(Object.entries(status.nav).map(([name, target]) => [name.replaceAll('_', ' '), link(target)] as const))}</section>`;
  return page(
    {
      title: `Desk ${status.ok ? 'ok' : 'not ok'}, ${status.grade}`,
      path: '/',
      nav: theme === undefined ? OFFICE_NAV : [],
      foot: `Generation ${moment.snapshot.generation}, swept in ${moment.snapshot.sweepUs} µs.`,
      ...(theme && { theme }),
    },
    content,
  );
}
