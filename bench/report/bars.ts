/** Horizontal bars in groups. Pure. */
import { decades, label, linearScale, logScale, picture, px, steps, stroke, type Words } from './svg.ts';

interface Bar {
  readonly label: string;
  readonly value: number;
  /** Text after the bar. */
  readonly text: string;
  readonly colour: number;
  /** The goal, marked on the scale. */
  readonly target?: number;
}

export interface Group {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 820;
const LEFT = 250;
const RIGHT = 130;
const STEP = 26;
const HEAD = 34;

/** Bars from 0 (linear) or 1 (log) on; null when there is nothing to show. */
export function barChart(
  words: Omit<Words, 'description'>,
  scale: 'log' | 'linear',
  groups: readonly Group[],
): string | null {
  const bars = groups.flatMap(({ bars: own }) => own);
  if (bars.length === 0) return null;
  const values = bars.flatMap(({ value, target }) => [value, target ?? value]);
  const linear = scale === 'linear';
  const ticks = linear ? steps(Math.max(...values)) : decades(Math.min(1, ...values), Math.max(...values));
  const x = (linear ? linearScale : logScale)(ticks, LEFT, WIDTH - RIGHT);
  const rows = groups.filter((group) => group.bars.length > 0);
  const height = 84 + rows.reduce((sum, { bars: own }) => sum + HEAD + own.length * STEP, 0) + 26;
  const body: string[] = [];
  const bottom = height - 34;
  for (const tick of ticks) {
    body.push(stroke(x(tick), 64, x(tick), bottom, 'grid'));
    body.push(label(x(tick), bottom + 18, `${tick.toLocaleString('en')}×`, 'middle', 'dim'));
  }
  let y = 64;
  for (const { title, bars: own } of rows) {
    body.push(label(20, y + 22, title, 'start', 'dim'));
    y += HEAD;
    for (const bar of own) {
      const width = Math.max(2, x(bar.value) - LEFT);
      body.push(label(LEFT - 10, y + 15, bar.label, 'end'));
      body.push(
        `<rect class="f${bar.colour}" x="${LEFT}" y="${px(y + 3)}" width="${px(width)}" height="${STEP - 8}" rx="2"/>`,
      );
      if (bar.target !== undefined)
        body.push(stroke(x(bar.target), y, x(bar.target), y + STEP - 2, 'target'));
      const behind = Math.max(LEFT + width, bar.target === undefined ? 0 : x(bar.target));
      body.push(label(behind + 8, y + 16, bar.text, 'start', 'value'));
      y += STEP;
    }
  }
  const description = rows
    .map(({ title, bars: own }) => `${title}: ${own.map((bar) => `${bar.label} ${bar.text}`).join(', ')}`)
    .join('. ');
  return picture(WIDTH, height, { ...words, description: `${description}.` }, body);
}
