/** Waiting for several promises, and with a time limit. */

/** Like Promise.all, but settles only when every promise has: nothing still runs when it rejects. */
export async function allOrFirst<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(promises);
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

/** Resolves when the promise does, at the latest after `withinMs`; then it continues unobserved. */
export async function atMost(promise: Promise<unknown>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** @throws DeadlineError when the promise takes longer; it continues unobserved. */
export async function withDeadline<T>(promise: Promise<T>, deadlineMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DeadlineError(`${what} did not end within ${deadlineMs} ms`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
