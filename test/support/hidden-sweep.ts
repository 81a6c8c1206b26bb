/** Sweeps in a separate process: `pid ROOT PASSES` or `port`. Prints the reports as a JSON array. */
import { sweepHiddenPids } from '../../src/engine/hidden-pids.ts';
import { sweepHiddenPorts } from '../../src/engine/hidden-ports.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { Pool } from '../../src/engine/pool.ts';

const [what, path = '/proc', passes = '1'] = process.argv.slice(2);
const { addon: native } = loadNative();
const pool = new Pool(2, native.mark);
const reports: unknown[] = [];
if (what === 'port') {
  reports.push(await sweepHiddenPorts({ native, pool }));
} else {
  const root = native.openRoot(path);
  if (typeof root !== 'number') throw new Error(`${path} does not open: ${root.code}`);
  for (let pass = 0; pass < Number(passes); pass += 1)
    reports.push(await sweepHiddenPids({ native, pool, root }));
}
console.log(JSON.stringify(reports));
await pool.close(1000);
