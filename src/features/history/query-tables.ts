/** What a query can ask of the history. */
import { type DeskTable, earliest, ownColumn, type QueryDesk, recordTable } from '../../desk/query.ts';
import { type HistorySpan, MEASURE_NAMES, MEASURES, type Sample, SPAN_SEC } from '../../records/measures.ts';
import { HISTORY, type History } from './api.ts';

/** Events that are read, the newest ones. */
const MOST_EVENTS = 10_000;

/** Why rows of the store are missing, none where it can be read. */
export const storeGaps = (desk: QueryDesk): readonly string[] =>
  desk.find(HISTORY)?.readable() === true ? [] : ['the store could not be read'];

const findingEvents = recordTable({
  name: 'finding_events',
  meaning: 'what happened to findings, the newest first',
  noun: ['event of a finding', 'events of findings'],
  key: ['at', 'finding'],
  label: 'event',
  time: 'at',
  columns: [
    ownColumn('at', 'time', 'when it happened'),
    ownColumn('event', 'text', 'what happened: opened, opened again, closed, or what was done about it'),
    ownColumn('finding', 'text', 'id of the finding'),
    ownColumn('summary', 'text', 'what the finding says'),
  ],
  read(desk) {
    const history = desk.find(HISTORY);
    const rows = history?.events(MOST_EVENTS) ?? [];
    const cut = rows.length >= MOST_EVENTS;
    const first = cut ? rows.map((one) => one.at) : [history?.firstEvent() ?? []].flat();
    const gaps = cut ? [`only the last ${MOST_EVENTS} events are read`] : [];
    return { rows, gaps: [...storeGaps(desk), ...gaps], fromMs: earliest(first) };
  },
});

/** What measures are counted in. */
const UNITS: Readonly<Partial<Record<keyof typeof MEASURES, string>>> = {
  recheck_us: 'µs',
  recheck_max_us: 'µs',
  temp_c: '°C',
};

/** The finest samples that reach back to a time; a day without one. */
function spanFor(fromMs: number | null, nowMs: number): HistorySpan {
  if (fromMs === null) return '24h';
  const agoSec = (nowMs - fromMs) / 1000;
  return (['15m', '24h'] as const).find((span) => agoSec <= SPAN_SEC[span].reach) ?? '7d';
}

/** Without the rows of nulls that break charts. */
const sampled = (history: History, span: HistorySpan): readonly Sample[] =>
  history.samples(span).filter((sample) => MEASURE_NAMES.some((name) => sample[name] !== null));

const samples = recordTable({
  name: 'samples',
  meaning:
    'figures of the desk over time: of a quarter of an hour by the second, of a day by the minute, of a week by ten minutes',
  noun: ['sample', 'samples'],
  key: ['at'],
  time: 'at',
  past: ['at'],
  columns: [
    ownColumn('at', 'time', 'when the second, minute or ten minutes begin'),
    ...MEASURE_NAMES.map((name) =>
      ownColumn(name, 'number', MEASURES[name].meaning, { unit: UNITS[name] ?? '' }),
    ),
  ],
  // A machine without a sensor has no temperature.
  hints: { noneWhenNull: ['temp_c'] },
  read(desk, { sinceMs, atMs }) {
    const span = spanFor(sinceMs ?? atMs, Date.now());
    const stepMs = SPAN_SEC[span].step * 1000;
    const all = sampled(desk.use(HISTORY), span);
    const inSpan =
      atMs === null ? all : all.filter((one) => one.at * 1000 <= atMs && atMs < one.at * 1000 + stepMs);
    const [step, unit] = stepMs < 60_000 ? [stepMs / 1000, 'second'] : [stepMs / 60_000, 'minute'];
    return {
      rows: inSpan.map((sample) => ({ ...sample, at: sample.at * 1000 })),
      gaps: storeGaps(desk),
      notes: [`each sample is of ${step} ${unit}${step === 1 ? '' : 's'}`],
      fromMs: all[0] === undefined ? Date.now() : all[0].at * 1000,
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [findingEvents, samples];
