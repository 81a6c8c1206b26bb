/** One round of the sweep, in a process of its own: `PASSES WALK`. Prints the µs of each pass as a JSON array. */
import { allocate, columnsOver } from '../../src/native/columns.ts';
import { loadNative } from '../../src/native/load.ts';

const [passes, walk] = process.argv.slice(2).map(Number);
const { addon } = loadNative();
const capacity = { processes: 65_536, sockets: 1, holders: 1024, text: 8 << 20 };
const layout = addon.layout(capacity);
const columns = columnsOver(allocate(layout), layout, capacity);
// A socket inode that nobody has makes the sweep walk every descriptor table.
columns.listeners.inode[0] = 0xffff_fffe;
const root = addon.openRoot('/proc');
if (typeof root !== 'number') throw new Error(`/proc does not open: ${root.code}`);

const times: number[] = [];
for (let i = 0; i < (passes as number); i++) {
  const started = process.hrtime.bigint();
  const count = addon.listProcesses(root, columns.bytes, capacity);
  if (typeof count !== 'number' || count > capacity.processes) throw new Error('listing failed');
  const result = addon.sweepShard(root, columns.bytes, capacity, count, 0, 1);
  if (walk === 1) {
    addon.ownersCollect(root, columns.bytes, capacity, count, 1, 0, i);
    addon.ownersWalk(root, columns.bytes, capacity, count, 1, 0, 0, 1, true);
  }
  times.push(Number(process.hrtime.bigint() - started) / 1000);
  if (result.overflow) throw new Error('the columns are too small');
}
addon.closeRoot(root);
console.log(JSON.stringify(times));
