/** B9: thousands of processes that fail a check (a program in the folder for temporary files), and a few forks. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../../test/real/running.ts';
import { startChurn } from '../churn.ts';
import { compiled } from '../compiled.ts';
import { startFarm } from '../farm/farm.ts';
import { settled } from '../group.ts';
import { startBuilt } from '../service.ts';
import type { Bench } from './plan.ts';
import { spanOf } from './span.ts';

const FORKS = 24;

interface Found {
  readonly members: { readonly count: number };
  readonly subject: { readonly executable?: string };
}

export async function failing(bench: Bench): Promise<void> {
  const { groups, spans, sheet, facts, rounds, options } = bench;
  const folder = mkdtempSync(join(tmpdir(), 'desk-failing-'));
  try {
    const program = join(folder, 'failing');
    copyFileSync(compiled('farm/farm.cc'), program);
    for (let round = 0; round < rounds; round += 1) {
      await using service = await startBuilt('');
      // What fails when it learns is learned: they start afterwards.
      await settled(groups, service.pid, spans.settle);
      await using _farm = await startFarm(
        { processes: spans.failing, listeners: 0, established: 0 },
        { program },
      );
      await settled(groups, service.pid, spans.settle);
      const span = await spanOf(bench, service, spans.load, () => startChurn({ forks: FORKS }));
      const { findings } = (await ask(service.home.ports.control, '/detection')).json as {
        findings: readonly Found[];
      };
      const own = findings.filter(({ subject }) => subject.executable === program);
      facts['failing processes found'] = Math.max(0, ...own.map(({ members }) => members.count));
      facts['their findings'] = own.length;
      sheet.put(
        {
          name: 'B9 failing processes',
          a: `${spans.failing} more processes that fail a check, ${FORKS} forks per second: CPU of the group`,
          unit: '% of a core',
          goals: options.smoke ? [] : [{ of: 'value', atMost: 5 }],
        },
        span.percent,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
