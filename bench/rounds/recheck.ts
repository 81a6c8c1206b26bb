/**
 * `PASSES WARM-UP`: turns of the service's loop that find nothing changed, from their start to their end with all that
 * they do in JavaScript; turns that found something are left out. The loop runs every millisecond.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { CannotRun } from '../cases/case.ts';
import { eventDesk } from './bench-desk.ts';
import { numbers, printRound } from './round.ts';

/** On a machine where something happens all the time few turns find nothing: the passes until then are reported. */
const PATIENCE_MS = 6000;
const LEAST = 3;

/**
 * The loop asks for the processor time used before a turn, and after it for the difference: the time between is the whole
 * turn. Calls `turned` with its µs and with what `before` gave at its start.
 */
function overhearTurns<T>(before: () => T, turned: (us: number, was: T) => void): () => void {
  const { cpuUsage } = process;
  let startedAt = 0n;
  let was: T | undefined;
  process.cpuUsage = (since) => {
    if (since === undefined) {
      const usage = cpuUsage();
      was = before();
      startedAt = process.hrtime.bigint();
      return usage;
    }
    const us = Number(process.hrtime.bigint() - startedAt) / 1000;
    turned(us, was as T);
    return cpuUsage(since);
  };
  return () => {
    process.cpuUsage = cpuUsage;
  };
}

await printRound(async () => {
  const [passes, warmUp] = numbers() as [number, number];
  const { desk, close } = await eventDesk(1);
  const generation = () => desk.latest()?.snapshot.generation;
  const us: number[] = [];
  let others = 0;
  const rest = overhearTurns(generation, (took, before) => {
    if (generation() === before) us.push(took);
    else others += 1;
  });
  const until = performance.now() + PATIENCE_MS;
  while (us.length < warmUp + passes && performance.now() < until) await delay(20);
  rest();
  const state = await desk.state();
  await close();
  const counted = us.slice(warmUp, warmUp + passes);
  if (counted.length < LEAST)
    throw new CannotRun(`this machine is never still: ${others} turns found changes`);
  const { engine, counts } = state.snapshot;
  const { backend, mark } = engine;
  return {
    us: counted,
    facts: { backend, mark, loop: 'event', processes: counts.userSpace, otherTurns: others },
  };
});
