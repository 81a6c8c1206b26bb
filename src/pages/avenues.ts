/** Parts that several pages show: avenues, findings, ports. */
import type { Finding, Severity } from '../checks/judgement.ts';
import { type Html, html } from './html.ts';
import { state, table } from './layout.ts';

interface ShownAvenue {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly detail: string;
}

export const avenueTable = (avenues: readonly ShownAvenue[]): Html =>
  table(
    'The six avenues of checks',
    [{ head: 'Avenue' }, { head: 'State' }, { head: 'Why' }],
    avenues.map(({ id, name, open, detail }) => [
      html`${name} <code>${id}</code>`,
      open ? state('warn', 'open') : state('good', 'closed'),
      detail,
    ]),
  );

const RANK: Readonly<Record<Severity, number>> = { critical: 3, high: 2, medium: 1, low: 0 };
const tone = (severity: Severity) => (severity === 'low' ? 'warn' : 'bad');
/** Findings shown on one page. */
const SHOWN = 20;

/** The most severe findings first, the newest of equals. */
export function findingTable(findings: readonly Finding[]): Html {
  if (findings.length === 0) return html`<p>${state('good', 'none')} No check has failed.</p>`;
  const sorted = [...findings].sort(
    (a, b) =>
      RANK[b.severity] - RANK[a.severity] ||
      b.firstSeen.localeCompare(a.firstSeen) ||
      a.id.localeCompare(b.id),
  );
  const more = sorted.length - SHOWN;
  return html`${table(
    'Open findings, most severe first',
    [{ head: 'What' }, { head: 'Severity' }, { head: 'What to do' }, { head: 'Since' }],
    sorted
      .slice(0, SHOWN)
      .map(({ id, summary, severity, scar, remedy, benign, firstSeen }) => [
        html`${summary}<br><a href="/findings/${id}"><code>${id}</code></a>${scar ? ' scar' : ''}`,
        state(tone(severity), severity),
        html`${remedy === '' ? 'Nothing is known to do.' : remedy}${benign !== '' && html`<br><span class="soft">It may be benign: ${benign}</span>`}`,
        html`<time datetime="${firstSeen}">${firstSeen.slice(0, 19)}</time>`,
      ]),
  )}${more > 0 && html`<p>And ${more} more in <a href="/detection">/detection</a>.</p>`}`;
}
