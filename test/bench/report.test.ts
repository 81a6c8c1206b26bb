import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isMeasured, linesOf } from '../../bench/print.ts';
import { charts, growthSeries } from '../../bench/report/charts.ts';
import { benchmarksPage } from '../../bench/report/page.ts';
import { decades, logScale } from '../../bench/report/svg.ts';
import { PUBLISHED, readResults } from '../../bench/results.ts';
import { measured, row } from './rows.ts';

const at = (processes: number, established: number, us: number) =>
  row([measured({ rawA: [[us]], rawB: [[us * 10]] })], {
    point: { processes, listeners: 20, established },
  });
const rows = [at(100, 0, 1), at(1000, 0, 10), at(5000, 0, 50), at(1000, 2000, 10), at(1000, 20_000, 11)];

/** Element names of a picture, checked for proper nesting: enough XML to notice a stray `<`. */
function elements(svg: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  for (const [, close, name = '', rest = ''] of svg.matchAll(/<(\/?)([a-zA-Z]+)([^<>]*)>/g)) {
    if (close === '/') assert.is(open.pop(), name);
    else {
      names.push(name);
      if (!rest.endsWith('/')) open.push(name);
    }
  }
  assert.equal(open, []);
  assert.is((svg.match(/</g) ?? []).length, (svg.match(/<\/?[a-zA-Z]+[^<>]*>/g) ?? []).length);
  return names;
}

test('charts are well-formed, have a title, and support two colour schemes', () => {
  const made = charts(rows);
  assert.equal(
    made.map(({ path }) => path),
    ['benchmarks/peers.svg', 'benchmarks/growth-processes.svg', 'benchmarks/growth-connections.svg'],
  );
  for (const { svg, path } of made) {
    const names = elements(svg);
    assert.ok(names.includes('title') && names.includes('desc'), path);
    assert.match(svg, 'prefers-color-scheme: dark');
    assert.match(svg, 'aria-labelledby');
    assert.not.match(svg, /NaN|Infinity|undefined/);
  }
});

test('the growth chart describes every point as text', () => {
  const growth = charts(rows).find(({ path }) => path.includes('processes'))?.svg ?? '';
  assert.match(growth, '1 µs at 100, 10 µs at 1000, 50 µs at 5000');
  assert.match(growth, '10 µs at 100, 100 µs at 1000, 500 µs at 5000');
});

test('a case that was measured at one load has no growth, however many comparisons it has', () => {
  const twice = row([measured({ name: 'x against a' }), measured({ name: 'x against b' })]);
  assert.equal(growthSeries([twice], 'processes'), []);
});

test('text from results is escaped', () => {
  const bad = row([measured({ name: 'against <script>' })], { title: 'a "b" & <c>' });
  const [chart] = charts([bad]);
  elements(chart?.svg ?? '');
  assert.not.match(chart?.svg ?? '', '<script>');
});

test('the page lists reached, missed and not run goals, each with its figures', () => {
  const missed = row([measured({ goals: [{ of: 'speedup', atLeast: 11 }] })], { case: 'slow' });
  const absent = row(
    [{ name: 'against an absent peer', goals: [{ of: 'speedup', atLeast: 2 }], notRun: 'not there' }],
    {
      case: 'none',
    },
  );
  const page = benchmarksPage([...rows, missed, absent], []);
  assert.match(
    page,
    '| P1 | sweep: against peer | root | 1,000 / 20 / 0 | ≥ 5 times faster than B | 10 times | 10 to 10 | reached | `sweep --rounds 5` |',
  );
  assert.match(
    page,
    '| P1 | slow: against peer | root | 1,000 / 20 / 0 | ≥ 11 times faster than B | 10 times | 10 to 10 | **MISSED** |',
  );
  assert.match(page, 'not run |  | not there |');
  assert.match(page, /\| sweep \| processes \| .* \| 50 × \| 1\.00 \|/);
});

test('rows of root and of an ordinary user are separate, and P8 lists the loads that were run', () => {
  const own = row([measured()], { case: 'sweep-procfs', target: 'P2' });
  const theirs = { ...own, machine: { ...own.machine, user: 'ordinary' as const } };
  const page = benchmarksPage([theirs, own], []);
  const [first, second] = page.split('\n').filter((line) => line.startsWith('| P2 | sweep-procfs'));
  assert.match(first ?? '', '| root |');
  assert.match(second ?? '', '| ordinary user |');
  assert.match(second ?? '', '`sweep-procfs --user ordinary --rounds 5`');
  assert.match(
    page,
    '| P8 | sweep-procfs: growth with processes |  |  | plotted at 100, 1,000, 5,000 | plotted at 1,000 |',
  );
  assert.match(page, '| not all loads were run |');
});

test('a busy machine is reported beside its figures', () => {
  const busy = row([measured()], { load: 9.5 });
  assert.match(benchmarksPage([busy], []), 'busy machine: load 9.5 on 2 cores');
  assert.match(linesOf(busy).join(), 'busy machine');
  assert.not.match(linesOf(row([measured()])).join(), 'busy machine');
});

test('without results there is a page without charts', () => {
  assert.match(benchmarksPage([], []), 'Nothing is published yet');
  assert.equal(charts([]), []);
});

test('the printed lines contain reached and missed goals and the reason of what was not run', () => {
  const missed = measured({ goals: [{ of: 'speedup', atLeast: 11 }] });
  const text = linesOf(row([measured(), missed, { name: 'x', goals: [], notRun: 'why not' }])).join('\n');
  assert.match(text, 'reached');
  assert.match(text, 'MISSED');
  assert.match(text, 'x: not run: why not');
});

test('scales map values to ticks and pixels', () => {
  assert.equal(decades(3, 250), [1, 10, 100, 1000]);
  assert.equal(decades(10, 10), [10, 100]);
  assert.is(logScale([1, 10, 100], 0, 200)(10), 100);
});

test('the published results can be read, and every goal against a peer has that peer', () => {
  const published = readResults(PUBLISHED);
  assert.ok(published.length > 0);
  assert.ok(published.every(({ comparisons }) => comparisons.length > 0));
  assert.ok(published.some(({ comparisons }) => comparisons.some(isMeasured)));
  assert.match(benchmarksPage(published, charts(published)), '## Targets');
});

test.run();
