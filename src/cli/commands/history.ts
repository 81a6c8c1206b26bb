import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bad, dim, good, severityPiece, strong } from '../../base/terminal.ts';
import type { Subject } from '../../checks/subjects.ts';
import { instantAt } from '../../engine/assemble.ts';
import { offsetTime } from '../../engine/time.ts';
import type { FindingPast } from '../../features/history/index.ts';
import { scarsText } from '../../findings/finding.ts';
import type { Detection } from '../../records/detection.ts';
import type { Dropped } from '../../records/moment.ts';
import { shutdownOf } from '../../records/shutdowns.ts';
import type { Command } from '../command.ts';
import { exit, Failure } from '../failure.ts';
import { timeSince } from '../since.ts';
import { checksText, droppedText } from './stats.ts';
import { showShutDown } from './status.ts';

function droppedOf({ findings, gateRuns, lines, residue, checks, lastAt }: Dropped): Detection['dropped'] {
  const counts = { ...findings, gate_runs: gateRuns, history_lines: lines, residue_rows: residue };
  return { ...counts, checks: [...checks], last: lastAt };
}

const DAY_MS = 86_400_000;
/** Findings that are read of a day; the store keeps no more of one severity and check than it has shares. */
const MOST_FINDINGS = 20_000;

/** What happened to one subject, however often it came anew. */
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

/** The newest first; the newest finding of a subject stands for it. */
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

export const history: Command = {
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
  async run({ out, json, stateDir }, { options: { limit, since } }) {
    const count = Number(limit ?? (since === undefined ? 20 : 1000));
    const subjects = Number(limit ?? 200);
    if (!Number.isInteger(count) || count < 1 || count > 1000)
      throw new Failure(exit.usage, `--limit ${limit} is not a whole number from 1 to 1000.`, '', '');
    const sinceMs = typeof since === 'string' ? timeSince(since) : Number.NEGATIVE_INFINITY;
    const recent = ({ at }: { readonly at: string }): boolean => Date.parse(at) >= sinceMs;
    const findingsMs = since === undefined ? Date.now() - DAY_MS : sinceMs;
    const folder = await stateDir();
    if (!existsSync(join(folder, 'desk.db')))
      throw new Failure(
        exit.findings,
        `There is no store in ${folder}.`,
        '',
        'Start the service (desk boot), or set DESK_STATE to its state folder.',
      );
    const [{ openStateDir }, { openStore, tablesOf }] = await Promise.all([
      import('../../state-folder/state-folder.ts'),
      import('../../service/tables.ts'),
    ]);
    const store = openStore(openStateDir(folder).path, { recover: false });
    const { findings: past, gate, shutdowns } = tablesOf(store);
    let record: {
      gate_runs: ReturnType<typeof gate.list>;
      events: ReturnType<typeof past.events>;
      findings: readonly Past[];
      shut_down: ReturnType<typeof shutdownOf>[];
      dropped: Detection['dropped'];
    };
    try {
      record = {
        gate_runs: gate.list(count).filter(recent),
        events: past.events(count).filter(recent),
        findings: bySubject(past.since(Math.floor(findingsMs / 1000), MOST_FINDINGS)),
        shut_down: shutdowns.list(count).map(shutdownOf),
        dropped: droppedOf(past.dropped()),
      };
    } finally {
      store.close();
    }
    if (json) {
      const gate_runs = record.gate_runs.map(({ scarCount, ...run }) => ({ ...run, scar_count: scarCount }));
      out.json({ ...record, gate_runs });
      return exit.ok;
    }
    out.line(strong('Gate runs'), record.gate_runs.length === 0 ? dim('  none yet') : '');
    out.table(
      [{ title: '' }, { title: '' }, { title: '' }, { title: '', align: 'right' }, { title: '' }],
      record.gate_runs.map(({ at, mode, state, scarCount, steps }) => [
        at,
        mode,
        state === 'pass' ? good(state) : bad(state),
        scarsText(scarCount),
        dim(`${steps.reduce((sum, { ms }) => sum + ms, 0)} ms`),
      ]),
    );
    const { findings } = record;
    out.line(
      strong(since === undefined ? 'Findings of the last 24 hours' : `Findings since ${String(since)}`),
      findings.length === 0 ? dim('  nothing happened') : dim(`  ${findings.length} subjects`),
    );
    out.table(
      [{ title: '' }, { title: '' }, { title: '' }, { title: '' }, { title: '', shrink: 'start' }],
      findings
        .slice(0, subjects)
        .map((one) => [one.last, severityPiece(one.severity), happened(one), dim(one.finding), one.summary]),
    );
    if (findings.length > subjects)
      out.line(dim(`  and ${findings.length - subjects} more: desk history --limit 1000`));
    if (record.shut_down.length > 0) out.line(strong('Banned listeners that are down'));
    showShutDown(out, record.shut_down, offsetTime(instantAt(Date.now())));
    if (record.dropped.last !== '') out.line(strong('No longer kept'), `  ${droppedText(record.dropped)}`);
    if (record.dropped.checks.length > 0) out.line(dim('  by check'), `  ${checksText(record.dropped)}`);
    return exit.ok;
  },
};
