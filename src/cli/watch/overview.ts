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

/** How many are shown where there is no room for all. */
const LEAST_ISSUES = 3;
const LEAST_FINDINGS = 5;
const LEAST_NOTES = 3;
/** Lines of one text, about: a program chooses how long its name is. */
const MOST_LINES = 3;
/** Columns of the names of the last lines. */
const LABEL = 9;

/** As much as `height` lines have room for; longer where the least of each part needs more. A line may be too long. */
export function overviewLines(page: Page, width: number, height: number): readonly Line[] {
  const out = new LineBuffer(width);
  const { headline } = page.verdict;
  // The first line of the screen is one line.
  if (cells(headline) > width) {
    out.wrapped('', headline);
    out.line();
  }
  const least = out.lines.length + Math.min(page.findings.length, LEAST_FINDINGS) + 2;
  const all = afterFindings(page, width, true);
  const after = all.length + least <= height ? all : afterFindings(page, width, false);
  findings(out, page, height - out.lines.length - after.length);
  return [...out.lines, ...after];
}

/** The worst of them, in about `height` lines. */
function findings(out: LineBuffer, page: Page, height: number): void {
  const { findings: found, findings_total: total, verdict } = page;
  if (total === 0) {
    out.line(verdict.covered ? good('No findings.') : warn('No findings in what could be seen.'));
    return;
  }
  const each = found.map(({ severity, title, members }) => ({
    lead: { text: `${severity.padEnd(8)}  `, style: severityStyle(severity) },
    text: members.count > 1 ? `${title} (and ${members.count - 1} more)` : title,
  }));
  const whole = each.map(({ lead, text }) => {
    const one = new LineBuffer(out.width);
    wrapped(one, lead, text);
    return one.lines;
  });
  // The heading, and how many are left out.
  const room = height - 2;
  let shown = 0;
  for (let used = 0; shown < whole.length; shown += 1) {
    used += (whole[shown] as readonly Line[]).length;
    if (used > room) break;
  }
  const short = shown < Math.min(LEAST_FINDINGS, each.length);
  if (short) shown = Math.min(each.length, Math.max(LEAST_FINDINGS, room));
  out.line(strong(plural(total, 'open finding')), dim('  key 2 lists them all'));
  for (const line of short
    ? each.slice(0, shown).map(({ lead, text }) => [lead, text])
    : whole.slice(0, shown).flat())
    out.line(...line);
  if (total > shown) out.line(dim(`and ${total - shown} more`));
}

function wrapped(out: LineBuffer, lead: Piece, text: string): void {
  out.wrapped(lead, fit(escapeTerminal(text), MOST_LINES * (out.width - cells(lead.text))));
}

type Text = (lead: Piece, text: string) => void;

/** `whole`: nothing is left out, and long texts have several lines. */
function afterFindings(page: Page, width: number, whole: boolean): readonly Line[] {
  const out = new LineBuffer(width);
  const text: Text = (lead, words) => (whole ? wrapped(out, lead, words) : out.line(lead, words));
  const issues = issuesBesides(page);
  const shown = whole ? issues : issues.slice(0, LEAST_ISSUES);
  for (const issue of shown) text(bad('! '), issue);
  if (issues.length > shown.length) out.line(dim(`  and ${issues.length - shown.length} more: desk status`));
  out.line();
  notSeen(out, page, whole, text);
  out.line();
  ports(page, text);
  counts(page, text);
  return out.lines;
}

/** What is wrong besides findings: each scar is an issue too. */
const issuesBesides = ({ status, findings }: Page): readonly string[] =>
  status.issues.filter(
    (issue) => !findings.some(({ summary, title }) => issue.includes(summary) || issue.includes(title)),
  );

function notSeen(
  out: LineBuffer,
  { notes, notes_total: total, blind }: Page,
  whole: boolean,
  text: Text,
): void {
  if (total === 0) {
    out.line(good('Everything could be read.'));
    return;
  }
  const missed = blind === 0 ? '' : `${plural(blind, 'check')} could not be made; `;
  out.line(warn('Not seen'), dim(`  ${missed}desk findings says what to do`));
  const reasons = alike(notes, ({ reason }) => reason);
  const shown = whole ? reasons : reasons.slice(0, LEAST_NOTES);
  for (const [{ reason, check }, ...rest] of shown)
    text(dim(`  ${check}${rest.length > 0 ? ` and ${rest.length} more` : ''}: `), reason);
  const left = reasons.length - shown.length;
  // Only so many notes are in the answer.
  const more = [
    ...(left > 0 ? [plural(left, 'more reason')] : []),
    ...(notes.length < total ? [plural(total - notes.length, 'more note')] : []),
  ];
  if (more.length > 0) out.line(dim(`  and ${more.join(' and ')}`));
}

const label = (name: string): Piece => dim(name.padEnd(LABEL));

function ports({ ports: all, banned, status }: Page, text: Text): void {
  const up = all.filter((one) => one.up).map(({ port, name }) => `${port} ${name}`);
  text(
    label('Ports'),
    `${status.ports_up} of ${status.ports_n} up${up.length > 0 ? `: ${up.join(', ')}` : ''}`,
  );
  for (const { port, name, required, known, reason } of all.filter((one) => !one.up)) {
    const state = `${port} ${name} ${known ? 'down' : 'not known'}${reason === '' ? '' : `: ${reason}`}`;
    text(known ? (required ? bad('! ') : dim('- ')) : warn('? '), state);
  }
  for (const { port, state } of [banned, ...banned.also])
    if (state !== 'inactive')
      text(bad('! '), `banned port ${port} ${state === 'active' ? 'is up' : 'could not be read'}`);
  for (const pending of banned.pending) text(bad('! '), pending);
}

function counts({ processes, listeners, status, recheck, gate }: Page, text: Text): void {
  const { all, wrapped, blind, fried } = processes;
  const { check } = status.hostess_charge;
  const unjudged = check.mega_N - check.pass - check.fail;
  text(
    label('Machine'),
    `${all} processes, ${wrapped} confined, ${blind} not readable, ${plural(fried, 'zombie')}; ${plural(listeners, 'listener')}`,
  );
  text(
    label('Checks'),
    `${check.pass} passed, ${check.fail} failed, ${unjudged} blind in ${(recheck.last_us / 1000).toFixed(1)} ms; gate ${gate.state === 'pass' ? 'open' : 'closed'}`,
  );
}
