import { bad, dim, good, severityPiece, strong, type Terminal } from '../../base/terminal.ts';
import type { Subject } from '../../checks/subjects.ts';
import { wholeNumber } from '../../desk/failure.ts';
import { timeSince } from '../../desk/since.ts';
import { now } from '../../engine/now.ts';
import type { FindingPast } from '../../features/history/index.ts';
import { scarsText } from '../../findings/finding.ts';
import type { Detection } from '../../records/detection.ts';
import { shutdownOf } from '../../records/shutdowns.ts';
import type { Dropped } from '../../records/state.ts';
import type { Tables } from '../../service/tables.ts';
import type { CliCommand } from '../command.ts';
import { checksText, droppedText } from './stats.ts';
import { showShutDown } from './status.ts';

function droppedOf({ findings, gateRuns, lines, residue, checks, lastAt }: Dropped): Detection['dropped'] {
  const counts = { ...findings, gate_runs: gateRuns, history_lines: lines, residue_rows: residue };
  return { ...counts, checks: [...checks], last: lastAt };
}

const DAY_MS = 86_400_000;
/** Findings that are read of a day; the store keeps no more of one severity and check than it has shares. */
const MOST_FINDINGS = 20_000;

/** What happened to one subject, however often it was opened again. */
type Past = Omit<FindingPast, 'subject'>;

/** The same for what is about the same program, endpoint or file. */
function subjectKey({ check, severity, subject }: FindingPast): string {
  const about = JSON.parse(subject) as Subject;
  const who =
    about.kind === 'process'
      ? [about.identity, about.uid]
      : about.kind === 'listener'
        ? [about.protocol, about.address, about.port]
        : about;
  return JSON.stringify([check, severity, who]);
}

/** The newest first; the newest finding of a subject represents it. */
export function bySubject(stored: readonly FindingPast[]): readonly Past[] {
  const found = new Map<string, Past>();
  for (const one of stored) {
    const { subject: _subject, ...past } = one;
    const key = subjectKey(one);
    const newer = found.get(key);
    if (newer === undefined) found.set(key, past);
    else
      found.set(key, {
        ...newer,
        state: newer.state === 'open' ? 'open' : past.state,
        first: past.first < newer.first ? past.first : newer.first,
        opened: newer.opened + past.opened,
        closed: newer.closed + past.closed,
      });
  }
  return [...found.values()];
}

/** `open, opened 3 times`. */
const happened = ({ state, opened }: Past): string =>
  opened > 1 ? `${state}, opened ${opened} times` : state;

export const history: CliCommand = {
  name: 'history',
  summary: 'Shows the last gate runs, and what happened to findings by subject, from the store',
  options: [
    {
      flags: '--limit <n>',
      meaning: 'how many of each, 1 to 1000; by default 20 runs (1000 with --since) and 200 subjects',
    },
    {
      flags: '--since <time>',
      meaning:
        'only what happened since then: today, yesterday, 2h, or a date and time; findings: 24h by default',
    },
  ],
  examples: [
    ['desk history --limit 5', 'the last five of each'],
    ['desk history --since yesterday', 'what happened yesterday and today'],
  ],
  async run({ answer, withStore }, { options: { limit, since } }) {
    const count = wholeNumber('--limit', limit ?? (since === undefined ? 20 : 1000), 1, 1000);
    const subjects = Number(limit ?? 200);
    const sinceMs = typeof since === 'string' ? timeSince(since) : Number.NEGATIVE_INFINITY;
    const findingsMs = since === undefined ? Date.now() - DAY_MS : sinceMs;
    const record = await withStore((tables) => historyOf(tables, count, sinceMs, findingsMs));
    const period = since === undefined ? 'of the last 24 hours' : `since ${String(since)}`;
    return answer(record, (out) => show(out, record, subjects, period));
  },
};

function historyOf(
  { findings, gate, shutdowns }: Tables,
  count: number,
  sinceMs: number,
  findingsMs: number,
) {
  const recent = ({ at }: { readonly at: string }): boolean => Date.parse(at) >= sinceMs;
  const runs = gate.list(count).filter(recent);
  return {
    gate_runs: runs.map(({ scarCount, ...run }) => ({ ...run, scar_count: scarCount })),
    events: findings.events(count).filter(recent),
    findings: bySubject(findings.since(Math.floor(findingsMs / 1000), MOST_FINDINGS)),
    shut_down: shutdowns.list(count).map(shutdownOf),
    dropped: droppedOf(findings.dropped()),
  };
}

function show(
  out: Terminal,
  { gate_runs, findings, shut_down, dropped }: ReturnType<typeof historyOf>,
  subjects: number,
  period: string,
): void {
  out.line(
    strong('Gate runs'),
    dim(
      gate_runs.length === 0
        ? '  none yet'
        : '  with their scars: findings of medium or above that nothing explains',
    ),
  );
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }, { title: '', align: 'right' }, { title: '' }],
    gate_runs.map(({ at, mode, state, scar_count, steps }) => [
      at,
      mode,
      state === 'pass' ? good(state) : bad(state),
      scarsText(scar_count),
      dim(`${steps.reduce((sum, { ms }) => sum + ms, 0)} ms`),
    ]),
  );
  out.line(
    strong(`Findings ${period}`),
    dim(findings.length === 0 ? '  none' : `  ${findings.length} subjects`),
  );
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }, { title: '' }, { title: '', shrink: 'start' }],
    findings
      .slice(0, subjects)
      .map((one) => [one.last, severityPiece(one.severity), happened(one), dim(one.finding), one.summary]),
  );
  if (findings.length > subjects)
    out.line(dim(`  and ${findings.length - subjects} more: desk history --limit 1000`));
  if (shut_down.length > 0) out.line(strong('Banned listeners that are down'));
  showShutDown(out, shut_down, now());
  if (dropped.last !== '') out.line(strong('No longer kept'), `  ${droppedText(dropped)}`);
  if (dropped.checks.length > 0) out.line(dim('  by check'), `  ${checksText(dropped)}`);
}
