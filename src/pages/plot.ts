/** A chart on a canvas, by uPlot: loaded when a page first shows one. */
import UPlot from 'uplot';
import type { Values } from './series.ts';

interface PlotOptions {
  /** `token`: custom property with its colour. */
  readonly lines: readonly { readonly token: string; readonly filled: boolean }[];
  readonly format: (value: number) => string;
  readonly timeTick: (sec: number) => string;
  /** Minutes by which shown times are ahead of UTC. */
  readonly offsetMin: () => number;
  readonly whole: boolean;
  /** The scale reaches at least so far. */
  readonly least: number;
  /** Row under the pointer, here or on another chart of the page; null when it has left. */
  readonly pointed: (row: number | null) => void;
}

export interface Plot {
  /** `at` ascending in seconds, `columns` like the lines; the scale of time reaches back so many seconds from the last. */
  draw(at: readonly number[], columns: readonly Values[], reachSec: number): void;
  /** Puts the cursor on a row, or away. */
  point(row: number | null): void;
  close(): void;
}

const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5];
/** Share of a line's colour in the area below it. */
const FILL = '14%';
const AXIS_PX = 58;

/** Draws into `root`, as large as it is, in the colours of its tokens; follows its size and the colour scheme. */
export function makePlot(root: HTMLElement, options: PlotOptions): Plot {
  const { lines, format, timeTick, offsetMin, whole, least, pointed } = options;
  const style = getComputedStyle(root);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const font = `12px ${token('--font') || 'sans-serif'}`;
  const axis = (): UPlot.Axis => ({
    stroke: () => token('--soft'),
    font,
    grid: { stroke: () => token('--line'), width: 1 },
    ticks: { show: false },
  });
  const chart = new UPlot(
    {
      width: root.clientWidth,
      height: root.clientHeight,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        sync: { key: 'desk', setSeries: false },
        points: { size: 7 },
      },
      // Days and hours of the watched machine, not of the reader's.
      tzDate: (sec) => {
        const here = new Date(sec * 1000);
        return new Date(here.getTime() + (offsetMin() + here.getTimezoneOffset()) * 60_000);
      },
      scales: { y: { range: (_, __, most) => [0, Math.max(least, most * 1.08)] } },
      axes: [
        { ...axis(), size: 28, gap: 4, space: 70, values: (_, splits) => splits.map(timeTick) },
        {
          ...axis(),
          size: AXIS_PX,
          gap: 6,
          space: 34,
          values: (_, splits) => splits.map(format),
          ...(whole && { incrs: WHOLE }),
        },
      ],
      series: [
        {},
        // The first is on top.
        ...lines.toReversed().map(
          ({ token: name, filled }): UPlot.Series => ({
            stroke: () => token(name),
            width: 1.5,
            points: { show: false },
            ...(filled && { fill: () => `color-mix(in srgb, ${token(name)} ${FILL}, transparent)` }),
          }),
        ),
      ],
      hooks: {
        setCursor: [
          ({ cursor }) => pointed(cursor.left === undefined || cursor.left < 0 ? null : (cursor.idx ?? null)),
        ],
      },
    },
    [[], ...lines.map(() => [])],
    root,
  );
  const sized = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = root;
    if (width > 0 && (width !== chart.width || height !== chart.height)) chart.setSize({ width, height });
  });
  sized.observe(root);
  const recolour = () => chart.redraw(false);
  const media = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
  for (const one of media) one.addEventListener('change', recolour);
  return {
    draw(at, columns, reachSec) {
      chart.batch(() => {
        chart.setData([at, ...columns.toReversed()] as unknown as UPlot.AlignedData, false);
        const last = at.at(-1) ?? 0;
        chart.setScale('x', { min: last - reachSec, max: last });
      });
    },
    point(row) {
      const sec = row === null ? undefined : chart.data[0][row];
      chart.setCursor(
        sec === undefined ? { left: -10, top: -10 } : { left: chart.valToPos(sec, 'x'), top: 1 },
        true,
      );
    },
    close() {
      sized.disconnect();
      for (const one of media) one.removeEventListener('change', recolour);
      chart.destroy();
    },
  };
}
