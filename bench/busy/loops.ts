/** The loop at other periods: with events every 10 ms (B5), and reading everything every 1, 10 and 100 ms (B11). */
import { atLeast, atMost, type Goal } from '../cases/case.ts';
import { settled } from '../group.ts';
import { startBuilt } from '../service.ts';
import { type About, attempt, type Bench, goalAt, isOnce } from './plan.ts';
import { type Span, spanOf } from './span.ts';

interface Polled {
  readonly ms: number;
  readonly percent: readonly Goal[];
  readonly rate: readonly Goal[];
}

const POLLED: readonly Polled[] = [
  { ms: 1, percent: [atMost('value', 40)], rate: [atLeast('value', 950)] },
  { ms: 10, percent: [atMost('value', 5)], rate: [] },
  { ms: 100, percent: [], rate: [] },
];

async function looped(bench: Bench, loop: string): Promise<Span> {
  const { groups, spans } = bench;
  await using service = await startBuilt(`[loop]\n${loop}\n`);
  await settled(groups, service.pid, spans.settle);
  return await spanOf(bench, service, spans.load);
}

export async function loops(bench: Bench): Promise<void> {
  const { sheet, spans, options, rounds } = bench;
  const over = { a: `CPU of the group over ${spans.load} s, quiet machine`, unit: '% of a core' };
  const base = options.processes === 1000;
  const event: About = {
    ...over,
    name: 'B5 loop with events at 10 ms',
    goals: goalAt(options.processes, { 1000: 1, 5000: 1 }),
  };
  for (let round = 0; round < rounds; round += 1) {
    const span = await attempt(bench, [event], () => looped(bench, 'mode = "event"\nrecheck_ms = 10'));
    if (span !== null) sheet.put(event, span.percent);
    if (!isOnce(options)) continue;
    // Each takes a start.
    for (const polled of options.smoke ? POLLED.slice(0, 1) : POLLED) await poll(bench, polled, over, base);
  }
}

async function poll(
  bench: Bench,
  { ms, percent, rate }: Polled,
  over: Pick<About, 'a' | 'unit'>,
  base: boolean,
): Promise<void> {
  const { sheet } = bench;
  const name = `B11 poll at ${ms} ms`;
  const cpu: About = { ...over, name, goals: base ? percent : [] };
  const unit = 'per second';
  const rechecks: About = {
    name: `${name}: rechecks`,
    a: 'rechecks and looks of /metrics',
    unit,
    goals: base ? rate : [],
  };
  const missed: About = { name: `${name}: missed`, a: 'desk_rechecks_missed_total of /metrics', unit };
  const span = await attempt(bench, [cpu, rechecks, missed], () =>
    looped(bench, `mode = "poll"\nrecheck_ms = ${ms}`),
  );
  if (span === null) return;
  const { from, to, rates } = span;
  sheet.put(cpu, span.percent);
  sheet.put(rechecks, rates.worked + rates.gated);
  if (from.missed === null || to.missed === null)
    sheet.absent(missed, 'the service does not count them: /metrics has no desk_rechecks_missed_total');
  else sheet.put(missed, ((to.missed - from.missed) * 1000) / (to.atMs - from.atMs));
}
