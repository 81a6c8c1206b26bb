/** The stated bounds include the longest pause of a busy loop, five seconds, at every period. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { boundsFor, EVERY_MS } from '../../src/engine/bounds.ts';
import { Rest } from '../../src/engine/rest.ts';

const backend = fc.constantFrom('bpf' as const, 'procfs' as const);
const periodMs = fc.integer({ min: 1, max: 60_000 });

/** Longest time between the starts of two rechecks, less the duration of the first, for rechecks of these durations. */
function longestGapMs(durations: readonly number[], dueMs: number): number {
  const rest = new Rest();
  let now = 0;
  let longest = 0;
  for (const ms of durations) {
    const startedMs = now;
    now = Math.max(rest.after(startedMs, startedMs + ms), startedMs + dueMs);
    longest = Math.max(longest, now - startedMs - ms);
  }
  return longest;
}

test('polling: no gap between two rechecks is longer than the bound for processes and listeners', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 50 });
  fc.assert(
    fc.property(backend, periodMs, durations, (backend, periodMs, durations) => {
      const bounds = boundsFor({ mode: 'poll', periodMs, backend });
      const gapMs = longestGapMs(durations, periodMs);
      assert.ok(gapMs <= bounds.processes, `${gapMs} > ${bounds.processes}`);
      assert.is(bounds.listeners, bounds.processes);
    }),
  );
});

test('events: a pass that is due may wait for the longest pause, at every period', () => {
  fc.assert(
    fc.property(backend, periodMs, (backend, periodMs) => {
      const bounds = boundsFor({ mode: 'event', periodMs, backend });
      const restMs = new Rest().after(0, 60_000) - 60_000;
      assert.is(bounds.processes, EVERY_MS.all + restMs);
      for (const ms of Object.values(bounds)) assert.ok(ms >= bounds.processes);
    }),
  );
});

test.run();
