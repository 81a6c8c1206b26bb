import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Samples } from '../../../src/features/history/samples.ts';
import { history, withBreaks } from '../../../src/records/history.ts';
import { type HistorySpan, type Sample, SPAN_SEC } from '../../../src/records/measures.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';
import { sampleFrom } from '../../support/sample.ts';
import { findingFrom, type StateParts, stateFrom } from '../../support/state.ts';

const test = suite('samples');
/** The start of a minute. */
const START = 1_767_323_040;

/** Samples with a clock and a store controlled by the test. */
function sampled({ periodMs = 1000, stored = [] as readonly Sample[] } = {}) {
  const state = { nowSec: START, recorded: [] as Sample[], asked: [] as number[][] };
  const samples = new Samples({
    periodMs,
    nowMs: () => state.nowSec * 1000 + 500,
    stored: {
      record: (sample) => state.recorded.push(sample) > 0,
      list: (...span) => {
        state.asked.push(span);
        return stored;
      },
    },
  });
  const report = (sec: number, parts: StateParts = {}): void => {
    state.nowSec = sec;
    samples.take(
      stateFrom({
        ...parts,
        snapshot: {
          ...parts.snapshot,
          at: { epochMs: sec * 1000 + 400, monotonicMs: sec * 1000, ...parts.snapshot?.at },
        },
      }),
    );
  };
  return { samples, state, report };
}

const recheck = (recheckUs: number): StateParts => ({ recheckUs });
const stored = () => new Promise((resolve) => setImmediate(resolve));

test('a second has the last value of its states, and the maximum of recheck time, findings and scars', () => {
  const { samples, report } = sampled();
  report(START, { ...recheck(900), findings: [findingFrom()] });
  report(START, recheck(40));
  const [row, ...more] = samples.history('15m');
  assert.is(more.length, 0);
  assert.equal(
    [row?.at, row?.recheck_us, row?.recheck_max_us, row?.findings, row?.scars, row?.temp_c],
    [START, 40, 900, 1, 1, null],
  );
});

test('15 minutes are kept, and a gap in time is a break in the rows', () => {
  const { samples, report } = sampled();
  for (let sec = 0; sec < 1000; sec += 1) report(START + sec);
  assert.is(samples.history('15m').length, 900);
  assert.is(samples.history('15m')[0]?.at, START + 100);
  // One missing second is timer drift; two are a gap.
  report(START + 1001);
  report(START + 1004);
  const rows = samples.history('15m').slice(-4);
  expect(rows.map(({ at, pids }) => [at - START, pids === null])).equals([
    [999, false],
    [1001, false],
    [1002, true],
    [1004, false],
  ]);
});

test('with a long report period, the time between states is not a gap', () => {
  const { samples, report } = sampled({ periodMs: 60_000 });
  for (let sec = 0; sec < 600; sec += 60) report(START + sec);
  assert.ok(samples.history('15m').every(({ pids }) => pids !== null));
});

test('a completed minute is stored asynchronously, as the median of its seconds', async () => {
  const { state, report } = sampled();
  report(START, recheck(100));
  report(START + 1, recheck(5));
  report(START + 2, { ...recheck(7), findings: [findingFrom()] });
  report(START + 59, { ...recheck(6), snapshot: { machine: { temperatures: [40.5, 39] } } });
  report(START + 60, recheck(1));
  assert.equal(state.recorded, [], 'nothing is written while a state is reported');
  await stored();
  const [minute, ...more] = state.recorded;
  assert.is(more.length, 0);
  assert.equal(
    [minute?.at, minute?.recheck_us, minute?.recheck_max_us, minute?.findings, minute?.temp_c],
    [START, 7, 100, 1, 40.5],
  );
});

test('closing stores the current minute at once, if it has samples', () => {
  const idle = sampled();
  idle.samples.close();
  assert.equal(idle.state.recorded, []);
  const { samples, state, report } = sampled();
  report(START + 59);
  report(START + 61);
  samples.close();
  expect(state.recorded.map(({ at }) => at)).equals([START, START + 60]);
});

test('after the clock is set back, no later second is shown', () => {
  const { samples, report } = sampled();
  report(START + 100);
  report(START + 101);
  report(START + 100);
  report(START + 10);
  report(START + 11);
  expect(samples.history('15m').map(({ at }) => at - START)).equals([10, 11]);
});

test('a clock that jumps to 2036 and back loses no earlier second, and the rows stay ascending', () => {
  const { samples, report, state } = sampled();
  for (let sec = 0; sec < 60; sec += 1) report(START + sec);
  const years = 10 * 365 * 86_400;
  for (let sec = 60; sec < 70; sec += 1)
    report(START + years + sec, { snapshot: { at: { monotonicMs: (START + sec) * 1000 } } });
  assert.is(samples.history('15m').length, 10);
  for (let sec = 70; sec < 80; sec += 1) report(START + sec);
  state.nowSec = START + 79;
  const at = samples.history('15m').flatMap((row) => (row.pids === null ? [] : [row.at - START]));
  assert.equal(at, [...Array(60).keys(), ...[...Array(10).keys()].map((sec) => sec + 70)]);
});

test('longer spans come from the store, with a break where minutes are missing', () => {
  const rows = [0, 60, 240].map((sec) => sampleFrom({ at: START + sec }));
  const { samples, state } = sampled({ stored: rows });
  expect(samples.history('24h').map(({ at, pids }) => [at - START, pids])).equals([
    [0, 30],
    [60, 30],
    [120, null],
    [240, 30],
  ]);
  samples.history('7d');
  assert.equal(state.asked, [
    [START - 86_400, START, 60],
    [START - 604_800, START, 600],
  ]);
});

test('for any times the lists have the same length, ascend, and have a break at every gap', () => {
  const spans = fc.constantFrom<HistorySpan>('15m', '24h', '7d');
  forAll(spans, fc.uniqueArray(fc.nat({ max: 20_000 })), (span, seconds) => {
    const { step } = SPAN_SEC[span];
    const samples = [...new Set(seconds.map((sec) => sec - (sec % step)))]
      .sort((a, b) => a - b)
      .map((sec) => sampleFrom({ at: START + sec, temp_c: sec % 2 === 0 ? null : -2.71999 }));
    const rows = withBreaks(samples, step, 2.5 * step);
    const { at, ...lists } = history.assemble({ state: stateFrom(), span, rows });
    for (const list of Object.values(lists)) if (Array.isArray(list)) assert.is(list.length, at.length);
    assert.ok(at.every((one, place) => place === 0 || one > (at[place - 1] ?? 0)));
    assert.is(lists.pids.filter((one) => one !== null).length, samples.length);
    for (let place = 1; place < at.length; place += 1)
      if (lists.pids[place] !== null && lists.pids[place - 1] !== null)
        assert.ok((at[place] ?? 0) - (at[place - 1] ?? 0) <= 2.5 * step);
  });
});

test.run();
