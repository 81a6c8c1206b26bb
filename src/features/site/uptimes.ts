/** Follows the sites from probe to probe, and keeps what was seen in the store. */

import type { SiteSpan, SiteSpans } from './site-spans.ts';
import { afterProbe, type Observation, type Span, type Tracked, UNTRACKED } from './site-state.ts';

const DAY_MS = 86_400_000;
/** The longest time of which uptime is shown. */
export const LONGEST_DAYS = 90;
/** A span that only became longer is written so often: a kill loses as much, which is unknown then. */
const WRITTEN_EVERY_MS = 60_000;
/** Spans that wait for a store that takes nothing; the oldest are lost, and unknown. */
const MOST_WAITING = 1_000;

const keyOf = ({ site, fromMs, state }: SiteSpan): string => `${state} ${fromMs} ${site}`;

export class Uptimes {
  readonly #store: Pick<SiteSpans, 'list' | 'record'>;
  readonly #tracked = new Map<string, Tracked>();
  /** Not yet written, by their key. */
  readonly #waiting = new Map<string, SiteSpan>();
  /** Of the monotonic clock. */
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<SiteSpans, 'list' | 'record'>) {
    this.#store = store;
  }

  trackedOf(site: string): Tracked {
    return this.#tracked.get(site) ?? UNTRACKED;
  }

  /** `mostGapMs`: as of `afterProbe`. */
  observe(site: string, seen: Observation, mostGapMs: number): Tracked {
    const before = this.trackedOf(site);
    const { tracked, spans } = afterProbe(before, seen, mostGapMs);
    this.#tracked.set(site, tracked);
    for (const span of spans) {
      const row = { site, ...span };
      this.#waiting.set(keyOf(row), row);
    }
    const isNew = tracked.span !== null && tracked.span.fromMs !== before.span?.fromMs;
    if (isNew || seen.monotonicMs - this.#writtenMs >= WRITTEN_EVERY_MS) this.write(seen);
    return tracked;
  }

  /** Writes what waits. */
  write({ wallMs, monotonicMs }: Pick<Observation, 'wallMs' | 'monotonicMs'>): void {
    if (this.#waiting.size === 0) return;
    this.#writtenMs = monotonicMs;
    const keptFromMs = wallMs - (LONGEST_DAYS + 1) * DAY_MS;
    if (this.#store.record([...this.#waiting.values()], keptFromMs)) this.#waiting.clear();
    for (const key of this.#waiting.keys()) {
      if (this.#waiting.size <= MOST_WAITING) break;
      this.#waiting.delete(key);
    }
  }

  /** What is known of each site since a time, stored or not, by its beginning. */
  spans(fromMs: number): ReadonlyMap<string, readonly Span[]> {
    const rows = new Map(this.#store.list(fromMs).map((row) => [keyOf(row), row]));
    const newer = [
      ...this.#waiting.values(),
      ...[...this.#tracked].flatMap(([site, { span }]) => (span === null ? [] : [{ site, ...span }])),
    ];
    for (const row of newer) rows.set(keyOf(row), row);
    const bySite = new Map<string, SiteSpan[]>();
    for (const row of [...rows.values()].sort((a, b) => a.fromMs - b.fromMs))
      bySite.get(row.site)?.push(row) ?? bySite.set(row.site, [row]);
    return bySite;
  }
}
