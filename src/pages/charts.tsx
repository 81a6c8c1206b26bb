/** Charts of what the desk measures: lines over time, the figures of each in words, its values by pointer and keyboard. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { History } from '../records/history.ts';
import { type Sample, SPAN_SEC } from '../records/measures.ts';
import { Choice } from './choice.tsx';
import { useDesk } from './desk-context.ts';
import { useHistory } from './history.ts';
import { Section } from './parts.tsx';
import type { Plot } from './plot.ts';
import {
  dayText,
  offsetOf,
  PANELS,
  type Panel,
  pointOf,
  SPANS,
  type Span,
  type Summary,
  shownOf,
  summaryOf,
  timeText,
  type Values,
  valuesOf,
} from './series.ts';

type Draw = typeof import('./plot.ts');

const FIGURES = ['now', 'least', 'median', 'most'] as const satisfies readonly (keyof Summary)[];

/** What is not known is a dash. */
const told = ({ format }: Panel, value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : format(value);

/** `14:03:22: recheck 812 µs, longest 3.2 ms`. */
function rowText({ lines, format }: Panel, columns: readonly Values[], row: number, time: string): string {
  const values = lines.map(({ label }, at) => {
    const value = columns[at]?.[row] ?? null;
    return `${label} ${value === null ? 'unknown' : format(value)}`;
  });
  return `${time}: ${values.join(', ')}`;
}

/** How far the keys move the cursor, in samples: a page is a fifteenth of the span. */
function moved(key: string, row: number, rows: number): number | null {
  const page = Math.max(1, Math.round(rows / 15));
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  const step = steps[key];
  return step === undefined ? null : Math.min(rows - 1, Math.max(0, row + step));
}

interface ChartProps {
  readonly panel: Panel;
  readonly history: History | null;
  /** What is measured now, drawn before any history is there. */
  readonly now: Sample;
  readonly spanText: string;
  readonly draw: Draw | null;
  readonly note: string;
}

function Chart({ panel, history, now, spanText, draw, note }: ChartProps) {
  const canvas = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [row, point] = useState<number | null>(null);
  const columns = useMemo(
    () => (history === null ? [] : panel.lines.map((line) => valuesOf(history, line))),
    [history, panel],
  );
  const summaries = useMemo(() => columns.map(summaryOf), [columns]);
  const offset = useRef(0);
  const span = useRef<Span>('15m');
  if (history !== null) {
    offset.current = offsetOf(history.ts);
    span.current = history.span;
  }
  const drawn = history !== null && summaries.some((one) => one !== null);

  useEffect(() => {
    if (canvas.current === null || draw === null || !drawn) return;
    const made = draw.makePlot(canvas.current, {
      lines: panel.lines.map(({ colour, filled = false }) => ({ token: `--chart-${colour}`, filled })),
      format: panel.format,
      whole: panel.whole,
      least: panel.least,
      offsetMin: () => offset.current,
      timeTick: (sec) =>
        span.current === '7d' ? dayText(sec, offset.current) : timeText(sec, offset.current, '24h'),
      pointed: point,
    });
    plot.current = made;
    return () => {
      plot.current = null;
      made.close();
    };
  }, [draw, panel, drawn]);

  useEffect(() => {
    if (history === null || document.visibilityState !== 'visible') return;
    plot.current?.draw(history.at, columns, SPAN_SEC[history.span].reach);
  }, [history, columns, draw, drawn]);

  const last = history === null ? 0 : history.at.length - 1;
  const at = row === null ? last : Math.min(row, last);
  const pointedAt =
    history === null
      ? ''
      : rowText(panel, columns, at, timeText(history.at[at] ?? 0, offset.current, history.span));
  const keys = (event: KeyboardEvent) => {
    const to = history === null ? null : moved(event.key, at, history.at.length);
    if (event.key === 'Escape') plot.current?.point(null);
    if (to === null) return;
    event.preventDefault();
    plot.current?.point(to);
    point(to);
  };
  const values = panel.lines.map((line, index) =>
    row === null ? shownOf(now, line) : (columns[index]?.[at] ?? null),
  );
  return (
    <figure class="chart" data-chart={panel.id}>
      <div class="chart-head">
        <h3>{panel.title}</h3>
        <p class="chart-now" aria-hidden="true">
          {row !== null && history !== null && (
            <span class="soft">{timeText(history.at[at] ?? 0, offset.current, history.span)}</span>
          )}
          {values.map((value, index) => (
            <b key={panel.lines[index]?.label} class={`line-${panel.lines[index]?.colour}`}>
              {told(panel, value)}
            </b>
          ))}
        </p>
      </div>
      <div
        class="plot"
        {...(drawn && {
          role: 'slider',
          tabIndex: 0,
          'aria-label': `${panel.title}, ${spanText}`,
          'aria-orientation': 'horizontal' as const,
          'aria-valuemin': 0,
          'aria-valuemax': last,
          'aria-valuenow': at,
          'aria-valuetext': pointedAt,
          onKeyDown: keys,
          onBlur: () => plot.current?.point(null),
        })}
      >
        <div class="canvas" ref={canvas} />
        {!drawn && (
          <p class="plot-note">{note || (history === null ? 'Reading the history.' : panel.absent)}</p>
        )}
      </div>
      <figcaption>
        <table>
          <caption class="sr">{`${panel.title}, ${spanText}`}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="sr">Line</span>
              </th>
              {FIGURES.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {panel.lines.map((line, index) => {
              const figures = { ...summaries[index], now: shownOf(now, line) ?? summaries[index]?.now };
              return (
                <tr key={line.label}>
                  <th scope="row">
                    <svg
                      viewBox="0 0 10 10"
                      width="10"
                      height="10"
                      aria-hidden="true"
                      class={`line-${line.colour}`}
                    >
                      <rect width="10" height="10" rx="3" />
                    </svg>
                    {line.label}
                  </th>
                  {FIGURES.map((name) => (
                    <td key={name} class="number">
                      {told(panel, figures[name])}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </figcaption>
    </figure>
  );
}

/** All charts of the desk, over one span. */
export function Charts() {
  const { page, live, actions } = useDesk();
  const [span, choose] = useState<Span>('15m');
  const { history, trouble } = useHistory(span);
  const [draw, drawWith] = useState<Draw | null>(null);
  const [unloaded, setUnloaded] = useState('');
  const running = actions !== null;
  useEffect(() => {
    if (!running) return;
    import('./plot.ts').then(
      (loaded) => drawWith(loaded),
      () => setUnloaded('The part of the page that draws could not be loaded. Reload the page.'),
    );
  }, [running]);
  const now = pointOf(page, live);
  const note = running ? trouble || unloaded : 'The history is drawn where scripts run.';
  const shownSpan = history?.span ?? span;
  return (
    <Section
      id="charts"
      title="Over time"
      class="charts-card"
      aside={
        <Choice
          legend="Time shown"
          name="span"
          options={SPANS}
          value={span}
          disabled={!running}
          choose={choose}
        />
      }
    >
      <div class="charts" aria-busy={running && (history === null || history.span !== span)}>
        {PANELS.map((panel) => (
          <Chart
            key={panel.id}
            panel={panel}
            history={history}
            now={now}
            spanText={SPANS.find(([key]) => key === shownSpan)?.[1] ?? ''}
            draw={draw}
            note={note}
          />
        ))}
      </div>
      <p class="sr" role="status">
        {history !== null && trouble !== '' ? trouble : ''}
      </p>
    </Section>
  );
}
