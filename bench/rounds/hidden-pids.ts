/** `PASSES WARM-UP NUMBERS FOUND`: sweeps for hidden processes over so many numbers (0: all there can be). */
import { sweepHiddenPids } from '../../src/engine/hidden-pids.ts';
import { defaultWorkers, Pool } from '../../src/engine/pool.ts';
import type { NativeAddon } from '../../src/native/types.ts';
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { numbers, tell, timed } from './round.ts';

await tell(async () => {
  const [passes, warmUp, space, wanted] = numbers() as [number, number, number, number];
  const { addon, root } = parts();
  const pool = new Pool(defaultWorkers(), addon.mark);
  // The range asked for, whatever pid_max says here.
  const native: NativeAddon = {
    ...addon,
    hiddenPidSight: (handle) => ({ ...addon.hiddenPidSight(handle), pidMax: space }),
  };
  const deps = { native: space === 0 ? addon : native, pool, root };
  let probed = 0;
  const us = await timed(passes, warmUp, async () => {
    const report = await sweepHiddenPids(deps, { all: space === 0 });
    if (!report.judged) throw new CannotRun(`hidden processes cannot be judged here: ${report.blind.join()}`);
    if (report.found.length !== wanted) throw new Error(`found ${report.found.length}, not ${wanted}`);
    probed = report.counts.probed;
  });
  addon.closeRoot(root);
  await pool.close(1000);
  return { us, facts: { mark: addon.mark, workers: pool.workers, probed } };
});
