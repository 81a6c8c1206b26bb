/** A span of the running service: its CPU, and what it did meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Load, Made } from '../churn.ts';
import { type Counters, counters, ratesBetween } from '../counters.ts';
import { percentBetween } from '../group.ts';
import type { BenchService } from '../service.ts';
import type { Bench } from './plan.ts';

export interface Span {
  /** Of a core. */
  readonly percent: number;
  /** Per second. */
  readonly rates: ReturnType<typeof ratesBetween>;
  readonly from: Counters;
  readonly to: Counters;
  /** What the load made, per second. */
  readonly made: Made;
}

/** The answer of /metrics is not in the CPU. */
const APART_MS = 500;

/** CPU of the service's group for `seconds`, beside a load. */
export async function spanOf(
  { groups, spans }: Bench,
  { pid, home }: BenchService,
  seconds: number,
  load?: () => Promise<Load>,
): Promise<Span> {
  await using started = load === undefined ? null : await load();
  await delay(spans.begin * 1000);
  const from = await counters(home.ports.control);
  await delay(Math.min(APART_MS, spans.begin * 1000));
  const cpu = await groups.cpu(pid);
  await delay(seconds * 1000);
  const percent = percentBetween(cpu, await groups.cpu(pid));
  const to = await counters(home.ports.control);
  const made = (await started?.end()) ?? {};
  return { percent, rates: ratesBetween(from, to), from, to, made };
}
