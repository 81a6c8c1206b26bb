/** Samples of the desk for its charts: at most one a second of the last quarter of an hour in memory, each minute in the store. */
import { sampleOf, withBreaks } from '../../records/history.ts';
import { type HistorySpan, type Sample, SPAN_SEC, TAKES_MOST } from '../../records/measures.ts';
import type { DeskState } from '../../records/state.ts';
import type { StoredSamples } from './stored-samples.ts';

const MINUTE_SEC = 60;
/** A quarter of an hour has 900; a wall clock that is set again and again makes more of them. */
const MOST_SECONDS = 1_800;
/** Minutes kept while the store takes nothing: a day. */
const MOST_WAITING = 1_440;
/** States may come this much later than they should before a chart breaks: a timer that drifts now and then leaves a second out. */
const LATE = 2.5;

interface SamplesOptions {
  readonly stored: Pick<StoredSamples, 'record' | 'list'>;
  /** How often states come at least. */
  readonly periodMs: number;
  readonly nowMs?: () => number;
}

export class Samples {
  readonly #options: SamplesOptions;
  readonly #nowMs: () => number;
  /** At most one a second, in the order they came, with the monotonic time of each: the wall clock may have been set between them. */
  readonly #seconds: { sample: Sample; readonly clockMs: number }[] = [];
  /** Minutes that have ended and are not stored yet. */
  readonly #ended: Sample[] = [];
  #storing: NodeJS.Immediate | null = null;

  constructor(options: SamplesOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
  }

  /** Takes a state, in constant time: writing waits for the next event-loop cycle. */
  take(state: DeskState): void {
    const sample = sampleOf(state);
    const clockMs = state.snapshot.at.monotonicMs;
    const last = this.#seconds.at(-1);
    if (last?.sample.at === sample.at) {
      last.sample = together(last.sample, sample);
      return;
    }
    if (last !== undefined && minuteOf(last.sample) !== minuteOf(sample)) this.#endMinute();
    this.#seconds.push({ sample, clockMs });
    const reachMs = SPAN_SEC['15m'].reach * 1000;
    while (this.#seconds.length > MOST_SECONDS || (this.#seconds[0]?.clockMs ?? clockMs) <= clockMs - reachMs)
      this.#seconds.shift();
  }

  /** Rows of a span that ends now, ascending, broken where nothing was sampled. */
  history(span: HistorySpan): readonly Sample[] {
    const { reach, step } = SPAN_SEC[span];
    const nowSec = Math.floor(this.#nowMs() / 1000);
    const samples =
      span === '15m'
        ? this.#ascending(nowSec - reach, nowSec)
        : this.#options.stored.list(nowSec - reach, nowSec, step);
    return withBreaks(samples, step, Math.max(1.5 * step, (LATE * this.#options.periodMs) / 1000, LATE));
  }

  /** Stores what it has, the minute under way included. */
  close(): void {
    this.#endMinute();
    if (this.#storing !== null) clearImmediate(this.#storing);
    this.#store();
  }

  /** Those after `fromSec` and not after `toSec`. A second that came twice, since the clock was set back, is one. */
  #ascending(fromSec: number, toSec: number): readonly Sample[] {
    const seconds = new Map<number, Sample>();
    for (const { sample } of this.#seconds) {
      if (sample.at <= fromSec || sample.at > toSec) continue;
      const before = seconds.get(sample.at);
      seconds.set(sample.at, before === undefined ? sample : together(before, sample));
    }
    return [...seconds.values()].sort((one, other) => one.at - other.at);
  }

  #endMinute(): void {
    const last = this.#seconds.at(-1)?.sample;
    if (last === undefined) return;
    const at = minuteOf(last);
    const seconds = this.#seconds
      .slice(-MINUTE_SEC)
      .map(({ sample }) => sample)
      .filter((second) => minuteOf(second) === at);
    const median = seconds.map((second) => second.recheck_us ?? 0).sort((a, b) => a - b)[seconds.length >> 1];
    this.#ended.push({ ...seconds.reduce(together), at, recheck_us: median ?? 0 });
    this.#storing ??= setImmediate(() => this.#store());
  }

  #store(): void {
    this.#storing = null;
    this.#ended.splice(0, this.#ended.length - MOST_WAITING);
    for (let minute = this.#ended[0]; minute !== undefined; minute = this.#ended[0]) {
      if (!this.#options.stored.record(minute)) return;
      this.#ended.shift();
    }
  }
}

const minuteOf = ({ at }: Sample): number => at - (at % MINUTE_SEC);

/** Two samples of one time, the later one second. */
const together = (first: Sample, second: Sample): Sample => ({
  ...second,
  at: first.at,
  ...Object.fromEntries([...TAKES_MOST].map((name) => [name, Math.max(first[name] ?? 0, second[name] ?? 0)])),
});
