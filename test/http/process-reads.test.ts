/** Processes that are read on request: shared by those who ask at once, limited, and given up when all of them have left. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Caller } from '../../src/desk/context.ts';
import { Problem } from '../../src/http/errors.ts';
import { ProcessReads } from '../../src/http/process-reads.ts';
import type { ProcessDetail } from '../../src/records/process-detail.ts';

const test = suite('process reads');

/** A caller that can leave. */
function callerOf(): Caller & { leave(): void } {
  const leaving = new AbortController();
  return { name: 'ada', left: () => leaving.signal, leave: () => leaving.abort() };
}

/** Fake reads: each ends when the test resolves it. `begun`: their keys, in order. */
function made() {
  const reads = new ProcessReads();
  const begun: { readonly start: string; readonly signal: AbortSignal; end(error?: Error): void }[] = [];
  const read = (pid: number, start = '1', caller: Caller = callerOf()) =>
    reads.read(
      { pid, start },
      caller,
      (signal) =>
        new Promise((resolve, reject) => {
          const answer = { generation: begun.length } as ProcessDetail;
          begun.push({ start, signal, end: (error) => (error ? reject(error) : resolve(answer)) });
        }),
    );
  return { begun, read };
}

const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    (error: unknown) => (error instanceof Problem ? [error.status, error.headers['Retry-After']] : error),
  );

test('who asks for the same process meanwhile gets the same answer; afterwards it is read again', async () => {
  const { begun, read } = made();
  const [first, second, other] = [read(1), read(1), read(1, '2')];
  assert.is(begun.length, 2, 'another start is another process');
  begun[0]?.end();
  begun[1]?.end();
  assert.is(await first, await second);
  assert.is.not(await first, await other);
  const again = read(1);
  assert.is(begun.length, 3);
  begun[2]?.end();
  assert.is.not(await again, await first);
});

test('eight are read at once; a further one is refused until one of them ends, also by an error', async () => {
  const { begun, read } = made();
  const eight = Array.from({ length: 8 }, (_, at) => read(at + 1));
  assert.equal(await refusal(read(9)), [429, '1']);
  const shared = read(8);
  assert.is(begun.length, 8, 'one that is being read is shared all the same');
  begun[7]?.end();
  assert.is(await shared, await eight[7]);
  const ninth = read(9);
  assert.equal(await refusal(read(10)), [429, '1']);
  begun[0]?.end(new Error('it failed'));
  assert.is(((await refusal(eight[0] as Promise<unknown>)) as Error).message, 'it failed');
  const tenth = read(10);
  for (const one of begun) one.end();
  await Promise.all([...eight.slice(1), ninth, tenth]);
});

test('what all callers have left is given up, is no longer shared, and counts until it has ended', async () => {
  const { begun, read } = made();
  const callers = [callerOf(), callerOf()];
  const left = callers.map((caller) => read(1, '1', caller));
  callers[0]?.leave();
  assert.is(begun[0]?.signal.aborted, false, 'one still waits');
  callers[1]?.leave();
  assert.is(begun[0]?.signal.aborted, true);
  const others = Array.from({ length: 7 }, () => {
    const caller = callerOf();
    const answer = read(1, '1', caller);
    caller.leave();
    return answer;
  });
  assert.is(begun.length, 8, 'each begins a new reading');
  assert.equal(await refusal(read(1)), [429, '1']);
  for (const one of begun) one.end();
  await Promise.all([...left, ...others]);
  const next = read(1);
  begun[8]?.end();
  assert.is((await next).generation, 8);
});

test('for a caller that has left already nothing begins', async () => {
  const { begun, read } = made();
  const caller = callerOf();
  caller.leave();
  assert.equal(await refusal(read(1, '1', caller)), [503, undefined]);
  assert.is(begun.length, 0);
});

test.run();
