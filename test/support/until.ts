import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `check` every `everyMs` until it returns a value, for at most `withinMs`. @throws Error that names what did not come. */
export async function until<T>(
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string | (() => string),
  withinMs = 30_000,
  everyMs = 50,
): Promise<T> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
    const found = await check();
    if (found) return found;
    await sleep(everyMs);
  }
  throw new Error(`${typeof what === 'string' ? what : what()}: not within ${withinMs} ms`);
}
