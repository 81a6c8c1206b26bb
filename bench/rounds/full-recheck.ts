/** `PASSES WARM-UP`: a recheck of everything, as for a caller that requests a fresh state. */
import { benchDesk } from './bench-desk.ts';
import { numbers, printRound, timed } from './round.ts';

await printRound(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { desk, close } = await benchDesk();
  const us = await timed(passes, warmUp, () => desk.state({ maxAgeMs: 0 }));
  const { engine } = (await desk.state()).snapshot;
  await close();
  return { us, facts: { backend: engine.backend, mark: engine.mark } };
});
