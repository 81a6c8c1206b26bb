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
  walk(root, bytes, capacity, count, listeners, 0, 0, 1, true);
  let unknown = 0;
  const us = await timed(passes, warmUp, () => {
    ({ unknown } = collect(root, bytes, capacity, count, dump(), 0));
  });
  if (unknown > 0) throw new CannotRun(`${unknown} listeners have no owner that was found`);
  return { us, facts };
});
