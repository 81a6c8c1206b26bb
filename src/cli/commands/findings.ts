import { hostname } from 'node:os';
import { dim, good, severityPiece, strong, type Terminal, warn } from '../../base/terminal.ts';
import { VERSION } from '../../base/version.ts';
import { AVENUE_IDS } from '../../checks/check.ts';
import { exit, superfluous } from '../../desk/failure.ts';
import { timeSince } from '../../desk/since.ts';
import * as operations from '../../operations/findings.ts';
import { SEVERITIES } from '../../policy/severity.ts';
import { startText } from '../../records/about.ts';
import type { Detection } from '../../records/detection.ts';
import type { FindingDetail } from '../../records/finding-detail.ts';
import { aboutRows, alike, membersText, startupRows, subjectText } from '../../records/finding-words.ts';
import { ocsfEvent } from '../../records/ocsf.ts';
import type { CliCommand } from '../command.ts';

type Finding = FindingDetail['finding'];

export const findings: CliCommand = {
  name: 'findings',
  summary: 'Lists findings and what could not be seen, or shows one with its history',
  arguments: [{ name: 'id', meaning: 'a finding, by its id', optional: true }],
  options: [
    { flags: '--avenue <id>', meaning: 'only this avenue (family of checks)', choices: AVENUE_IDS },
    { flags: '--severity <severity>', meaning: 'only of this severity', choices: SEVERITIES },
    {
      flags: '--since <time>',
      meaning: 'only those first seen since then: today, yesterday, 2h, or a date and time',
    },
    { flags: '--ocsf', meaning: 'prints each as an OCSF Detection Finding, one JSON object per line' },
  ],
  local: true,
  examples: [
    ['desk findings', 'everything that is open'],
    ['desk findings --severity high', 'only those of severity high'],
    ['desk findings --ocsf', 'open findings for a SIEM'],
    ['desk findings 3f9c1a2b4d5e6f70', 'one finding, its evidence and history'],
  ],
  async run(context, { arguments: { id }, options }) {
    const filter: Record<string, string> = {};
    for (const key of ['avenue', 'severity', 'since']) {
      const value = options[key];
      if (typeof value !== 'string') continue;
      if (id !== undefined) throw superfluous(`--${key}`, 'findings ID');
      filter[key] = key === 'since' ? new Date(timeSince(value)).toISOString() : value;
    }
    if (id !== undefined) {
      if (options.ocsf === true) throw superfluous('--ocsf', 'findings ID');
      const record = await context.withSource((source) => source.ask(operations.finding, { id }));
      return context.answer(record, detail, !record.open);
    }
    const record = await context.withSource((source) => source.ask(operations.detection, filter));
    if (options.ocsf === true) {
      const origin = { hostname: hostname(), version: VERSION, nowMs: Date.now() };
      for (const one of record.findings) context.out.json(ocsfEvent(one, origin));
      return record.findings.length === 0 && record.verdict.covered ? exit.ok : exit.findings;
    }
    const print = (out: Terminal): void => {
      list(out, record, Object.keys(filter).length > 0);
      const avenue = record.avenues.find(({ id, open }) => id === options.avenue && open);
      if (record.findings.length === 0 && avenue !== undefined)
        out.line(dim('  The avenue is open because of other evidence: '), avenue.detail);
    };
    return context.answer(record, print, record.findings.length === 0 && record.verdict.covered);
  },
};

const andMore = (count: number): string =>
  count > 0 ? ` (and ${count} more ${count === 1 ? 'process' : 'processes'})` : '';

/** `filtered`: others than the findings shown may be open. */
export function list(
  out: Terminal,
  { verdict, findings: found, notes, counts, excused }: Detection,
  filtered = false,
): void {
  const none = verdict.covered ? good : warn;
  if (found.length === 0 && filtered)
    out.line('No such findings', counts.fail > 0 ? warn('; others are open, see desk findings') : '.');
  else if (found.length === 0)
    out.line(none('No findings.'), dim(` ${counts.pass} pairs passed, ${counts.blind} blind.`));
  if (found.length === 0 && !verdict.covered) out.wrapped('', `${verdict.headline}.`);
  for (const [first, ...more] of alike(found, ({ severity, check }) => `${severity} ${check}`)) {
    out.line('  ', severityPiece(first.severity), `  ${first.check}`);
    for (const { id, title, members } of [first, ...more])
      out.wrapped(dim(`    ${id}  `), title + andMore(members.count - 1));
  }
  if (excused.length > 0) showExcused(out, excused);
  if (notes.length > 0) showNotes(out, notes);
}

