/** Lines over a load, time on a logarithmic scale. Pure. */
import { decades, label, logScale, picture, px, stroke, type Words } from './svg.ts';

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [load: number, us: number])[];
  readonly colour: number;
  /** A peer or floor: dashed. */
  readonly peer: boolean;
}

const WIDTH = 820;
const LEFT = 80;
const RIGHT = 270;
const TOP = 76;
const BOTTOM = 360;
const HEIGHT = 410;
const APART = 17;

const inWords = (us: number): string =>
  us >= 1e6
    ? `${(us / 1e6).toLocaleString('en')} s`
    : us >= 1000
      ? `${(us / 1000).toLocaleString('en')} ms`
      : `${us.toLocaleString('en')} µs`;

/** Places labels at least `APART` from each other, in order, as close as possible to their lines. */
function spaced(wanted: readonly number[]): number[] {
  const placed = [...wanted];
  for (let at = 1; at < placed.length; at += 1)
    placed[at] = Math.max(placed[at] as number, (placed[at - 1] as number) + APART);
  const over = Math.max(0, (placed.at(-1) ?? 0) - BOTTOM);
  return placed.map((y) => y - over);
}

/** Each load has a place of its own, evenly spaced; null when no series has two points. */
export function lineChart(
  words: Omit<Words, 'description'>,
  axis: string,
  all: readonly Series[],
): string | null {
  const series = all.filter(({ points }) => points.length > 1);
  if (series.length === 0) return null;
  const loads = [...new Set(series.flatMap(({ points }) => points.map(([load]) => load)))].sort(
    (a, b) => a - b,
  );
  const values = series.flatMap(({ points }) => points.map(([, us]) => us));
  const ticks = decades(Math.min(...values), Math.max(...values));
  const y = logScale(ticks, BOTTOM, TOP);
  const x = (load: number) =>
    LEFT + 20 + (loads.indexOf(load) / (loads.length - 1)) * (WIDTH - LEFT - RIGHT - 40);
  const body: string[] = [];
  for (const tick of ticks) {
    body.push(stroke(LEFT, y(tick), WIDTH - RIGHT, y(tick), 'grid'));
    body.push(label(LEFT - 8, y(tick) + 4, inWords(tick), 'end', 'dim'));
  }
  for (const load of loads)
    body.push(label(x(load), BOTTOM + 20, load.toLocaleString('en'), 'middle', 'dim'));
  body.push(label((LEFT + WIDTH - RIGHT) / 2, BOTTOM + 40, axis, 'middle', 'dim'));
  const byEnd = [...series].sort((a, b) => y(lastUs(a)) - y(lastUs(b)));
  const places = spaced(byEnd.map((one) => y(lastUs(one)) + 4));
  byEnd.forEach(({ name, points, colour, peer }, index) => {
    const path = points.map(([load, us]) => `${px(x(load))},${px(y(us))}`).join(' ');
    body.push(`<polyline class="line l${colour}${peer ? ' peer' : ''}" points="${path}"/>`);
    for (const [load, us] of points)
      body.push(`<circle class="f${colour}" cx="${px(x(load))}" cy="${px(y(us))}" r="4"/>`);
    const end = places[index] as number;
    const last = points.at(-1) as readonly [number, number];
    const edge = WIDTH - RIGHT + 14;
    body.push(stroke(x(last[0]) + 7, y(last[1]), edge - 4, end - 4, 'grid'));
    body.push(label(edge, end, name, 'start', `f${colour}`));
  });
  const description = byEnd
    .map(
      ({ name, points }) => `${name}: ${points.map(([load, us]) => `${inWords(us)} at ${load}`).join(', ')}`,
    )
    .join('. ');
  return picture(WIDTH, HEIGHT, { ...words, description: `${description}.` }, body);
}

const lastUs = ({ points }: Series): number => (points.at(-1) as readonly [number, number])[1];
