/** What the programs of this folder share: they measure one thing, print it as JSON and end. */
import { CannotRun } from '../cases/case.ts';
import type { Round } from '../rounds.ts';

/** µs of each of `passes` calls, after `warmUp` calls that are left out. */
export async function timed(passes: number, warmUp: number, work: () => unknown): Promise<number[]> {
  const us: number[] = [];
  for (let pass = 0; pass < warmUp + passes; pass += 1) {
    const started = process.hrtime.bigint();
    const done = work();
    if (done instanceof Promise) await done;
    if (pass >= warmUp) us.push(Number(process.hrtime.bigint() - started) / 1000);
  }
  return us;
}

/** The words of the command line as numbers. */
export const numbers = (): number[] => process.argv.slice(2).map(Number);

/** Prints what `measure` gives, or why it cannot. */
export async function tell(measure: () => Round | Promise<Round>): Promise<void> {
  try {
    console.log(JSON.stringify(await measure()));
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    console.log(JSON.stringify({ notRun: error.message }));
  }
}
