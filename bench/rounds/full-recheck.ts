/** `PASSES WARM-UP`: a recheck of everything, as somebody gets it who asks for a state that is made now. */
import { benchDesk } from './bench-desk.ts';
import { numbers, tell, timed } from './round.ts';

await tell(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { desk, close } = await benchDesk();
  const us = await timed(passes, warmUp, () => desk.state({ maxAgeMs: 0 }));
  const { engine } = (await desk.state()).snapshot;
  await close();
  return { us, facts: { backend: engine.backend, mark: engine.mark } };
});
