/** `PASSES WARM-UP`: whole sweeps of the engine, from the call to the snapshot: workers, sockets, owners, totals. */
import { Engine } from '../../src/engine/sweep.ts';
import { numbers, printRound, timed } from './round.ts';

await printRound(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const engine = new Engine();
  const us = await timed(passes, warmUp, () => engine.sweep());
  const { engine: about, counts } = await engine.sweep();
  await engine.close();
  const { backend, mark, workers } = about;
  return { us, facts: { backend, mark, workers, rows: counts.processes } };
});
