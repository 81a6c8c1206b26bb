/** What the programs of this folder share: they measure one thing, print it as JSON and end. */
import { CannotRun } from '../cases/case.ts';
import type { Round } from '../rounds.ts';

/** A round of slow calls ends here, after at least `LEAST_PASSES`. */
const BUDGET_MS = 3000;
const LEAST_PASSES = 3;

/** µs of each of `passes` calls, fewer when they take seconds, after `warmUp` calls that are left out. */
export async function timed(passes: number, warmUp: number, work: () => unknown): Promise<number[]> {
  const us: number[] = [];
  const until = performance.now() + BUDGET_MS;
  for (let pass = 0; pass < warmUp + passes; pass += 1) {
    if (us.length >= LEAST_PASSES && performance.now() > until) break;
    const started = process.hrtime.bigint();
    const done = work();
    if (done instanceof Promise) await done;
    if (pass >= warmUp) us.push(Number(process.hrtime.bigint() - started) / 1000);
  }
  return us;
}

/** The command-line arguments as numbers. */
export const numbers = (): number[] => process.argv.slice(2).map(Number);

/** Prints what `measure` gives, or why it cannot. */
export async function printRound(measure: () => Round | Promise<Round>): Promise<void> {
  try {
    console.log(JSON.stringify(await measure()));
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    console.log(JSON.stringify({ notRun: error.message }));
  }
}
