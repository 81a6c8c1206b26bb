/** Charts of what the desk measures: lines over time, a table of figures, values by pointer and keyboard. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { History } from '../records/history.ts';
import { type Sample, SPAN_SEC } from '../records/measures.ts';
import { useDesk } from './desk-context.ts';
import { Choice, Section } from './parts.tsx';
import type { Plot } from './plot.ts';
import { useHistory } from './record-reader.ts';
import { stepped } from './rows.ts';
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
  valuesOf,
} from './series.ts';

type Draw = typeof import('./plot.ts');

const FIGURES = ['now', 'least', 'median', 'most'] as const satisfies readonly (keyof Summary)[];

function Chart(props: {
  panel: Panel;
  history: History | null;
  /** What is measured now, shown before any history is there. */
  now: Sample;
  spanText: string;
  draw: Draw | null;
  note: string;
}) {
  const { panel, history, now, spanText, draw, note } = props;
  const { lines, format } = panel;
  const canvas = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [row, point] = useState<number | null>(null);
  const columns = useMemo(
    () => (history === null ? [] : lines.map((line) => valuesOf(history, line))),
    [history, lines],
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
      lines: lines.map(({ colour, filled = false }) => ({ token: `--chart-${colour}`, filled })),
      format,
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

  const times = history?.at ?? [];
  const last = Math.max(0, times.length - 1);
  const at = row === null ? last : Math.min(row, last);
  const time = timeText(times[at] ?? 0, offset.current, span.current);
  /** What is not known is a dash. */
  const text = (value: number | null | undefined): string => (value == null ? '–' : format(value));
  const valueText = lines.map(({ label }, index) => {
    const value = columns[index]?.[at] ?? null;
    return `${label} ${value === null ? 'unknown' : format(value)}`;
  });
  const keys = (event: KeyboardEvent) => {
    // A page is a fifteenth of the span.
    const to = stepped(event.key, at, times.length, Math.round(times.length / 15) + 1, true);
    if (event.key === 'Escape') plot.current?.point(null);
    if (to === null) return;
    event.preventDefault();
    plot.current?.point(to);
    point(to);
  };
  return (
    <figure class="chart" data-chart={panel.id}>
      <div class="row apart chart-head">
        <h3>{panel.title}</h3>
        <p class="row chart-now" aria-hidden="true">
          {row !== null && <span class="soft small">{time}</span>}
          {lines.map((line, index) => (
            <b key={line.label} class={`line-${line.colour}`}>
              {text(row === null ? shownOf(now, line) : columns[index]?.[at])}
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
          'aria-valuetext': `${time}: ${valueText.join(', ')}`,
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
            {lines.map((line, index) => {
              const figures = { ...summaries[index], now: shownOf(now, line) ?? summaries[index]?.now };
              return (
                <tr key={line.label}>
                  <th scope="row">
                    <svg width="10" height="10" aria-hidden="true" class={`line-${line.colour}`}>
                      <rect width="10" height="10" rx="3" />
                    </svg>
                    {line.label}
                  </th>
                  {FIGURES.map((name) => (
                    <td key={name} class="number">
                      {text(figures[name])}
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
  const { record: history, trouble } = useHistory(span);
  const [draw, drawWith] = useState<Draw | null>(null);
  const [unloaded, setUnloaded] = useState('');
  const running = actions !== null;
  useEffect(() => {
    if (!running) return;
    import('./plot.ts').then(
      (loaded) => drawWith(loaded),
      () => setUnloaded('The script that draws charts could not be loaded. Reload the page.'),
    );
  }, [running]);
  const now = pointOf(page, live);
  const note = running ? trouble || unloaded : 'Drawing the history needs scripts.';
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
