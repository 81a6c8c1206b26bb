/** The tables of findings and of what starts by itself, and what tables share. Pure. */
import {
  dim,
  escapeTerminal,
  fit,
  type Line,
  LineBuffer,
  type Style,
  strong,
  warn,
} from '../../base/terminal.ts';
import { type Severity, severityRank } from '../../policy/severity.ts';
import type { Detection } from '../../records/detection.ts';
import type { StartupAnswer } from '../../records/startup.ts';
import { vouchedWords } from '../../records/startup-words.ts';
import { Sheet, type SheetColumn } from './sheet.ts';

export const severityStyle = (severity: string): Style =>
  severity === 'low' ? 'dim' : severity === 'medium' ? 'warn' : 'bad';

const severityColumn = (weight: number, of: (row: number) => string): SheetColumn => ({
  ...{ key: 'severity', head: 'Severity', weight },
  text: of,
  value: (row) => severityRank(of(row) as Severity),
  style: (row) => severityStyle(of(row)),
});

/** `11-22 09:30`. */
export const shortTime = (at: string): string => at.slice(5, 16).replace('T', ' ');

/** Names and values below each other. */
export function fieldLines(rows: readonly (readonly [name: string, text: string])[], width: number): Line[] {
  const out = new LineBuffer(width);
  const widest = Math.max(...rows.map(([name]) => name.length)) + 2;
  for (const [name, text] of rows) if (text !== '') out.wrapped(dim(`  ${name.padEnd(widest)}`), text);
  return out.lines;
}

/** What has to be known to read a table, one line each. */
export const remarkLines = (remarks: readonly string[], width: number): readonly Line[] =>
  remarks.map((remark) => [warn('! '), fit(escapeTerminal(remark), width - 2)]);

export function findingSheet({ findings, notes }: Detection): Sheet {
  const of = (row: number) => findings[row] as Detection['findings'][number];
  return new Sheet({
    noun: ['open finding', 'open findings'],
    count: findings.length,
    columns: [
      severityColumn(9, (row) => of(row).severity),
      {
        key: 'since',
        head: 'Since',
        weight: 4,
        text: (row) => shortTime(of(row).first_seen),
        value: (row) => of(row).first_seen,
      },
      { key: 'check', head: 'Check', weight: 6, shrink: 'start', text: (row) => of(row).check },
      {
        key: 'processes',
        head: 'Times',
        align: 'right',
        weight: 3,
        text: (row) => String(of(row).members.count),
        value: (row) => of(row).members.count,
      },
      { key: 'title', head: 'What', weight: 8, shrink: 'start', least: 40, text: (row) => of(row).title },
    ],
    order: { key: 'severity', descending: true },
    identity: (row) => of(row).id,
    detail: null,
    remarks: notes.length > 0 ? ['not everything could be read: Overview says what'] : [],
  });
}

export function startupSheet(answer: StartupAnswer): Sheet {
  const { entries, packaged, unread, packages, unwatched, container } = answer;
  const of = (row: number) => entries[row] as StartupAnswer['entries'][number];
  const vouched = (row: number) => vouchedWords(of(row), 'unvouched');
  return new Sheet({
    noun: ['entry that no package vouches for', 'entries that no package vouches for'],
    count: entries.length,
    columns: [
      severityColumn(8, (row) => of(row).severity),
      {
        key: 'changed',
        head: 'Changed',
        weight: 4,
        text: (row) => shortTime(of(row).changed),
        value: (row) => of(row).changed,
      },
      { key: 'user', head: 'User', weight: 5, shrink: 'start', least: 9, text: (row) => of(row).user },
      {
        key: 'vouched',
        head: 'Vouched',
        weight: 6,
        text: (row) => vouched(row).word,
        style: (row) => {
          const { tone } = vouched(row);
          return tone === 'calm' ? 'plain' : tone;
        },
      },
      { key: 'kind', head: 'Kind', weight: 3, shrink: 'start', least: 18, text: (row) => of(row).title },
      { key: 'runs', head: 'Runs', weight: 7, shrink: 'start', least: 27, text: (row) => of(row).runs },
      { key: 'path', head: 'File', weight: 2, shrink: 'end', least: 24, text: (row) => of(row).path },
    ],
    order: { key: 'severity', descending: true },
    identity: (row) => [of(row).place, of(row).path, of(row).name, of(row).runs].join(' '),
    detail: (row, width) => {
      const one = of(row);
      const { word, more } = vouched(row);
      return [
        [strong(one.title), `  ${one.path}`],
        [],
        ...fieldLines(
          [
            ['severity', one.severity],
            ['runs', one.runs],
            ['as', one.user],
            ['when', one.when],
            ['file', one.path],
            ['link to', one.link],
            ['part', one.name],
            ['vouched for', `${word} ${more}`.trim()],
            ['changed', one.changed],
            ['sha256', one.sha256],
            ['techniques', one.techniques.join(', ')],
            ...one.findings.map((id) => ['next', `desk findings ${id}`] as const),
          ],
          width,
        ),
      ];
    },
    remarks: [
      ...(packaged > 0 ? [`for ${packaged} more a package vouches: desk startup --all`] : []),
      ...(packages === '' ? [] : [`packages do not vouch for all files: ${packages}`]),
      ...(unread.length > 0
        ? [
            `not read: ${unread[0]?.path} (${unread[0]?.reason})${unread.length > 1 ? ` and ${unread.length - 1} more` : ''}`,
          ]
        : []),
      ...(unwatched === '' ? [] : [`changes are found by the scheduled scan only: ${unwatched}`]),
      ...(container === '' ? [] : [container]),
    ],
  });
}
