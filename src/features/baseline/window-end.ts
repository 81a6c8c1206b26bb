/** When a learning window ends: by the wall clock, or by the monotonic one, so that a clock that is set back keeps none open. */
import type { LearningWindow } from './rows.ts';

export class WindowEnd {
  readonly #nowMs: () => number;
  readonly #clockMs: () => number;
  #end: { readonly untilMs: number; readonly clockMs: number } | null = null;

  /** `nowMs`: milliseconds since the epoch; `clockMs`: of a monotonic clock. */
  constructor(nowMs: () => number, clockMs: () => number) {
    this.#nowMs = nowMs;
    this.#clockMs = clockMs;
  }

  /** At the latest the window's own length after this process first saw it. */
  isOver({ openedMs, untilMs }: LearningWindow): boolean {
    const nowMs = this.#nowMs();
    if (this.#end?.untilMs !== untilMs)
      this.#end = { untilMs, clockMs: this.#clockMs() + Math.min(untilMs - nowMs, untilMs - openedMs) };
    return nowMs >= untilMs || this.#clockMs() >= this.#end.clockMs;
  }
}
