/** `PASSES WARM-UP NUMBERS FOUND`: scheduled scans for hidden processes, over this many pids (0: all possible ones). */

import { chooseBackend } from '../../src/engine/native/backend.ts';
import { isRefusal, type NativeAddon } from '../../src/engine/native/types.ts';
import { defaultWorkers, Pool } from '../../src/engine/pool.ts';
import { EngineScans } from '../../src/engine/scheduled-scans.ts';
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { numbers, printRound, timed } from './round.ts';

await printRound(async () => {
  const [passes, warmUp, space, wanted] = numbers() as [number, number, number, number];
  const { addon, root } = parts();
  addon.closeRoot(root);
  const pool = new Pool(defaultWorkers(), addon.mark);
  // The requested range, regardless of pid_max.
  const native: NativeAddon = {
    ...addon,
    hiddenPidSight: (handle) => ({ ...addon.hiddenPidSight(handle), pidMax: space }),
  };
  const { backend } = chooseBackend(addon);
  const scans = new EngineScans({ native: space === 0 ? addon : native, pool, backend });
  let probed = 0;
  const us = await timed(passes, warmUp, async () => {
    const report = await scans.hiddenPids({ all: space === 0 });
    if (isRefusal(report)) throw new CannotRun(`/proc cannot be opened (${report.code})`);
    if (!report.judged) throw new CannotRun(`hidden processes cannot be judged here: ${report.blind.join()}`);
    if (report.found.length !== wanted) throw new Error(`found ${report.found.length}, not ${wanted}`);
    probed = report.counts.probed;
  });
  scans.close();
  await pool.close(1000);
  return { us, facts: { mark: addon.mark, backend, workers: pool.workers, probed } };
});
