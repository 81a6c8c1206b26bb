/** `PASSES WARM-UP`: what the watch is asked at each recheck when nothing has changed; each pass is 1,000 questions. */
import { setTimeout as delay } from 'node:timers/promises';
import { CannotRun } from '../cases/case.ts';
import { parts } from './parts.ts';
import { numbers, tell, timed } from './round.ts';

const QUESTIONS = 1000;

await tell(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { addon, newer } = parts();
  const [start, take, stop] = [newer('watchStart'), newer('watchTake'), newer('watchStop')];
  const options = { listenPollMs: 10, rereadMs: [10, 100, 1000], allMs: 5000, tracepoint: true };
  const started = start(options, () => {});
  if ('errno' in started) throw new CannotRun(`the watch is refused: ${started.code}`);
  const { connector, tracepoint } = started;
  if (connector !== '') throw new CannotRun(`no process events here: ${connector}`);
  const pids = new Int32Array(4096);
  await delay(100);
  take(pids);
  const us = await timed(passes, warmUp, () => {
    for (let i = 0; i < QUESTIONS; i += 1) take(pids);
  });
  stop();
  return {
    us: us.map((each) => each / QUESTIONS),
    facts: { mark: addon.mark, tracepoint: tracepoint || 'yes' },
  };
});
