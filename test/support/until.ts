import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `check` until it returns a value, with pauses of `everyMs` that add up to `withinMs` at most: on a busy machine, where each
 * check takes longer, it waits longer. @throws Error that names what did not come.
 */
export async function until<T>(
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string | (() => string),
  withinMs = 30_000,
  everyMs = 50,
): Promise<T> {
  for (let paused = 0; paused < withinMs; paused += everyMs) {
    const found = await check();
    if (found) return found;
    await sleep(everyMs);
  }
  throw new Error(`${typeof what === 'string' ? what : what()}: not after pauses of ${withinMs} ms`);
}
