/** `PASSES WARM-UP`: the query of the watch at each recheck without changes; each pass is 1,000 queries. */
import { setTimeout as delay } from 'node:timers/promises';
import { numbers, printRound, timed } from './round.ts';
import { startWatch } from './watching.ts';

const QUESTIONS = 1000;

await printRound(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { addon, watch, facts } = startWatch({ tracepoint: true });
  const pids = new Int32Array(4096);
  await delay(100);
  addon.watchTake(watch, pids);
  const us = await timed(passes, warmUp, () => {
    for (let i = 0; i < QUESTIONS; i += 1) addon.watchTake(watch, pids);
  });
  addon.watchStop(watch);
  return { us: us.map((each) => each / QUESTIONS), facts };
});
