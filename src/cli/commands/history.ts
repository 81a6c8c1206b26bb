import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scarsText } from '../../records/derive.ts';
import type { Detection } from '../../records/detection.ts';
import type { Dropped } from '../../records/moment.ts';
import type { Command } from '../command.ts';
import { exit, Failure } from '../failure.ts';
import { timeSince } from '../since.ts';
import { bad, dim, good, strong } from '../terminal.ts';
import { checksText, droppedText } from './stats.ts';

function droppedOf({ findings, gateRuns, lines, residue, checks, lastAt }: Dropped): Detection['dropped'] {
  const counts = { ...findings, gate_runs: gateRuns, history_lines: lines, residue_rows: residue };
  return { ...counts, checks: [...checks], last: lastAt };
}

export const history: Command = {
  name: 'history',
  summary: 'Shows the last gate runs and what happened to findings, from the store',
  options: [
    { flags: '--limit <n>', meaning: 'how many of each; 20 by default, with --since 1000' },
    {
      flags: '--since <time>',
      meaning: 'only what happened since then: today, yesterday, 2h, or a date and time',
    },
  ],
  examples: [
    ['desk history --limit 5', 'the last five of each'],
    ['desk history --since yesterday', 'what happened yesterday and today'],
  ],
  async run({ out, json, stateDir }, { options: { since, limit = since === undefined ? '20' : '1000' } }) {
    const count = Number(limit);
    if (!Number.isInteger(count) || count < 1 || count > 1000)
      throw new Failure(exit.usage, `--limit ${limit} is not a whole number from 1 to 1000.`, '', '');
    const sinceMs = typeof since === 'string' ? timeSince(since) : Number.NEGATIVE_INFINITY;
    const recent = ({ at }: { readonly at: string }): boolean => Date.parse(at) >= sinceMs;
    const folder = await stateDir();
    if (!existsSync(join(folder, 'desk.db')))
      throw new Failure(
        exit.findings,
        `There is no store in ${folder}.`,
        '',
        'Start the service (desk boot), or set DESK_STATE to its state folder.',
      );
    const [{ openStateDir }, { openStore }] = await Promise.all([
      import('../../state-dir.ts'),
      import('../../store/store.ts'),
    ]);
    const store = openStore(openStateDir(folder).path, { recover: false });
    let record: {
      gate_runs: ReturnType<typeof store.gateRuns>;
      events: ReturnType<typeof store.events>;
      dropped: Detection['dropped'];
    };
    try {
      record = {
        gate_runs: store.gateRuns(count).filter(recent),
        events: store.events(count).filter(recent),
        dropped: droppedOf(store.dropped()),
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
    out.line(strong('Findings'), record.events.length === 0 ? dim('  nothing happened yet') : '');
    out.table(
      [{ title: '' }, { title: '', shrink: 'start' }, { title: '' }, { title: '', shrink: 'start' }],
      record.events.map(({ at, event, finding, summary }) => [at, event, dim(finding), summary]),
    );
    if (record.dropped.last !== '') out.line(strong('No longer kept'), `  ${droppedText(record.dropped)}`);
    if (record.dropped.checks.length > 0) out.line(dim('  by check'), `  ${checksText(record.dropped)}`);
    return exit.ok;
  },
};
