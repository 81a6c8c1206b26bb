/** What a running service counts: `/metrics`. Reading it costs the service some milliseconds, so it is read outside of spans. */
import { ask } from '../test/real/running.ts';

export interface Counters {
  /** Rechecks and looks that found nothing to do, and rechecks that read something again. */
  readonly gated: number;
  readonly worked: number;
  readonly events: number;
  readonly resyncs: number;
  /** Rechecks that came later than their period; null where the service does not count them. */
  readonly missed: number | null;
  readonly shortLived: number;
  readonly findings: number;
  /** When they were read, ms of the monotonic clock. */
  readonly atMs: number;
}

/** Values by series, labels included. Pure. */
export function seriesOf(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const space = line.lastIndexOf(' ');
    if (!line.startsWith('#') && space > 0) values.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return values;
}

const MISSED = 'desk_rechecks_missed_total';

/** Pure. */
export function countersOf(text: string, atMs: number): Counters {
  const series = seriesOf(text);
  const one = (name: string): number => series.get(name) ?? 0;
  const sum = (start: string): number =>
    [...series].reduce((total, [name, value]) => (name.startsWith(start) ? total + value : total), 0);
  const rechecks = (kind: string): number => one(`desk_recheck_duration_seconds_count{kind="${kind}"}`);
  return {
    gated: rechecks('gated') + one('desk_looks_total'),
    worked: rechecks('partial') + rechecks('full'),
    events: sum('desk_events_total{'),
    resyncs: one('desk_resyncs_total'),
    missed: series.has(MISSED) ? one(MISSED) : null,
    shortLived: one('desk_short_lived_programs_total'),
    findings: sum('desk_findings{'),
    atMs,
  };
}

export async function counters(port: number): Promise<Counters> {
  const { status, text } = await ask(port, '/metrics');
  if (status !== 200) throw new Error(`/metrics answers ${status}`);
  return countersOf(text, performance.now());
}

type Rates = Readonly<Record<'gated' | 'worked' | 'events', number>>;

/** Per second. Pure. */
export function ratesBetween(from: Counters, to: Counters): Rates {
  const rate = (key: keyof Rates): number => ((to[key] - from[key]) * 1000) / (to.atMs - from.atMs);
  return { gated: rate('gated'), worked: rate('worked'), events: rate('events') };
}
