import { setTimeout as sleep } from 'node:timers/promises';
import { patientMs } from './time-limit.ts';

/**
 * Calls `check` until it returns a value, with pauses of `everyMs` that add up to `withinMs` at most: on a busy machine, where each
 * check takes longer, it waits longer, and where test files are allowed more time too. @throws Error that names what did not come.
 */
export async function until<T>(
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string | (() => string),
  withinMs = 30_000,
  everyMs = 50,
): Promise<T> {
  for (let paused = 0; paused < patientMs(withinMs); paused += everyMs) {
    const found = await check();
    if (found) return found;
    await sleep(everyMs);
  }
  throw new Error(
    `${typeof what === 'string' ? what : what()}: not after pauses of ${patientMs(withinMs)} ms`,
  );
}
