/** docs/benchmarks.md from result rows: what is reached, what is missed, what was not run. Pure. */
import type { Measured, NotRun } from '../cases/case.ts';
import { CASES } from '../cases/index.ts';
import { figuresOf, goalText, judge, short } from '../figures.ts';
import { BASE } from '../options.ts';
import { busyText, isMeasured } from '../print.ts';
import type { Row } from '../results.ts';
import { growthExponent } from '../stats.ts';
import { type Chart, growthSeries } from './charts.ts';
import { distributions } from './distributions.ts';

const HOW = `# Benchmarks

\`npm run docs\` generates the figures, tables and charts below from the raw values in \`bench/results/\`.
Absolute times depend on the machine, and machines are noisy: compare the ratios, which are each taken in one
run with both sides alternating.

## Run it

| command | does |
|---|---|
| \`desk bench\` | the short form, in the installed package: sweep, recheck, listeners, batch on this machine as it is |
| \`npm run bench\` | all cases except the long ones, at 1,000 processes, listeners also with 2,000 connections; a few minutes |
| \`npm run bench -- --full\` | more rounds, every load (100, 1,000, 5,000 processes; 0, 2,000, 20,000 connections), every installed peer, also the long cases; about five hours (it prints an estimate first) |
| \`npm run bench -- wedged gate-sequences pid-churn quarantine-attack\` | some of the long cases (\`--help\` lists all): fifty processes that block their readers, and things that must never happen (S), counted by the long forms of tests |
| \`npm run bench -- busy busy-memory\` | the cost of changes (B): CPU and memory of the whole service on a busy machine, beside netdata, btop and forkstat where they are installed; \`busy --processes 5000\` for the larger load, \`busy-memory --full\` for an hour |
| \`npm run bench -- everything\` | the same of a service with everything on (alerts, digest, heartbeat, sites, status page, remote listener, tools), beside the default configuration |
| \`npm run bench -- snapshot-to-page long-table\` | the pages (W) in Debian's Chromium: how soon a page shows a change, and how smooth its longest table is |
| \`npm run bench -- --user root\` | skips the second pass as an ordinary user; \`--user ordinary\` skips the first |
| \`npm run bench -- --peers\` | also runs peers that take seconds, and installs those from npm into \`build/bench/peers\` |
| \`npm run bench -- --mark\` | compares the CPU builds that this machine runs |
| \`npm run bench -- --publish\` | writes the raw values to \`bench/results/\` instead of \`build/bench/results/\` |
| \`npm run bench -- --out FOLDER\` | writes them there, for \`compare\` |
| \`npm run bench -- sweep-procfs http\` | only these cases; \`--rounds\`, \`--processes\` and \`--established\` set the load |
| \`npm run bench -- compare BEFORE AFTER\` | what changed beyond noise between two folders of results |
| \`npm run bench -- --arch aarch64\` | the aarch64 build under qemu: correctness and instruction counts, never times |

## How it measures

- The load comes from \`bench/farm\`: idle processes, 20 listeners (TCP and UDP, IPv4 and IPv6) and established loopback
  connections, as root in a separate network namespace, so that the host's sockets are not disturbed or measured.
- Each round is a fresh process; sides alternate A B A B. The first calls of a round warm up and are not counted. A figure is the median
  over the rounds of the medians within them; a ratio is the median of the ratios of neighbouring rounds.
- As root, cases that make sense for an ordinary user run a second time as user 65534, in the same run and with the same
  load of root's processes. Targets that need root do not apply to that user.
- *reached* and *MISSED* judge that median. *not run* gives the reason: a missing peer or privilege is neither failure nor success.
- \`compare\` uses A/B where both runs have the same peer, else A. *Changed* means: a two-sided Mann–Whitney test on the
  rounds below 0.01, a bootstrap interval (95 %) of the change that excludes 1, and at least 2 %. Fewer than five rounds are not compared.
- Cases of S run the long form of a test ([testing.md](testing.md)) once: its counts are the figures, and a test that fails misses its target.
- A banned listener is timed from the outside: from just before listen(2) in a separate process to the finding in the event stream of
  a running service, and to the end of that process with its port free.
- Pages (W) are measured in Debian's headless Chromium with software rendering. The time from a snapshot to the page uses the service's
  times (in milliseconds), User Timing marks of the page ([live](live.md)), a MutationObserver, an animation frame and a task after it, all
  on the clock of the machine; the offset of the browser's clock is measured at each change. *overtaken* are changes that a page reading already
  contained before their event arrived: for them the snapshot is that of the reading, and there are no steps before its answer.
- Peers that are programs are timed as whole runs; libraries as calls inside their own process.
- The cost of changes (B) is CPU time of the built service (default configuration, except for its ports, its log level and a law that excepts the checkout), with all its threads and helpers, ended ones included: the
  CPU clock of each living process of the group (in nanoseconds, which \`schedstat\` has too, but it loses ended threads) and \`cutime\` and \`cstime\` of its
  \`stat\` (ended children, in ticks of 10 ms). Memory is their PSS. What the kernel does for the service inside system calls of other programs (its BPF programs,
  the sending of process events) is not in it; nor are the answers of \`/metrics\`, which are read outside of the spans. A span begins when CPU no longer falls after the
  start (*settled after s*). A change costs what the group uses beyond the mean of a quiet span before and one after, divided by the changes;
  on a machine with more than 20 events per second of other programs that is *not run*. Such noise raises the other figures of CPU.
- Peers of B run under the same load in the same round, each alone, with their files in a private folder.
- What a storm misses (B10) is counted in a second, equal storm, so that the event stream's reader is not in the cost of the first. A process of 100 ms is seen when the service
  counted it (\`short_lived\` of \`/detection\`), a listener of 100 ms when the event stream has it or the service ended it; some are made before the storm, and when
  none of these is seen, the figure is *not run*.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const line = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const load = ({ processes, listeners, established }: Row['point']): string =>
  `${processes.toLocaleString('en')} / ${listeners} / ${established.toLocaleString('en')}`;

/** Base first, then as the load grows. */
const inOrder = (rows: readonly Row[]): Row[] =>
  [...rows].sort(
    (a, b) =>
      a.target.localeCompare(b.target) ||
      a.case.localeCompare(b.case) ||
      b.machine.user.localeCompare(a.machine.user) ||
      Number(b.point.processes === BASE.processes) - Number(a.point.processes === BASE.processes) ||
      a.point.established - b.point.established ||
      a.point.processes - b.point.processes,
  );

function targetTable(rows: readonly Row[]): string[] {
  const lines = rows.flatMap((row) =>
    row.comparisons
      .filter(({ goals }) => goals.length > 0)
      .flatMap((one) => (isMeasured(one) ? reached(row, one) : missing(row, one))),
  );
  return [
    '## Targets',
    '',
    'Load: processes / listeners / connections. A is ours, B the peer or floor. The spread is that of the rounds.',
    '',
    line('target', 'what', 'as', 'load', 'wanted', 'found', 'spread', '', 'again with `npm run bench --` …'),
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
    ...growthCover(rows),
    '',
  ];
}

function reached(row: Row, one: Measured): string[] {
  const { a, ratio } = figuresOf(one);
  return judge(one).map(({ goal, found, reached: good }) => {
    const tail = goal.of === 'value' ? ` ${one.unit}` : goal.of === 'ratio' ? ' × B' : ' times';
    const { lowest, highest } = goal.of === 'value' || ratio === null ? a : ratio;
    const [low, high] = goal.of === 'speedup' ? [1 / highest, 1 / lowest] : [lowest, highest];
    return line(
      row.target,
      `${row.case}: ${one.name}`,
      as(row),
      load(row.point),
      goalText(goal, one.unit),
      `${short(found)}${tail}`,
      `${short(low)} to ${short(high)}`,
      good ? 'reached' : '**MISSED**',
      again(row, one),
    );
  });
}

const as = ({ machine }: Row): string => (machine.user === 'root' ? 'root' : 'ordinary user');

/** The words that measure a row once more. */
function again({ case: id, point, machine, rounds }: Row, one: Row['comparisons'][number]): string {
  const slow = /against (systeminformation|find-process)$/.test(one.name) ? ' --peers' : '';
  const minutes = /against unhide$/.test(one.name) ? ' --full' : '';
  const at = [
    ...(point.processes === BASE.processes ? [] : [`--processes ${point.processes}`]),
    ...(point.established === BASE.established ? [] : [`--established ${point.established}`]),
    ...(machine.user === 'root' ? [] : ['--user ordinary']),
    `--rounds ${rounds}`,
  ];
  return `\`${id} ${at.join(' ')}${slow}${minutes}\``;
}

