/**
 * `WEDGED PASSES`: rechecks of everything while so many processes block whoever reads their memory files, and the helpers
 * that are asked about them are killed one after the other. Tells the µs of each, the worst of the event loop and how long the
 * desk takes to close.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { missing } from '../../test/support/require.ts';
import { wedge } from '../../test/support/wedge.ts';
import { CannotRun } from '../cases/case.ts';
import { benchDesk } from './bench-desk.ts';
import { numbers, tell } from './round.ts';

const PAUSE_MS = 10;

await tell(async () => {
  const [wedged, passes] = numbers() as [number, number];
  const reason = wedged > 0 ? missing('FUSE', 'compiler', 'namespaces') : null;
  if (reason !== null) throw new CannotRun(reason);
  const { desk, close } = await benchDesk();
  const held = wedged > 0 ? await wedge(wedged) : null;
  try {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const us: number[] = [];
    for (let pass = 0; pass < passes; pass += 1) {
      const started = process.hrtime.bigint();
      await desk.moment({ maxAgeMs: 0 });
      us.push(Number(process.hrtime.bigint() - started) / 1000);
      await delay(PAUSE_MS);
    }
    loop.disable();
    const found = desk.latest()?.judgement.findings.filter(({ check }) => check === 'unreadable-process');
    const closing = performance.now();
    await close();
    return {
      us,
      facts: {
        loopDelayP99Ms: loop.percentile(99) / 1e6,
        closeMs: performance.now() - closing,
        found: found?.length ?? 0,
      },
    };
  } finally {
    await held?.free();
  }
});
