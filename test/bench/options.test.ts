import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Case } from '../../bench/cases/case.ts';
import { CASES } from '../../bench/cases/index.ts';
import { BASE, forecast, isAsked, measuredAt, settingsOf, UsageError } from '../../bench/options.ts';
import { expect } from '../support/expect.ts';

const known = CASES.map(({ id }) => id);

test('the quick and the full form have their loads', () => {
  const quick = settingsOf([], known);
  expect(quick.points.map(({ processes }) => processes)).equals([1000, 1000]);
  assert.is(quick.rounds, 3);
  assert.is(quick.user, 'both');
  const full = settingsOf(['--full'], known);
  assert.equal(new Set(full.points.map(({ processes }) => processes)), new Set([100, 1000, 5000]));
  assert.equal(new Set(full.points.map(({ established }) => established)), new Set([0, 2000, 20_000]));
});

test('a case is measured at the loads that its work grows with', () => {
  const full = settingsOf(['--full'], known);
  const grows = (...by: Case['grows'][number][]) => {
    const one = { grows: by } as unknown as Case;
    return full.points.filter((point) => measuredAt(one, point, full)).length;
  };
  assert.is(grows(), 1);
  assert.is(grows('processes'), 3);
  assert.is(grows('processes', 'established'), 5);
  const one = settingsOf(['--processes', '50'], known);
  assert.equal(one.points, [{ ...BASE, processes: 50 }]);
  assert.ok(measuredAt({ grows: [] } as unknown as Case, one.points[0] ?? BASE, one));
});

test('long cases run by name or in the long form, and their duration is printed first', () => {
  const ids = (...words: string[]) => {
    const settings = settingsOf(words, known);
    const asked = CASES.filter((one) => isAsked(one, settings));
    return { ids: asked.map(({ id }) => id), forecasted: forecast(asked, settings) };
  };
  const long = [
    'wedged',
    'gate-sequences',
    'pid-churn',
    'quarantine-attack',
    'alert-faults',
    'busy-hour',
    'maildir-import',
    'snapshot-to-page',
    'long-table',
    'marks',
    'busy',
    'everything',
    'busy-memory',
    'packages',
  ];
  expect(CASES.filter(({ minutes }) => minutes !== undefined).map(({ id }) => id)).equals(long);
  const short = ids();
  assert.ok(long.every((id) => !short.ids.includes(id)));
  assert.is(short.forecasted, '');
  assert.equal(ids('--mark').ids, [...short.ids, 'marks']);
  const full = ids('--full');
  assert.equal(full.ids, known);
  assert.match(
    full.forecasted,
    /^this takes about \d+ minutes .*: every load and peer \d+, wedged \d+, .*, packages \d+$/,
  );
  assert.equal(ids('wedged', '--full').ids, ['wedged']);
  assert.match(ids('http', 'pid-churn').forecasted, /: pid-churn \d+$/);
});

test('invalid options are refused, with the valid values', () => {
  assert.throws(
    () => settingsOf(['nothing'], known),
    (error: Error) => error instanceof UsageError && /sweep-procfs/.test(error.message),
  );
  for (const words of [
    ['--rounds', '0'],
    ['--processes', '2.5'],
    ['--established', '-1'],
    ['--user', 'x'],
    ['--quick'],
  ])
    assert.throws(
      () => settingsOf(words, known),
      (error: Error) => error instanceof UsageError,
    );
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      try {
        const { rounds, points } = settingsOf(words, known);
        assert.ok(rounds >= 1 && points.length > 0);
      } catch (error) {
        assert.instance(error, UsageError);
      }
    }),
    { seed: 3 },
  );
});

test('every case has its own id and a target of the table', () => {
  assert.is(new Set(known).size, known.length);
  for (const { target } of CASES) assert.match(target, /^(?:B|[BFHPSMW][1-9])$/);
});

test.run();
