/**
 * `HUNG PASSES`: rechecks of everything while this many processes block every reader of their memory files, and the helpers
 * that inspect them are killed one after the other: this many passes, and then until each is a finding. Reports the µs of
 * each, the worst of the event loop, how many were found when, and how long the desk takes to close.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { missing } from '../../test/support/require.ts';
import { wedge } from '../../test/support/wedge.ts';
import { CannotRun } from '../cases/case.ts';
import { benchDesk } from './bench-desk.ts';
import { numbers, printRound } from './round.ts';

const PAUSE_MS = 10;
/** Each is asked twice, and does not answer within its deadline of 250 ms: far more than all of them take. */
const ALL_WITHIN_MS = 120_000;

await printRound(async () => {
  const [hung, passes] = numbers() as [number, number];
  const reason = hung > 0 ? missing('FUSE', 'compiler', 'namespaces') : null;
  if (reason !== null) throw new CannotRun(reason);
  const { desk, close } = await benchDesk();
  const held = hung > 0 ? await wedge(hung) : null;
  try {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const us: number[] = [];
    const found = (): number => {
      const open = desk.latest()?.judgement.findings ?? [];
      return open.filter(
        ({ check, subject }) =>
          check === 'unreadable-process' && subject.kind === 'process' && held?.pids.includes(subject.pid),
      ).length;
    };
    const began = performance.now();
    let foundMs = 0;
    for (
      let pass = 0;
      pass < passes || (foundMs === 0 && performance.now() - began < ALL_WITHIN_MS);
      pass += 1
    ) {
      const started = process.hrtime.bigint();
      await desk.state({ maxAgeMs: 0 });
      us.push(Number(process.hrtime.bigint() - started) / 1000);
      if (foundMs === 0 && found() === hung) foundMs = performance.now() - began;
      await delay(PAUSE_MS);
    }
    const count = found();
    loop.disable();
    const closing = performance.now();
    await close();
    return {
      us,
      facts: {
        loopDelayP99Ms: loop.percentile(99) / 1e6,
        closeMs: performance.now() - closing,
        found: count,
        foundMs,
      },
    };
  } finally {
    await held?.free();
  }
});
