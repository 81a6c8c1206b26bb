/** One round of the sweep for hidden processes, in a process of its own: `PASSES END|all FOUND`. Prints the µs of each pass. */

import { sweepHiddenPids } from '../../src/engine/hidden-pids.ts';
import { defaultWorkers, Pool } from '../../src/engine/pool.ts';
import { loadNative } from '../../src/native/load.ts';

const [passes = '1', space = '', found = '0'] = process.argv.slice(2);
const { addon } = loadNative();
const pool = new Pool(defaultWorkers(), addon.mark);
const root = addon.openRoot('/proc');
if (typeof root !== 'number') throw new Error(`/proc does not open: ${root.code}`);
// The range asked for, whatever pid_max says here.
const native = {
  ...addon,
  hiddenPidSight: (handle: number) => ({ ...addon.hiddenPidSight(handle), pidMax: Number(space) }),
};
const all = space === 'all';
const times: number[] = [];
for (let pass = 0; pass < Number(passes); pass += 1) {
  const started = process.hrtime.bigint();
  const report = await sweepHiddenPids({ native: all ? addon : native, pool, root }, { all });
  times.push(Number(process.hrtime.bigint() - started) / 1000);
  if (!report.judged || report.found.length !== Number(found))
    throw new Error(`found ${report.found.length}, not ${found}: ${report.blind.join()}`);
}
addon.closeRoot(root);
await pool.close(1000);
console.log(JSON.stringify(times));
