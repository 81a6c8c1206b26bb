/** The charts, without a browser: their lines, how they are extended, and what the server draws. */
import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Charts } from '../../src/pages/charts.tsx';
import { DeskContext } from '../../src/pages/desk-context.ts';
import { number } from '../../src/pages/parts.tsx';
import {
  continued,
  dayText,
  offsetOf,
  PANELS,
  pointOf,
  type Span,
  shownOf,
  summaryOf,
  timeText,
  valuesOf,
} from '../../src/pages/series.ts';
import { type History, history as historyRecord } from '../../src/records/history.ts';
import { liveView } from '../../src/records/live.ts';
import { MEASURE_NAMES, measured, type Sample, SPAN_SEC } from '../../src/records/measures.ts';
import { page } from '../../src/records/page.ts';
import { forAll } from '../support/for-all.ts';
import { stateFrom } from '../support/state.ts';

const test = suite('charts');

const MOMENT = stateFrom();
const PAGE = page.assemble(MOMENT);
const empty = (span: Span): History => historyRecord.assemble({ state: MOMENT, span, rows: [] });
const pointAt = (at: number, value: number): Sample => ({ ...measured(() => value), at });

test('an extended history has lists of equal length, ascending, within the span, that end with the newest sample', () => {
  forAll(
    fc.constantFrom<Span>('15m', '24h', '7d'),
    fc.array(fc.tuple(fc.integer({ min: -2, max: 700 }), fc.nat(50)), { maxLength: 80 }),
    (span, steps) => {
      let at = 1_795_000_000;
      let history = empty(span);
      for (const [seconds, value] of steps) {
        const before = history;
        at += seconds * (span === '7d' ? 60 : 1);
        history = continued(history, pointAt(at, value));
        const begins = Math.floor(at / history.step_sec) * history.step_sec;
        if (begins < (before.at.at(-1) ?? 0)) assert.is(history, before);
        else {
          assert.is(history.at.at(-1), begins);
          assert.is(history.pids.at(-1), value);
        }
        for (const key of MEASURE_NAMES) assert.is(history[key].length, history.at.length);
        for (let row = 1; row < history.at.length; row += 1)
          assert.ok((history.at[row] ?? 0) > (history.at[row - 1] ?? 0));
        assert.ok((history.at.at(-1) ?? 0) - (history.at[0] ?? 0) <= SPAN_SEC[span].reach);
      }
    },
  );
});

test('within one step the newest value counts, for findings the highest', () => {
  const first = continued(empty('24h'), pointAt(6_000, 5));
  const second = continued(first, pointAt(6_030, 3));
  assert.equal(second.at, [6_000]);
  assert.equal([second.pids, second.findings, second.recheck_max_us], [[3], [5], [5]]);
});

test('a period without samples breaks the line', () => {
  const late = continued(continued(empty('15m'), pointAt(1_000, 1)), pointAt(1_010, 2));
  assert.equal(late.at, [1_000, 1_001, 1_010]);
  assert.equal(late.pids, [1, null, 2]);
});

test('a point comes from the live record if there is one, and has no temperature without a sensor', () => {
  assert.is(pointOf(PAGE, null).pids, PAGE.processes.all);
  const live = liveView.assemble({ state: MOMENT, ageMs: 0, before: null });
  const point = pointOf(PAGE, { ...live, recheck_us: 4_321, findings_open: 9 });
  assert.is(point.recheck_us, 4_321);
  assert.is(point.findings, 9);
  assert.is(point.at, Math.floor(MOMENT.snapshot.at.epochMs / 1000));
  assert.is(point.temp_c === null, PAGE.status.iron.THERMO === 0);
});

test('a line is a measured value or derived from two of them', () => {
  const history = { ...empty('15m'), at: [1, 2, 3], pids: [10, 0, null], wrapped: [4, 0, 3] };
  const share = PANELS.find(({ id }) => id === 'wrapped')?.lines[0];
  if (share === undefined) throw new TypeError('no share');
  assert.equal(valuesOf(history, share), [40, null, null]);
  assert.is(shownOf({ ...pointAt(1, 8), wrapped: 2 }, share), 25);
});

test('figures are computed from the known values', () => {
  forAll(fc.array(fc.option(fc.nat(), { nil: null })), (values) => {
    const there = values.filter((value) => value !== null);
    const summary = summaryOf(values);
    if (there.length === 0) assert.is(summary, null);
    else {
      assert.is(summary?.least, Math.min(...there));
      assert.is(summary?.most, Math.max(...there));
      assert.is(summary?.now, there.at(-1));
      const below = there.filter((value) => value <= (summary?.median ?? -1)).length;
      assert.ok(below >= there.length / 2);
    }
  });
});

test('times are in the zone of the machine, with the precision of the span', () => {
  const at = Date.UTC(2026, 10, 21, 23, 30, 5) / 1000;
  assert.is(offsetOf('2026-11-22T00:30:05.000+01:00'), 60);
  assert.is(offsetOf('2026-11-22T00:30:05.000-03:30'), -210);
  assert.is(timeText(at, 60, '15m'), '00:30:05');
  assert.is(timeText(at, 60, '24h'), '00:30');
  assert.is(timeText(at, 60, '7d'), '22 Nov 00:30');
  assert.is(dayText(at, 0), '21 Nov');
});

test('numbers are short, with separated thousands', () => {
  assert.equal(
    [0, 3, 12.34, 99.96, 1234, 1_234_567.8].map(number),
    '0 3 12.3 100 1,234 1,234,568'.split(' '),
  );
});

test('without scripts each chart is a figure with the current value', () => {
  const markup = renderToString(
    h(
      DeskContext.Provider,
      { value: { page: PAGE, live: null, link: 'rendered', trouble: '', actions: null } },
      h(Charts, null),
    ),
  );
  assert.is(markup.match(/<figure/g)?.length, PANELS.length);
  assert.is(markup.match(/<figcaption/g)?.length, PANELS.length);
  assert.match(markup, number(PAGE.processes.all));
  assert.not.match(markup, 'style=');
  assert.not.match(markup, 'role="slider"');
});

test.run();
