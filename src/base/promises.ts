/** Waiting for several promises, and with a time limit. */

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/** Like Promise.all, but settles only when every promise has: nothing still runs when it rejects. */
export async function allOrFirst<T extends readonly unknown[]>(promises: T): Promise<Settled<T>> {
  const settled = await Promise.allSettled(promises);
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

/** Calls `then` with the values: at once where none of them is a promise, else when all have settled, as `allOrFirst`. */
export function joined<const T extends readonly unknown[], R>(
  values: T,
  then: (values: Settled<T>) => R | Promise<R>,
): R | Promise<R> {
  return values.some((value) => value instanceof Promise)
    ? allOrFirst(values).then(then)
    : then(values as Settled<T>);
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
