/** Rates of `/h7/live` while the wall clock is set back and forward. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LiveViews } from '../../src/http/live.ts';
import type { Live } from '../../src/records/live.ts';
import { stateFrom } from '../support/state.ts';

test('rates remain correct when the wall clock is set back by an hour and forward by a year', () => {
  const views = new LiveViews();
  const wall = Date.UTC(2026, 0, 2, 3, 4, 5);
  const jumps = [0, 0, -3_600_000, -3_600_000, 31_536_000_000, 31_536_000_000, 0, 0];
  jumps.forEach((jumpMs, turn) => {
    const monotonicMs = turn * 1000;
    const state = stateFrom({
      snapshot: {
        generation: 10 * turn,
        at: { epochMs: wall + monotonicMs + jumpMs, monotonicMs },
        machine: { tcpActiveOpens: 5 * turn, tcpPassiveOpens: 0 },
      },
    });
    views.see(state);
    const { rates } = views.of(state) as Live;
    if (turn > 0) assert.equal(rates, { rechecks: 10, opened: 5, accepted: 0 }, `turn ${turn}`);
  });
});

test.run();
