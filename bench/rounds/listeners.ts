/**
 * `PASSES WARM-UP dump|owners|files|walk`: the listeners of this network namespace, alone, or with their owners known
 * before; or finding all owners again, by the kernel's iterator or by walking descriptor tables in one shard.
 */
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { printRound, timed } from './round.ts';

const nowMs = (): number => Math.trunc(performance.now());

await printRound(async () => {
  const [passes, warmUp] = process.argv.slice(2, 4).map(Number) as [number, number];
  const work = process.argv[4];
  const { addon, columns, root, sweepProcfs, dumpListeners } = parts();
  const { bytes, capacity } = columns;
  const listeners = dumpListeners();
  const facts = { mark: addon.mark, listeners };
  if (work === 'dump') return { us: await timed(passes, warmUp, dumpListeners), facts };
  const count = sweepProcfs();
  const owners = () => {
    const found = addon.ownersCollect(root, bytes, capacity, count, dumpListeners(), 0, nowMs());
    if (found.overflow) throw new Error('the columns are too small');
    return found;
  };
  const walk = () => addon.ownersWalk(root, bytes, capacity, count, listeners, 0, 0, 1, true);
  const files = () => {
    const walked = addon.ownersWalkFiles(root, bytes, capacity, count, listeners, 0);
    if ('errno' in walked) throw new CannotRun(`no iterator over open files here: ${walked.code}`);
  };
  // Found once, then only verified: that is the steady state.
  if (owners().wanted > 0) walk();
  let found = owners();
  const us = await timed(passes, warmUp, () => {
    if (work === 'files') files();
    if (work === 'walk') walk();
    found = owners();
  });
  if (found.unknown > 0) throw new CannotRun(`${found.unknown} of ${listeners} listeners have no owner`);
  return { us, facts: { ...facts, holders: found.holders } };
});