/** Fails that count as passed, alike ones in one row. */
function showExcused(out: Terminal, excused: Detection['excused']): void {
  out.line();
  out.line(strong('Explained'), dim(' (counted as passed)'));
  out.table(
    [
      { title: 'check' },
      { title: 'times', align: 'right' },
      { title: 'subject', shrink: 'end' },
      { title: 'excused by' },
      { title: 'why', shrink: 'start' },
    ],
    alike(excused, ({ check, source, name, why }) => JSON.stringify([check, source, name, why])).map(
      (all) => {
        const [{ check, subject, source, name, why }] = all;
        const subjects = new Set(all.map((one) => whoOf(one.subject))).size;
        const who = subjects === 1 ? whoOf(subject) : `${subjects} subjects`;
        return [check, all.length, who, name === '' ? source : `${source} ${name}`, why];
      },
    ),
  );
}

/** What could not be seen, and what would cure that; the checks that one reason blinds together. */
function showNotes(out: Terminal, notes: Detection['notes']): void {
  out.line();
  out.line(strong('Not seen'), dim(' (blind is never clean)'));
  for (const same of alike(notes, ({ reason, cure }) => JSON.stringify([reason, cure]))) {
    const [{ reason, cure }] = same;
    out.wrapped('  ', reason);
    if (cure !== '') out.wrapped(dim('    what to do  '), cure);
    const blinded = same.map(({ check, subjects }) => (subjects === 1 ? check : `${check} (${subjects})`));
    out.wrapped(dim('    checks      '), blinded.join(', '));
  }
}

/** The subject without what differs from one start of a program to the next. */
const whoOf = (subject: Finding['subject']): string =>
  subject.kind === 'process' ? subject.identity : subjectText(subject);

export function detail(out: Terminal, { finding, open, history, accept, startup }: FindingDetail): void {
  out.line(
    strong(finding.id),
    '  ',
    severityPiece(finding.severity),
    `  ${finding.check}`,
    dim(`  in the avenue ${finding.avenue}`),
    open ? '' : good('  closed'),
  );
  out.wrapped('  ', finding.title);
  const { about } = finding;
  const start = about === null ? '' : startText(about, finding.last_seen);
  if (start !== '') out.wrapped(dim('  '), start);
  out.line();
  const { subject, members, evidence, evidence_class } = finding;
  const shown = new Set([...(subject.kind === 'process' ? [subject.executable] : []), '']);
  const rows: (readonly [name: string, text: string])[] = [['subject', subjectText(subject)]];
  if (members.count > 1) rows.push(['processes', membersText(members)]);
  // What is shown already is not repeated.
  const add = (name: string, text: string): void => {
    if (!shown.has(text)) rows.push([name, text]);
  };
  if (subject.kind === 'process') add('identity', subject.identity);
  if (about !== null) for (const [name, text] of aboutRows(about)) add(name, text);
  rows.push(...startupRows(startup));
  for (const [key, value] of Object.entries(evidence)) rows.push([key.replaceAll('_', ' '), String(value)]);
  rows.push(
    // Shown even where it repeats a line above: an exception of the law names it.
    ['class', evidence_class],
    ['first seen', finding.first_seen],
    ['last seen', finding.last_seen],
    ['scar', open ? (finding.scar ? 'yes: it counts against the gate, so nothing is learned' : 'no') : ''],
    ['may be benign', finding.benign],
    ['what to do', finding.remedy],
    ['accepting covers', open ? accept.covers.map(({ key, value }) => `${key} ${value}`).join(', ') : ''],
    ['its id', open && accept.covers.length > 0 ? accept.id : ''],
  );
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  for (const [name, text] of rows) if (text !== '') out.wrapped(dim(`  ${name.padEnd(width)}`), text);
  if (history.length > 0) out.line();
  for (const { at, event } of history) out.line(dim(`  ${at}  `), event);
}
