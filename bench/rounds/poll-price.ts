/**
 * `PASSES WARM-UP`: processor time of the watching thread with the listeners polled every 10 ms; each pass is a second, and
 * its value is in µs, so that 1,000 are 0.1 % of a core.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { numbers, printRound } from './round.ts';
import { startWatch } from './watching.ts';

const PASS_MS = 1000;

await printRound(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { addon, watch, facts } = startWatch({ tracepoint: false });
  const pids = new Int32Array(4096);
  const us: number[] = [];
  for (let pass = 0; pass < warmUp + passes; pass += 1) {
    const [from, startedMs] = [addon.watchCpuUs(watch), performance.now()];
    await delay(PASS_MS);
    const used = ((addon.watchCpuUs(watch) - from) * PASS_MS) / (performance.now() - startedMs);
    if (pass >= warmUp) us.push(used);
  }
  const { polls, pollRefusals } = addon.watchTake(watch, pids);
  addon.watchStop(watch);
  if (polls === 0 || pollRefusals > 0) throw new Error(`${polls} polls, ${pollRefusals} refused`);
  return { us, facts: { ...facts, polls } };
});
