/** `PASSES WARM-UP dump|owners`: the listeners of this network namespace, alone or with their owners known before. */
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { tell, timed } from './round.ts';

await tell(async () => {
  const [passes, warmUp] = process.argv.slice(2, 4).map(Number) as [number, number];
  const { addon, columns, root, newer, sweepProcfs } = parts();
  const { bytes, capacity } = columns;
  const dump = (): number => {
    const { listeners, refusals } = addon.listSockets(bytes, capacity, false);
    const [refusal] = refusals;
    if (refusal !== undefined) throw new CannotRun(`${refusal.source} is refused: ${refusal.code}`);
    return listeners;
  };
  const listeners = dump();
  const facts = { mark: addon.mark, listeners };
  if (process.argv[4] === 'dump') return { us: await timed(passes, warmUp, dump), facts };
  const [collect, walk] = [newer('ownersCollect'), newer('ownersWalk')];
  const count = sweepProcfs(false);
  const owners = () => {
    const found = collect(root, bytes, capacity, count, dump(), 0, Math.trunc(performance.now()));
    if (found.overflow) throw new Error('the columns are too small');
    return found;
  };
  // Found once by walking descriptor tables, then only verified: that is the steady state.
  if (owners().wanted > 0) walk(root, bytes, capacity, count, listeners, 0, 0, 1);
  let found = owners();
  const us = await timed(passes, warmUp, () => {
    found = owners();
  });
  if (found.unknown > 0) throw new CannotRun(`${found.unknown} of ${listeners} listeners have no owner`);
  return { us, facts: { ...facts, holders: found.holders } };
});