const LOADS = { processes: [100, 1000, 5000], established: [0, 2000, 20_000] } as const;

/** P8: each case that grows with a load, with the loads that it was measured at. */
function growthCover(rows: readonly Row[]): string[] {
  return CASES.flatMap(({ id, grows }) =>
    grows.map((key) => {
      const other = key === 'processes' ? 'established' : 'processes';
      const own = rows.filter((row) => row.case === id && row.point[other] === BASE[other]);
      const there = LOADS[key].filter((at) => own.some(({ point }) => point[key] === at));
      const listed = (loads: readonly number[]) => loads.map((at) => at.toLocaleString('en')).join(', ');
      const word = key === 'processes' ? 'processes' : 'connections';
      const all = there.length === LOADS[key].length;
      const found = there.length === 0 ? 'not run' : `plotted at ${listed(there)}`;
      const verdict = all ? 'reached' : 'not all loads were run';
      const again = `\`${id} --full\``;
      return line(
        'P8',
        `${id}: growth with ${word}`,
        '',
        '',
        `plotted at ${listed(LOADS[key])}`,
        found,
        '',
        verdict,
        again,
      );
    }),
  );
}

const missing = (row: Row, one: NotRun): string[] =>
  one.goals.map((goal) =>
    line(
      row.target,
      `${row.case}: ${one.name}`,
      as(row),
      load(row.point),
      goalText(goal, one.unit ?? ''),
      'not run',
      '',
      one.notRun,
      again(row, one),
    ),
  );

