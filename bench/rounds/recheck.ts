/** `PASSES WARM-UP`: a recheck as everybody gets it who asks for a fresh moment while nothing changes. */
import { benchDesk } from './bench-desk.ts';
import { numbers, tell, timed } from './round.ts';

await tell(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { desk, close } = await benchDesk({ loop: true });
  const us = await timed(passes, warmUp, () => desk.moment({ maxAgeMs: 0 }));
  const { engine, counts } = await desk.moment().then(({ snapshot }) => snapshot);
  const { mode } = desk.facts().loop;
  await close();
  return {
    us,
    facts: { backend: engine.backend, mark: engine.mark, loop: mode, processes: counts.userSpace },
  };
});
