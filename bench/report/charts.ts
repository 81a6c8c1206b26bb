/** The charts of docs/benchmarks.md, from result rows. Pure. */
import type { Measured } from '../cases/case.ts';
import { figuresOf, rivalry, short } from '../figures.ts';
import { BASE } from '../options.ts';
import { isMeasured } from '../print.ts';
import type { Row } from '../results.ts';
import { barChart, type Group } from './bars.ts';
import { lineChart, type Series } from './lines.ts';
import { COLOURS } from './svg.ts';

export interface Chart {
  /** Below docs/. */
  readonly path: string;
  readonly alt: string;
  readonly svg: string;
}

const isBase = ({ point }: Row): boolean =>
  point.processes === BASE.processes && point.established === BASE.established;
const toUs: Readonly<Record<string, number>> = { µs: 1, ms: 1000 };

const hasRival = (one: Measured): boolean => rivalry(one.name) !== null && one.rawB !== undefined;
const isFloor = ({ goals }: Measured): boolean => goals.length > 0 && goals.every(({ of }) => of === 'ratio');
const byOrdinary = ({ machine }: Row): string => (machine.user === 'root' ? '' : ', ordinary user');

function bar(one: Measured, colour: number): Group['bars'][number] {
  const times = 1 / (figuresOf(one).ratio?.median ?? Number.NaN);
  const target = one.goals.find(({ of }) => of === 'speedup')?.atLeast;
  return {
    label: rivalry(one.name)?.rival ?? one.name,
    value: times,
    text: `${short(times)} times`,
    colour,
    ...(target === undefined ? {} : { target }),
  };
}

/** A group for each form of each case, its rivals as bars. */
function peers(rows: readonly Row[]): string | null {
  const groups = rows.filter(isBase).flatMap((row, index) => {
    const fought = row.comparisons.filter(isMeasured).filter((one) => hasRival(one) && !isFloor(one));
    const forms = [...new Set(fought.map(({ name }) => rivalry(name)?.form ?? ''))];
    return forms.map((form): Group => {
      const own = fought.filter(({ name }) => rivalry(name)?.form === form);
      const title = `${row.title}${form === '' ? '' : `: ${form}`}${byOrdinary(row)}`;
      return { title, bars: own.map((one) => bar(one, index % COLOURS)) };
    });
  });
  return barChart(
    {
      title: 'How many times faster than its peers',
      note: 'B/A of the same run, median of the rounds; a black stroke is the target',
    },
    'log',
    groups,
  );
}

type Load = 'processes' | 'established';

/** A line for each case's own work and one for what it is measured beside. */
export function growthSeries(rows: readonly Row[], load: Load): Series[] {
  const other: Load = load === 'processes' ? 'established' : 'processes';
  const own = rows.filter(({ point }) => point[other] === BASE[other]);
  const found = new Map<string, { peer: boolean; points: [number, number][] }>();
  const add = (name: string, peer: boolean, at: number, us: number): void => {
    const series = found.get(name) ?? { peer, points: [] };
    series.points.push([at, us]);
    found.set(name, series);
  };
  for (const row of own) {
    for (const one of row.comparisons.filter(isMeasured)) {
      const factor = toUs[one.unit];
      // What is reported for orientation as root has its line as an ordinary user, who has no target there.
      if (factor === undefined || (one.goals.length === 0 && row.machine.user === 'root')) continue;
      const { a, b } = figuresOf(one);
      add(ownName(row, one), false, row.point[load], a.median * factor);
      // A floor runs along its line.
      const rival = rivalry(one.name)?.rival;
      if (b !== null && rival !== undefined && !isFloor(one))
        add(`${rival}${byOrdinary(row)}`, true, row.point[load], b.median * factor);
    }
  }
  return [...found]
    .map(([name, { peer, points }]) => ({ name, peer, points: unique(points) }))
    .filter(({ points }) => points.length > 1)
    .map((series, index) => ({ ...series, colour: index % COLOURS }));
}

/** All comparisons of one form share one A: its line. */
function ownName(row: Row, { name }: Measured): string {
  const form = rivalry(name)?.form ?? name;
  return `${form === '' ? row.case : `${row.case}: ${form}`}${byOrdinary(row)}`;
}

function unique(points: readonly [number, number][]): [number, number][] {
  return [...new Map([...points].reverse()).entries()].sort(([a], [b]) => a - b);
}

/** Comparisons of builds say so in their name. */
const betweenMarks = ({ name }: Measured): boolean => /avx512_mark (?:over|against) x86_64/.test(name);

/** Speed of each build over the plainest one, work by work. */
function marks(rows: readonly Row[]): string | null {
  const groups = rows.filter(isBase).flatMap((row) =>
    row.comparisons
      .filter(isMeasured)
      .filter(betweenMarks)
      .flatMap((one): Group[] => {
        const { ratio } = figuresOf(one);
        if (ratio === null) return [];
        const bar = (label: string, value: number, colour: number) => ({
          label,
          value,
          text: `${short(value)} times`,
          colour,
        });
        return [{ title: one.name, bars: [bar(one.b ?? '', 1, 1), bar(one.a, 1 / ratio.median, 0)] }];
      }),
  );
  return barChart(
    {
      title: 'The marks side by side',
      note: 'speed over the plainer build, taken in turns in one run; longer is faster',
    },
    'linear',
    groups,
  );
}

export function charts(rows: readonly Row[]): Chart[] {
  const made: readonly (readonly [path: string, alt: string, svg: string | null])[] = [
    ['benchmarks/peers.svg', 'How many times faster than each peer', peers(rows)],
    [
      'benchmarks/growth-processes.svg',
      'Time over the number of processes',
      lineChart(
        {
          title: 'Growth with the number of processes',
          note: 'time of one call, median of the rounds; dashed: peers; loads are spaced evenly',
        },
        'processes',
        growthSeries(rows, 'processes'),
      ),
    ],
    [
      'benchmarks/growth-connections.svg',
      'Time over the number of established connections',
      lineChart(
        {
          title: 'Growth with the number of established connections',
          note: 'time of one call, median of the rounds; dashed: peers; loads are spaced evenly',
        },
        'established connections',
        growthSeries(rows, 'established'),
      ),
    ],
    ['benchmarks/marks.svg', 'The CPU builds side by side', marks(rows)],
  ];
  return made.flatMap(([path, alt, svg]) => (svg === null ? [] : [{ path, alt, svg }]));
}