function caseTables(rows: readonly Row[]): string[] {
  const ids = [...new Set(rows.map(({ case: id }) => id))];
  return ids.flatMap((id) => {
    const own = rows.filter((row) => row.case === id);
    const [first] = own as [Row, ...Row[]];
    const facts = Object.entries(first.facts).map(([name, value]) => `${name} ${value}`);
    const busy = busyText(first);
    if (busy !== '') facts.push(`**${busy}**`);
    const rounds = Math.max(0, ...first.comparisons.filter(isMeasured).map(({ rawA }) => rawA.length));
    return [
      `### ${first.target} ${first.title}`,
      '',
      `Case \`${id}\`${facts.length === 0 ? '' : `; ${facts.join(', ')}`}; ${rounds} round${rounds === 1 ? '' : 's'}.`,
      '',
      line('what', 'as', 'load', 'A', 'B', 'A/B (lowest to highest)', 'B does'),
      '|---|---|---|---|---|---|---|',
      ...own.flatMap((row) => row.comparisons.map((one) => figureLine(row, one))),
      '',
    ];
  });
}

function figureLine(row: Row, one: Row['comparisons'][number]): string {
  if (!isMeasured(one)) return line(one.name, as(row), load(row.point), 'not run', '', '', one.notRun);
  const { a, b, ratio } = figuresOf(one);
  return line(
    one.name,
    as(row),
    load(row.point),
    `${short(a.median)} ${one.unit}`,
    b === null ? '' : `${short(b.median)} ${one.unit}`,
    ratio === null ? '' : `${short(ratio.median)} (${short(ratio.lowest)} to ${short(ratio.highest)})`,
    one.b ?? '',
  );
}

function growthTable(rows: readonly Row[]): string[] {
  const lines = (
    [
      ['processes', 'processes'],
      ['established', 'connections'],
    ] as const
  ).flatMap(([key, word]) =>
    growthSeries(rows, key).map(({ name, points }) => {
      const grown = points.map(([at, us]) => `${short(us)} µs at ${at.toLocaleString('en')}`).join(', ');
      const positive = points.filter(([at]) => at > 0);
      const exponent = positive.length > 1 ? growthExponent(positive).toFixed(2) : '';
      const [low, high] = [points[0]?.[1] ?? Number.NaN, points.at(-1)?.[1] ?? Number.NaN];
      return line(name, word, grown, `${short(high / low)} ×`, exponent);
    }),
  );
  if (lines.length === 0) return [];
  return [
    '## Growth',
    '',
    'Target P8. The exponent is the slope on logarithmic scales: 1 is linear growth, 0 is flat.',
    '',
    line('what', 'with', 'time', 'last over first', 'exponent'),
    '|---|---|---|---|---|',
    ...lines,
    '',
  ];
}

function provenance(rows: readonly Row[]): string[] {
  const runs = new Map<string, string[]>();
  for (const { machine, commit, at, case: id } of rows) {
    const { cpu, cores, memoryGb, kernel, system, node, user } = machine;
    const words = `${cpu}, ${cores} cores, ${memoryGb} GB, kernel ${kernel}, ${system}, Node ${node}, as ${user}; commit ${commit || 'unknown'}, ${at.slice(0, 10)}`;
    runs.set(words, [...(runs.get(words) ?? []), id]);
  }
  return [
    '## Where the figures come from',
    '',
    ...[...runs].map(([words, ids]) => `- ${words}: ${[...new Set(ids)].join(', ')}`),
    '',
  ];
}

export function benchmarksPage(all: readonly Row[], drawn: readonly Chart[]): string {
  const rows = inOrder(all);
  if (rows.length === 0) return `${HOW}\nNothing is published yet.\n`;
  return [
    HOW,
    ...provenance(rows),
    ...targetTable(rows),
    ...drawn.flatMap(({ path, alt }) => [`![${alt}](${path})`, '']),
    ...growthTable(rows),
    ...distributions(rows, line),
    '## Every figure',
    '',
    ...caseTables(rows),
  ].join('\n');
}
