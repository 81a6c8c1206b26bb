import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../src/desk/failure.ts';
import { timeSince } from '../../src/desk/since.ts';

const now = new Date(2026, 10, 23, 15, 30).getTime();
const HOUR = 3_600_000;

const taken: readonly (readonly [string, number])[] = [
  ['2h', now - 2 * HOUR],
  ['90m', now - 1.5 * HOUR],
  ['7d', now - 168 * HOUR],
  ['today', new Date(2026, 10, 23).getTime()],
  ['yesterday', new Date(2026, 10, 22).getTime()],
  ['2026-11-20', new Date(2026, 10, 20).getTime()],
  ['2026-11-20T08:00:00Z', Date.UTC(2026, 10, 20, 8)],
  ['2 hours ago', now - 2 * HOUR],
];

for (const [text, ms] of taken)
  test(`--since ${text}`, async () =>
    assert.is(new Date(timeSince(text, now)).toISOString(), new Date(ms).toISOString()));

test('a --since that is not a past time is refused with exit 2', async () => {
  for (const text of ['', 'frob', '2x', '2026-13-40', '2026-02-31', '2099-01-01', '-5', 'h'])
    try {
      timeSince(text, now);
      assert.unreachable(text);
    } catch (error) {
      assert.instance(error, Failure, text);
      assert.is((error as Failure).exitCode, 2);
    }
});

test.run();
