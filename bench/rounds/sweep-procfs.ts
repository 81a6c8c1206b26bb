/** `PASSES WARM-UP [walk]`: the procfs sweep, one shard, without the pool; `walk`: descriptor tables too. */
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { tell, timed } from './round.ts';

await tell(async () => {
  const [passes, warmUp] = process.argv.slice(2, 4).map(Number) as [number, number];
  const walk = process.argv[4] === 'walk';
  const { addon, columns, has, sweepProcfs } = parts();
  if (walk && has('ownersWalk')) throw new CannotRun('the sweep of this build walks no descriptor tables');
  // A socket inode that nobody has makes the sweep walk every table.
  columns.listeners.inode[0] = 0xffff_fffe;
  let rows = 0;
  const us = await timed(passes, warmUp, () => {
    rows = sweepProcfs(walk);
  });
  return { us, facts: { backend: 'procfs', mark: addon.mark, rows } };
});
