/** The loop at other periods: with events every 10 ms (B5), and reading everything every 1, 10 and 100 ms (B11). */
import { atLeast, atMost, type Goal } from '../cases/case.ts';
import { settled } from '../group.ts';
import { startBuilt } from '../service.ts';
import { type Bench, goalAt, isOnce } from './plan.ts';
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
  const over = `CPU of the group over ${spans.load} s, quiet machine`;
  const unit = '% of a core';
  for (let round = 0; round < rounds; round += 1) {
    const { percent } = await looped(bench, 'mode = "event"\nrecheck_ms = 10');
    const goals = goalAt(options.processes, { 1000: 1, 5000: 1 });
    sheet.put({ name: 'B5 loop with events at 10 ms', a: over, unit, goals }, percent);
    if (!isOnce(options)) continue;
    // Each takes a start.
    for (const { ms, percent: most, rate } of options.smoke ? POLLED.slice(0, 1) : POLLED) {
      const span = await looped(bench, `mode = "poll"\nrecheck_ms = ${ms}`);
      const name = `B11 poll at ${ms} ms`;
      const base = options.processes === 1000;
      sheet.put({ name, a: over, unit, goals: base ? most : [] }, span.percent);
      const { worked, gated } = span.rates;
      const rechecks = { name: `${name}: rechecks`, a: 'rechecks of /metrics', unit: 'per second' };
      sheet.put({ ...rechecks, goals: base ? rate : [] }, worked + gated);
      const missed = {
        name: `${name}: missed`,
        a: 'desk_rechecks_missed_total of /metrics',
        unit: 'per second',
      };
      const { from, to } = span;
      if (from.missed === null || to.missed === null)
        sheet.absent(missed, 'the service does not count them: /metrics has no desk_rechecks_missed_total');
      else sheet.put(missed, ((to.missed - from.missed) * 1000) / (to.atMs - from.atMs));
    }
  }
}
