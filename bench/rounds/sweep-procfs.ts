/** `PASSES WARM-UP [walk]`: the procfs sweep, one shard, without the pool; `walk`: every descriptor table behind it. */
import { parts } from './parts.ts';
import { printRound, timed } from './round.ts';

await printRound(async () => {
  const [passes, warmUp] = process.argv.slice(2, 4).map(Number) as [number, number];
  const walk = process.argv[4] === 'walk';
  const { addon, columns, root, sweepProcfs, dumpListeners } = parts();
  const { bytes, capacity } = columns;
  const listeners = walk ? dumpListeners() : 0;
  let rows = sweepProcfs();
  // A collection gives a walk the inodes to search for.
  if (walk) addon.ownersCollect(root, bytes, capacity, rows, listeners, 0, 0);
  const us = await timed(passes, warmUp, () => {
    rows = sweepProcfs();
    if (walk) addon.ownersWalk(root, bytes, capacity, rows, listeners, 0, 0, 1, true);
  });
  return { us, facts: { backend: 'procfs', mark: addon.mark, rows } };
});
