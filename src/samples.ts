/** Samples of the desk for its charts: each second of the last quarter of an hour in memory, each minute in the store. */
import {
  type HistoryRow,
  type HistorySpan,
  type Sample,
  SPAN_SEC,
  sampleOf,
  withBreaks,
} from './records/history.ts';
import type { Moment } from './records/moment.ts';
import type { GuardedStore } from './store/guarded.ts';

const MINUTE_SEC = 60;
/** Moments may come this much later than they should before a chart breaks: a timer that drifts now and then leaves a second out. */
const LATE = 2.5;

interface SamplesOptions {
  readonly store: Pick<GuardedStore, 'recordSample' | 'samples'>;
  /** How often moments are told at least. */
  readonly periodMs: number;
  /** Milliseconds since the epoch. */
  readonly nowMs?: () => number;
}

export class Samples {
  readonly #options: SamplesOptions;
  readonly #nowMs: () => number;
  /** Ascending, one a second. */
  readonly #seconds: Sample[] = [];
  /** Minutes that have ended and are not stored yet. */
  readonly #ended: Sample[] = [];
  #storing: NodeJS.Immediate | null = null;

  constructor(options: SamplesOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
  }

  /** Takes a moment; constant, and nothing is written before the turn that told it has ended. */
  take(moment: Moment): void {
    const sample = sampleOf(moment);
    const before = this.#seconds.at(-1);
    if (before !== undefined && before.at === sample.at) {
      this.#seconds[this.#seconds.length - 1] = together(before, sample);
      return;
    }
    if (before !== undefined && minuteOf(before) !== minuteOf(sample)) this.#endMinute();
    // The clock was set back: what lies ahead of it was told by another clock.
    while ((this.#seconds.at(-1)?.at ?? 0) > sample.at) this.#seconds.pop();
    this.#seconds.push(sample);
    while ((this.#seconds[0]?.at ?? sample.at) <= sample.at - SPAN_SEC['15m'].reach) this.#seconds.shift();
  }

  /** Rows of a span that ends now, ascending, broken where nothing was sampled. */
  history(span: HistorySpan): readonly HistoryRow[] {
    const { reach, step } = SPAN_SEC[span];
    const nowSec = Math.floor(this.#nowMs() / 1000);
    const samples =
      span === '15m'
        ? this.#seconds.filter(({ at }) => at > nowSec - reach && at <= nowSec)
        : this.#options.store.samples(nowSec - reach, nowSec, step);
    return withBreaks(samples, step, Math.max(1.5 * step, (LATE * this.#options.periodMs) / 1000, LATE));
  }

  /** Stores what it has, the minute under way included. */
  close(): void {
    this.#endMinute();
    if (this.#storing !== null) clearImmediate(this.#storing);
    this.#store();
  }

  #endMinute(): void {
    const last = this.#seconds.at(-1);
    if (last === undefined) return;
    const at = minuteOf(last);
    const seconds = this.#seconds.slice(-MINUTE_SEC).filter((second) => minuteOf(second) === at);
    const median = seconds.map(({ recheckUs }) => recheckUs).sort((a, b) => a - b)[seconds.length >> 1];
    this.#ended.push({ ...seconds.reduce(together), at, recheckUs: median ?? 0 });
    this.#storing ??= setImmediate(() => this.#store());
  }

  #store(): void {
    this.#storing = null;
    for (const minute of this.#ended.splice(0)) this.#options.store.recordSample(minute);
  }
}

const minuteOf = ({ at }: Sample): number => at - (at % MINUTE_SEC);

/** Two of one time, the later one second: what stood last, and the most of what may come and go between. */
const together = (first: Sample, second: Sample): Sample => ({
  ...second,
  at: first.at,
  recheckMaxUs: Math.max(first.recheckMaxUs, second.recheckMaxUs),
  findings: Math.max(first.findings, second.findings),
  scars: Math.max(first.scars, second.scars),
});
