import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { instantAt } from '../../engine/assemble.ts';
import { scarsText } from '../../records/derive.ts';
import type { Detection } from '../../records/detection.ts';
import type { Dropped } from '../../records/moment.ts';
import { shutdownOf } from '../../records/shutdowns.ts';
import { offsetTime } from '../../records/time.ts';
import type { Command } from '../command.ts';
import { exit, Failure } from '../failure.ts';
import { bad, dim, good, strong } from '../terminal.ts';
import { checksText, droppedText } from './stats.ts';
import { showShutDown } from './status.ts';

function droppedOf({ findings, gateRuns, lines, residue, checks, lastAt }: Dropped): Detection['dropped'] {
  const counts = { ...findings, gate_runs: gateRuns, history_lines: lines, residue_rows: residue };
  return { ...counts, checks: [...checks], last: lastAt };
}

export const history: Command = {
  name: 'history',
  summary: 'Shows the last gate runs and what happened to findings, from the store',
  options: [{ flags: '--limit <n>', meaning: 'how many of each, 20 by default' }],
  examples: [['desk history --limit 5', 'the last five of each']],
  async run({ out, json, stateDir }, { options: { limit = '20' } }) {
    const count = Number(limit);
    if (!Number.isInteger(count) || count < 1 || count > 1000)
      throw new Failure(exit.usage, `--limit ${limit} is no whole number from 1 to 1000.`, '', '');
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
      shut_down: ReturnType<typeof shutdownOf>[];
      dropped: Detection['dropped'];
    };
    try {
      record = {
        gate_runs: store.gateRuns(count),
        events: store.events(count),
        shut_down: store.shutdowns(count).map(shutdownOf),
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
    if (record.shut_down.length > 0) out.line(strong('Banned listeners that are down'));
    showShutDown(out, record.shut_down, offsetTime(instantAt(Date.now())));
    if (record.dropped.last !== '') out.line(strong('No longer kept'), `  ${droppedText(record.dropped)}`);
    if (record.dropped.checks.length > 0) out.line(dim('  by check'), `  ${checksText(record.dropped)}`);
    return exit.ok;
  },
};
