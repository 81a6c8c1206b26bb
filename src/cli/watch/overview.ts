/** The first view: why the verdict is what it is, the worst findings, what could not be seen, and the ports. Pure. */
import { plural } from '../../base/plural.ts';
import {
  bad,
  cells,
  dim,
  escapeTerminal,
  fit,
  good,
  type Line,
  LineBuffer,
  type Piece,
  strong,
  warn,
} from '../../base/terminal.ts';
import { alike } from '../../records/finding-words.ts';
import type { Page } from '../../records/page.ts';
import { severityStyle } from './sheets.ts';

const MOST_ISSUES = 3;
const MOST_FINDINGS = 5;
const MOST_NOTES = 3;
/** Columns of the names of the last lines. */
const LABEL = 9;

export function overviewLines(page: Page, width: number): readonly Line[] {
  const out = new LineBuffer(width);
  const { headline } = page.verdict;
  // The first line of the screen is one line.
  if (cells(headline) > width) {
    out.wrapped('', headline);
    out.line();
  }
  findings(out, page, width);
  const others = issuesBesides(page);
  for (const issue of others.slice(0, MOST_ISSUES))
    out.line(bad('! '), fit(escapeTerminal(issue), width - 2));
  if (others.length > MOST_ISSUES) out.line(dim(`  and ${others.length - MOST_ISSUES} more: desk status`));
  out.line();
  notSeen(out, page, width);
  out.line();
  ports(out, page, width);
  counts(out, page, width);
  return out.lines;
}

/** What is wrong besides findings: each scar is an issue too. */
const issuesBesides = ({ status, findings }: Page): readonly string[] =>
  status.issues.filter(
    (issue) => !findings.some(({ summary, title }) => issue.includes(summary) || issue.includes(title)),
  );

function counts(out: LineBuffer, { processes, listeners, status, recheck, gate }: Page, width: number): void {
  const { all, wrapped, blind, fried } = processes;
  const { check } = status.hostess_charge;
  const judged = check.mega_N - check.pass - check.fail;
  const row = (name: string, text: string): void =>
    out.line(dim(name.padEnd(LABEL)), fit(text, width - LABEL));
  row(
    'Machine',
    `${all} processes, ${wrapped} confined, ${blind} not readable, ${fried} zombies; ${plural(listeners, 'listener')}`,
  );
  row(
    'Checks',
    `${check.pass} passed, ${check.fail} failed, ${judged} blind in ${(recheck.last_us / 1000).toFixed(1)} ms; gate ${gate.state}`,
  );
}

function findings(out: LineBuffer, page: Page, width: number): void {
  const { findings: found, findings_total: total, verdict } = page;
  if (total === 0) {
    out.line(verdict.covered ? good('No findings.') : warn('No findings in what could be seen.'));
    return;
  }
  out.line(strong(plural(total, 'open finding')), dim('  2 lists them'));
  for (const { severity, title, members } of found.slice(0, MOST_FINDINGS)) {
    const lead: Piece = { text: `${severity.padEnd(8)}  `, style: severityStyle(severity) };
    const more = members.count > 1 ? ` (and ${members.count - 1} more)` : '';
    out.line(lead, fit(escapeTerminal(title + more), width - cells(lead.text)));
  }
  if (total > MOST_FINDINGS) out.line(dim(`and ${total - Math.min(found.length, MOST_FINDINGS)} more`));
}

function notSeen(out: LineBuffer, { notes, notes_total: total, blind }: Page, width: number): void {
  if (total === 0) {
    out.line(good('Everything could be read.'));
    return;
  }
  out.line(warn('Not seen'), dim(`  ${blind} checks of a subject could not be made: desk findings`));
  const reasons = alike(notes, ({ reason }) => reason);
  for (const [{ reason, check }, ...rest] of reasons.slice(0, MOST_NOTES)) {
    const checks = `${check}${rest.length > 0 ? ` and ${rest.length} more` : ''}: `;
    out.line('  ', dim(checks), fit(escapeTerminal(reason), width - 2 - cells(checks)));
  }
  const left = reasons.length - MOST_NOTES;
  // Only so many notes are in the answer.
  if (left > 0 || notes.length < total)
    out.line(
      dim(
        `  and ${left > 0 ? plural(left, 'more reason') : ''}${notes.length < total ? ` in ${total - notes.length} notes that are not here` : ''}`,
      ),
    );
}

function ports(out: LineBuffer, { ports: all, banned, status }: Page, width: number): void {
  const up = all.filter((one) => one.up).map(({ port, name }) => `${port} ${name}`);
  const text = `${status.ports_up} of ${status.ports_n} up${up.length > 0 ? `: ${up.join(', ')}` : ''}`;
  out.line(dim('Ports'.padEnd(LABEL)), fit(escapeTerminal(text), width - LABEL));
  for (const { port, name, required, known, reason } of all.filter((one) => !one.up)) {
    const state = `${port} ${name} ${known ? 'down' : 'not known'}${reason === '' ? '' : `: ${reason}`}`;
    const lead = known ? (required ? bad('! ') : dim('- ')) : warn('? ');
    out.line(lead, fit(escapeTerminal(state), width - 2));
  }
  for (const { port, state } of [banned, ...banned.also])
    if (state !== 'inactive')
      out.line(bad('! '), `banned port ${port} ${state === 'active' ? 'is up' : 'could not be read'}`);
  for (const pending of banned.pending) out.line(bad('! '), fit(escapeTerminal(pending), width - 2));
}
