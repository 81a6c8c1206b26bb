/** The axes of the war machine as a radar, with the formula behind each number on hover and on focus. */
import type { Page } from '../records/page.ts';
import { Section, Soft, Table, words } from './parts.tsx';

type Axis = Page['axes'][number];

/** Of the drawing, in its own units. */
const WIDTH = 480;
const HEIGHT = 380;
const CENTRE = { x: WIDTH / 2, y: HEIGHT / 2 };
/** Radius of 0 and of 100 points; the grade is within the hub. */
const HUB = 46;
const RIM = 138;
const LABEL = RIM + 16;
const RINGS = [25, 50, 75, 100];

type Point = readonly [x: number, y: number];

/** A place on axis `at` of `count`, the first one pointing up; to a tenth, so that server and browser write the same. */
export function place(at: number, count: number, radius: number): Point {
  const angle = (2 * Math.PI * at) / count - Math.PI / 2;
  const rounded = (value: number): number => Math.round(10 * value) / 10;
  return [rounded(CENTRE.x + radius * Math.cos(angle)), rounded(CENTRE.y + radius * Math.sin(angle))];
}

const radiusOf = (points: number): number => HUB + ((RIM - HUB) * points) / 100;
const path = (points: readonly Point[]): string => points.map((point) => point.join(',')).join(' ');

/** In place of points. */
const UNSET = 'not set';

/** What an axis is worth, in words. */
const worth = ({ points }: Axis): string =>
  points === null ? 'not configured or never measured' : `${points} of 100`;

/** Where a label's text begins, by its side. */
function anchorOf([x]: Point): 'start' | 'middle' | 'end' {
  if (Math.abs(x - CENTRE.x) < 20) return 'middle';
  return x > CENTRE.x ? 'start' : 'end';
}

function Spoke({ axis, at, count }: { axis: Axis; at: number; count: number }) {
  const { name, points, formula } = axis;
  const [hubX, hubY] = place(at, count, HUB);
  const [rimX, rimY] = place(at, count, RIM);
  const label = place(at, count, LABEL);
  const [x, y] = label;
  // Labels above and below keep clear of the drawing.
  const lift = Math.round((11 * (y - CENTRE.y)) / LABEL);
  const [dotX, dotY] = points === null ? [hubX, hubY] : place(at, count, radiusOf(points));
  // The sector of the axis: a pointer need not hit its line.
  const own = [
    place(at - 0.5, count, HUB),
    place(at - 0.5, count, RIM),
    place(at, count, LABEL + 30),
    place(at + 0.5, count, RIM),
    place(at + 0.5, count, HUB),
  ];
  return (
    <a
      class={`axis axis-${at} ${points === null ? 'absent' : ''}`}
      href={`#axis-${name}`}
      aria-label={`${words(name)} ${points === null ? `${UNSET}: ${worth(axis)}` : worth(axis)}; ${formula}`}
    >
      <polygon class="own" points={path(own)} />
      <line x1={hubX} y1={hubY} x2={rimX} y2={rimY} />
      <circle cx={dotX} cy={dotY} r={points === null ? 4 : 4.5} />
      <text x={x} y={y - 3 + lift} text-anchor={anchorOf(label)}>
        <tspan class="axis-name">{words(name)}</tspan>{' '}
        <tspan class="axis-points" x={x} dy="1.2em">
          {points ?? UNSET}
        </tspan>
      </text>
    </a>
  );
}

interface RadarProps {
  readonly axes: readonly Axis[];
  readonly grade: string;
  readonly score: number;
}

export function Radar({ axes, grade, score }: RadarProps) {
  const count = axes.length;
  const ring = (points: number): string => path(axes.map((_, at) => place(at, count, radiusOf(points))));
  const reached = axes.flatMap(({ points }, at) =>
    points === null ? [] : [place(at, count, radiusOf(points))],
  );
  return (
    <figure class="radar">
      {/* biome-ignore lint/a11y/useSemanticElements: not an image, its axes are links that are reached one by one */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="group"
        aria-label={`Axes of the score: grade ${grade}, ${score} of 100`}
      >
        <g class="rings">
          {RINGS.map((points) => (
            <polygon key={points} points={ring(points)} />
          ))}
        </g>
        <polygon class="reached" points={path(reached)} />
        <circle class="hub" cx={CENTRE.x} cy={CENTRE.y} r={HUB - 4} />
        <text class="grade" x={CENTRE.x} y={CENTRE.y + 9} text-anchor="middle">
          {grade}
        </text>
        <text class="score" x={CENTRE.x} y={CENTRE.y + 28} text-anchor="middle">
          {score}
        </text>
        {axes.map((axis, at) => (
          <Spoke key={axis.name} axis={axis} at={at} count={count} />
        ))}
      </svg>
      <figcaption>
        <p class="formula formula-none soft">Point at an axis, or reach it with Tab, for its formula.</p>
        {axes.map((axis, at) => (
          // The same is in the table and in the name of the axis.
          <p key={axis.name} class={`formula formula-${at}`} aria-hidden="true">
            <strong>
              {words(axis.name)}: {worth(axis)}.
            </strong>{' '}
            {axis.formula}
          </p>
        ))}
      </figcaption>
    </figure>
  );
}

/** The radar with its table. */
export const WarMachine = ({ axes, grade, score }: RadarProps) => (
  <Section
    id="axes"
    title="How well the desk does its work"
    aside={
      <span>
        Grade <strong>{grade}</strong>, {score} of 100
      </span>
    }
  >
    <div class="war-machine">
      <Radar axes={axes} grade={grade} score={score} />
      <Table
        caption="The formula behind each number; an axis that is not configured is left out of the score"
        columns={[
          { head: 'Axis' },
          { head: 'Points', class: 'number' },
          { head: 'Weight', class: 'number' },
          { head: 'Formula' },
        ]}
        keys={axes.map(({ name }) => name)}
        rows={axes.map(({ name, points, weight, formula }) => [
          <span key="name" id={`axis-${name}`}>
            {words(name)}
          </span>,
          points ?? <Soft key="none">none</Soft>,
          weight,
          formula,
        ])}
      />
    </div>
  </Section>
);
