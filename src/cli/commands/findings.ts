import type { Detection } from '../../records/detection.ts';
import type { FindingDetail } from '../../records/finding.ts';
import type { Command } from '../command.ts';
import { type ExitCode, exit } from '../failure.ts';
import { bad, dim, good, type Piece, strong, type Terminal, warn } from '../terminal.ts';

type Finding = FindingDetail['finding'];

export const findings: Command = {
  name: 'findings',
  summary: 'Lists findings and what could not be seen, or shows one with its history',
  arguments: [{ name: 'id', meaning: 'a finding, by its id', optional: true }],
  options: [
    { flags: '--avenue <id>', meaning: 'only this avenue' },
    { flags: '--severity <severity>', meaning: 'only low, medium, high or critical' },
    { flags: '--since <time>', meaning: 'only those seen since this RFC 3339 time' },
  ],
  local: true,
  examples: [
    ['desk findings', 'everything that is open'],
    ['desk findings --severity high', 'only the grave ones'],
    ['desk findings 3f9c1a2b4d5e6f70', 'one finding, its evidence and history'],
  ],
  async run(context, { arguments: { id }, options }) {
    if (id !== undefined) return one(context, id);
    const query = new URLSearchParams();
    for (const key of ['avenue', 'severity', 'since']) {
      const value = options[key];
      if (typeof value === 'string') query.set(key, value);
    }
    const path = query.size > 0 ? `/detection?${query}` : '/detection';
    const record = await context.withSource((source) => source.ask<Detection>('GET', path));
    if (context.json) context.out.json(record);
    else list(context.out, record);
    return record.findings.length > 0 ? exit.findings : exit.ok;
  },
};

export const severityPiece = (severity: Finding['severity']): Piece =>
  severity === 'low' ? dim(severity) : severity === 'medium' ? warn(severity) : bad(severity);

export function list(out: Terminal, { findings: found, notes, counts, excused }: Detection): void {
  if (found.length === 0)
    out.line(good('No findings.'), dim(` ${counts.pass} pairs passed, ${counts.blind} blind.`));
  else
    out.table(
      [{ title: 'id' }, { title: 'severity' }, { title: 'check' }, { title: 'summary', shrink: 'start' }],
      found.map(({ id, severity, check, summary }) => [id, severityPiece(severity), check, summary]),
    );
  if (excused.length > 0) showExcused(out, excused);
  if (notes.length === 0) return;
  out.line();
  out.line(strong('Not seen'), dim(' (blind is never clean)'));
  out.table(
    [
      { title: 'check' },
      { title: 'subjects', align: 'right' },
      { title: 'reason', shrink: 'start' },
      { title: 'cure', shrink: 'start' },
    ],
    notes.map(({ check, subjects, reason, cure }) => [check, subjects, reason, cure]),
  );
}

/** Fails that count as passed, alike ones in one row. */
function showExcused(out: Terminal, excused: Detection['excused']): void {
  const rows = new Map<string, { readonly first: Detection['excused'][number]; times: number }>();
  for (const one of excused) {
    const key = JSON.stringify([one.check, one.source, one.name, one.why, whoOf(one.subject)]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { first: one, times: 1 });
    else row.times++;
  }
  out.line();
  out.line(strong('Explained'), dim(' (counted as passed)'));
  out.table(
    [
      { title: 'check' },
      { title: 'times', align: 'right' },
      { title: 'subject', shrink: 'start' },
      { title: 'excused by' },
      { title: 'why', shrink: 'start' },
    ],
    [...rows.values()].map(({ first: { check, subject, source, name, why }, times }) => [
      check,
      times,
      whoOf(subject),
      name === '' ? source : `${source} ${name}`,
      why,
    ]),
  );
}

/** The subject without what differs from one start of a program to the next. */
const whoOf = (subject: Finding['subject']): string =>
  subject.kind === 'process' ? subject.identity : subjectText(subject);

async function one({ withSource, out, json }: Parameters<Command['run']>[0], id: string): Promise<ExitCode> {
  const record = await withSource((source) =>
    source.ask<FindingDetail>('GET', `/findings/${encodeURIComponent(id)}`),
  );
  if (json) out.json(record);
  else detail(out, record);
  return exit.findings;
}

/** What a finding is about, in a few words. */
export function subjectText(subject: Finding['subject']): string {
  switch (subject.kind) {
    case 'process':
      return `process ${subject.pid} (${subject.comm}) ${subject.executable}`;
    case 'listener':
      return `${subject.protocol} listener ${subject.address} port ${subject.port}`;
    case 'file':
      return `file ${subject.path}`;
    case 'host':
      return `host ${subject.name}`;
    case 'desk':
      return 'the desk itself';
  }
}

function detail(out: Terminal, { finding, history }: FindingDetail): void {
  out.line(
    strong(finding.id),
    '  ',
    severityPiece(finding.severity),
    `  ${finding.check}`,
    dim(`  in ${finding.avenue}`),
  );
  out.wrapped('  ', finding.summary);
  out.line();
  const row = (name: string, text: string): void => {
    if (text !== '') out.wrapped(dim(`  ${name.padEnd(12)}`), text);
  };
  row('subject', subjectText(finding.subject));
  if (finding.subject.kind === 'process') row('identity', finding.subject.identity);
  for (const [key, value] of Object.entries(finding.evidence)) row(key, String(value));
  row('class', finding.evidence_class);
  row('first seen', finding.first_seen);
  row('last seen', finding.last_seen);
  row('benign when', finding.benign);
  row('what to do', finding.remedy);
  row('scar', finding.scar ? 'yes' : 'no');
  if (history.length > 0) out.line();
  for (const { at, event } of history) out.line(dim(`  ${at}  `), event);
}
