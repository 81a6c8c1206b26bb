/** The stated bounds hold what a storm adds: a rest of up to five seconds, at every period. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { boundsFor, EVERY_MS } from '../../src/engine/bounds.ts';
import { Rest } from '../../src/engine/rest.ts';

const backend = fc.constantFrom('bpf' as const, 'procfs' as const);
const periodMs = fc.integer({ min: 1, max: 60_000 });

/** Longest time between the starts of two passes, less the duration of a turn, however long the turns before were. */
function longestGapMs(turns: readonly number[], dueMs: number): number {
  const rest = new Rest();
  let now = 0;
  let longest = 0;
  for (const ms of turns) {
    const startedMs = now;
    now = Math.max(rest.after(startedMs, startedMs + ms), startedMs + dueMs);
    longest = Math.max(longest, now - startedMs - ms);
  }
  return longest;
}

test('polling: no gap between two turns is longer than the bound on processes and listeners', () => {
  const turns = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 50 });
  fc.assert(
    fc.property(backend, periodMs, turns, (backend, periodMs, turns) => {
      const bounds = boundsFor({ mode: 'poll', periodMs, backend });
      const gapMs = longestGapMs(turns, periodMs);
      assert.ok(gapMs <= bounds.processes, `${gapMs} > ${bounds.processes}`);
      assert.is(bounds.listeners, bounds.processes);
    }),
  );
});

test('events: a pass that is due waits for the rest, whatever the period is', () => {
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
