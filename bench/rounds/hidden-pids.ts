/** `PASSES WARM-UP NUMBERS FOUND`: sweeps for hidden processes over so many numbers (0: all there can be). */
import { existsSync } from 'node:fs';
import { defaultWorkers, Pool, type TaskPool } from '../../src/engine/pool.ts';
import type { NativeAddon } from '../../src/native/types.ts';
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { numbers, tell, timed } from './round.ts';

interface Sweeping {
  sweepHiddenPids(
    deps: { native: NativeAddon; pool: TaskPool; root: number },
    options: { all: boolean },
  ): Promise<{ judged: boolean; found: readonly unknown[]; blind: readonly string[] }>;
}

interface Sighted {
  hiddenPidSight(root: number): { pidMax: number };
}

await tell(async () => {
  const [passes, warmUp, space, wanted] = numbers() as [number, number, number, number];
  const module = new URL('../../src/engine/hidden-pids.ts', import.meta.url);
  if (!existsSync(module)) throw new CannotRun('this build has no sweep for hidden processes');
  const { sweepHiddenPids } = (await import(module.href)) as Sweeping;
  const { addon, root } = parts();
  const pool = new Pool(defaultWorkers(), addon.mark);
  const { hiddenPidSight } = addon as unknown as Sighted;
  // The range asked for, whatever pid_max says here.
  const native = {
    ...addon,
    hiddenPidSight: (handle: number) => ({ ...hiddenPidSight(handle), pidMax: space }),
  };
  const us = await timed(passes, warmUp, async () => {
    const deps = { native: space === 0 ? addon : native, pool, root };
    const report = await sweepHiddenPids(deps, { all: space === 0 });
    if (!report.judged) throw new CannotRun(`hidden processes cannot be judged here: ${report.blind.join()}`);
    if (report.found.length !== wanted) throw new Error(`found ${report.found.length}, not ${wanted}`);
  });
  addon.closeRoot(root);
  await pool.close(1000);
  return { us, facts: { mark: addon.mark } };
});
