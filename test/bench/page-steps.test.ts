/** The steps from a snapshot to the page, from the marks that a page leaves. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Mark } from '../../bench/browser.ts';
import { changeOf, STEPS } from '../../bench/page-steps.ts';
import { distributions, shareOf } from '../../bench/report/distributions.ts';
import { expect } from '../support/expect.ts';

const T = Date.UTC(2026, 10, 22);
const event = (at: number, kind: string, generation: number, more = {}): Mark => ({
  name: 'desk:event',
  at: T + at,
  detail: { event: kind, generation, ...more },
});
const asked = (at: number): Mark => ({ name: 'desk:page-asked', at: T + at, detail: {} });
const received = (at: number, generation: number): Mark => ({
  name: 'desk:page-received',
  at: T + at,
  detail: { generation, ts: '2026-11-22T00:00:00.002Z' },
});
const PORT = { listener: 'tcp 127.0.0.1:4567' };
const snapshot = event(3.2, 'snapshot', 7, { ts: '2026-11-22T01:00:00.000+01:00', age_ms: 2 });

test('steps follow each other without a gap', () => {
  const marks = [event(3, 'port', 7, PORT), snapshot, asked(4), received(10, 7), asked(30), received(40, 8)];
  const change = changeOf(4567, T - 5, { drawn: T + 12, painted: T + 20, marks });
  const { whole, outside } = change;
  assert.is(STEPS.reduce((sum, [step]) => sum + change[step], 0).toFixed(6), whole.toFixed(6));
  assert.is(whole, 19.5);
  assert.is(outside, 25);
  assert.is(change.told, 2);
  assert.is(change.overtaken, false);
  assert.is(change.received, 6);
});

test('a request already under way that returns the change before its event starts at the snapshot it returns', () => {
  const other = event(0.5, 'port', 6, { listener: 'tcp 127.0.0.1:80' });
  for (const marks of [
    [other, asked(1), received(5, 7)],
    [other, asked(1), event(3, 'port', 7, PORT), snapshot, received(5, 7)],
  ]) {
    const change = changeOf(4567, T, { drawn: T + 6, painted: T + 9, marks });
    assert.is(change.overtaken, true);
    assert.is(change.received, 2.5);
    assert.is(change.whole, 6.5);
    assert.is(
      STEPS.reduce((sum, [step]) => sum + change[step], 0),
      change.whole,
    );
  }
});

test('a page without a performance mark is reported', () => {
  const lone = [event(3, 'port', 7, PORT), asked(4), received(5, 7)];
  assert.throws(() => changeOf(4567, T, { drawn: T + 6, painted: T + 9, marks: lone }), /its snapshot/);
  assert.throws(() => changeOf(4567, T, { drawn: T + 6, painted: T + 9, marks: [] }), /page record/);
});

const measured = (name: string, ms: number, partOf?: string) => ({
  name,
  goals: [],
  a: '',
  unit: 'ms',
  rawA: [Array.from({ length: 100 }, (_, at) => ms + at / 100)],
  warmUp: 0,
  ...(partOf === undefined ? {} : { partOf }),
});

test('the share of a step is computed from its mean', () => {
  const [whole, step] = [measured('whole', 10), measured('step', 2.253, 'whole')];
  assert.is(shareOf(step, [whole, step])?.toFixed(2), '0.26');
  assert.is(shareOf(whole, [whole, step]), null);
});

test('only cases with many passes have a distribution', () => {
  const row = {
    target: 'W1',
    title: 'Pages',
    comparisons: [measured('whole', 10), { ...measured('few', 1), rawA: [[1]] }],
  };
  const lines = distributions([row as never], (...cells) => cells.join(' '));
  assert.ok(lines.some((line) => line.startsWith('whole 100 10.1 ms 10.5 ms')));
  assert.not.ok(lines.some((line) => line.startsWith('few')));
  expect(distributions([], () => '')).equals([]);
});

test.run();
