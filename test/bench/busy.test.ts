/** The parts of the case `busy` that only compute. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { attempt, type Bench, goalAt, isOnce, Sheet } from '../../bench/busy/plan.ts';
import type { Options } from '../../bench/cases/case.ts';
import { countersOf, ratesBetween } from '../../bench/counters.ts';
import { hasSettled, percentBetween } from '../../bench/group.ts';
import { netdata } from '../../bench/peers/netdata.ts';
import { whyNot } from '../../bench/peers/resident.ts';

test('a service has settled when its CPU no longer falls by a fifth', () => {
  assert.not(hasSettled([50, 50, 1]));
  assert.not(hasSettled([50, 20, 8, 3]));
  assert.ok(hasSettled([50, 20, 1, 1, 1, 0.9]));
  assert.ok(hasSettled([0.1, 0.1, 0.1, 4]));
});

test('percent of a core: µs of CPU over ns of time', () => {
  assert.is(percentBetween({ us: 1000, atNs: 5e9 }, { us: 501_000, atNs: 6e9 }), 50);
  assert.is(percentBetween({ us: 0, atNs: 0 }, { us: 4_000_000, atNs: 2e9 }), 200);
});

const METRICS = `# HELP desk_recheck_duration_seconds Duration
desk_recheck_duration_seconds_bucket{le="0.000005",kind="gated"} 7
desk_recheck_duration_seconds_count{kind="gated"} 10
desk_recheck_duration_seconds_count{kind="partial"} 20
desk_recheck_duration_seconds_count{kind="full"} 3
desk_events_total{kind="birth"} 100
desk_events_total{kind="exec"} 50
desk_resyncs_total 2
desk_short_lived_programs_total 4
desk_findings{severity="high",scar="true"} 1
`;

test('the counters of /metrics', () => {
  const found = countersOf(METRICS, 0);
  assert.equal(found, {
    gated: 10,
    worked: 23,
    events: 150,
    resyncs: 2,
    missed: null,
    shortLived: 4,
    findings: 1,
    atMs: 0,
  });
  assert.is(countersOf(`${METRICS}desk_rechecks_missed_total 9\n`, 0).missed, 9);
  const later = { ...found, worked: 43, events: 160, atMs: 2000 };
  assert.equal(ratesBetween(found, later), { gated: 0, worked: 10, events: 5 });
});

test('a sheet keeps a value per round, pairs them with the peer, and keeps a reason instead', () => {
  const sheet = new Sheet();
  const about = { name: 'busy', a: 'ours', unit: '%', goals: goalAt(1000, { 1000: 4 }) };
  sheet.put(about, 1);
  sheet.put({ ...about, name: 'busy beside x', goals: [], b: 'x 1.0' }, 1, 9);
  sheet.put(about, 2);
  sheet.put({ ...about, name: 'busy beside x', goals: [], b: 'x 1.0' }, 2, 8);
  sheet.absent({ ...about, name: 'other' }, 'not installed');
  const [alone, beside, other] = sheet.comparisons();
  assert.equal(alone, {
    name: 'busy',
    goals: [{ of: 'value', atMost: 4 }],
    a: 'ours',
    unit: '%',
    rawA: [[1], [2]],
    warmUp: 0,
  });
  assert.equal(beside, {
    ...{ name: 'busy beside x', goals: [], a: 'ours', unit: '%', warmUp: 0 },
    ...{ rawA: [[1], [2]], b: 'x 1.0', rawB: [[9], [8]] },
  });
  assert.equal(other, { name: 'other', goals: about.goals, unit: '%', notRun: 'not installed' });
});

test('a failure is reported and loses no earlier value; in the smoke form it is a failure of the case', async () => {
  const about = { name: 'poll', a: 'ours', unit: '%' };
  const other = { ...about, name: 'other' };
  const bench = (smoke: boolean) =>
    ({ sheet: new Sheet(), facts: {}, options: { smoke } }) as unknown as Bench;
  const fails = () => Promise.reject(new Error('no start'));
  const one = bench(false);
  one.sheet.put(about, 1);
  assert.is(await attempt(one, [about, other], fails), null);
  assert.equal(one.facts, { poll: 'failed: no start', other: 'failed: no start' });
  assert.equal(one.sheet.comparisons(), [
    { ...about, goals: [], rawA: [[1]], warmUp: 0 },
    { name: 'other', goals: [], unit: '%', notRun: 'failed: no start' },
  ]);
  assert.is(await attempt(one, [about], () => Promise.resolve(7)), 7);
  const thrown = await attempt(bench(true), [about], fails).then(
    () => null,
    (error: Error) => error.message,
  );
  assert.is(thrown, 'no start');
});

test('targets belong to one load, and what has a load of its own is measured once', () => {
  assert.equal(goalAt(100, { 1000: 4, 5000: 6 }), []);
  assert.equal(goalAt(5000, { 1000: 4, 5000: 6 }), [{ of: 'value', atMost: 6 }]);
  const once = (processes: number, full: boolean) => isOnce({ processes, full } as Options);
  assert.equal([once(40, false), once(1000, false), once(5000, false)], [true, true, false]);
  assert.equal([once(100, true), once(1000, true), once(5000, true)], [false, true, false]);
});

test('a peer that is not installed is reported with its package', () => {
  const reason = whyNot({ ...netdata, needs: { 'no-such-program': 'some-package' } });
  if (process.geteuid?.() === 0)
    assert.match(reason ?? '', /^no-such-program not installed: apt-get install .* some-package$/);
  else assert.is(reason, 'needs root');
});

test.run();
