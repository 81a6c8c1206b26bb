/** B6: a whole sweep of the engine at this load; and what processes with many threads add to it. */
import { CannotRun } from '../cases/case.ts';
import { startFarm } from '../farm/farm.ts';
import { ownRound } from '../rounds.ts';
import { median } from '../stats.ts';
import { type Bench, goalAt, isOnce } from './plan.ts';

const WARM_UP = 5;
const THREADS = [10, 100];

/** ms of a sweep. */
function sweep({ options, facts }: Bench): number {
  const { us, facts: about } = ownRound('sweep-engine', [options.passes, WARM_UP]);
  facts.backend = about.backend ?? '';
  return median(us) / 1000;
}

export async function engine(bench: Bench): Promise<void> {
  const { sheet, options, spans, rounds } = bench;
  const goals = goalAt(options.processes, { 1000: 0.6, 5000: 2.5 });
  const whole = { name: 'B6 engine sweep', a: 'engine.sweep() of everything', unit: 'ms', goals };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const alone = sweep(bench);
      sheet.put(whole, alone);
      if (!isOnce(options)) continue;
      const withThreads = async (threads: number): Promise<number> => {
        const point = { processes: spans.threaded, listeners: 0, established: 0 };
        await using _farm = await startFarm(point, { threads });
        return sweep(bench);
      };
      const single = await withThreads(1);
      for (const threads of THREADS) {
        const ms = await withThreads(threads);
        const more = `${spans.threaded} more processes`;
        sheet.put(
          {
            name: `threads: sweep, ${more} with ${threads} threads`,
            a: 'engine.sweep() of everything',
            unit: 'ms',
            b: 'the same with 1 thread each',
          },
          ms,
          single,
        );
        sheet.put(
          {
            name: `threads: sweep, per process with ${threads} threads`,
            a: `engine.sweep() with ${more}, less that without, for each of them`,
            unit: 'µs',
            b: 'the same with 1 thread each',
          },
          ((ms - alone) * 1000) / spans.threaded,
          ((single - alone) * 1000) / spans.threaded,
        );
      }
    }
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    sheet.absent(whole, error.message);
  }
}
