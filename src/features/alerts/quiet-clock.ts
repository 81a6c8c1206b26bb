/**
 * Quiet time ends by the wall clock, or once the service has run for as long as it was meant to last: a clock that is set back, or is
 * behind after a reboot, neither ends it nor makes it longer. One that is ahead ends it.
 */
import type { QuietTime, SavedAlerts, SavedQuiet } from './saved.ts';

export class QuietClock {
  readonly #saved: SavedAlerts;
  readonly #nowMs: () => number;
  #quiet: SavedQuiet | null;

  constructor(saved: SavedAlerts, nowMs: () => number = Date.now) {
    this.#saved = saved;
    this.#nowMs = nowMs;
    this.#quiet = saved.quiet();
  }

  /** Null outside of quiet time; its end as it is expected now. */
  get now(): QuietTime | null {
    if (this.#quiet === null) return null;
    const { sinceMs, untilMs, untilSec, why } = this.#quiet;
    const nowMs = this.#nowMs();
    const endMs = Math.min(untilMs, nowMs + 1000 * (untilSec - this.#saved.serviceSec));
    if (endMs > nowMs) return { sinceMs: Math.min(sinceMs, nowMs), untilMs: endMs, why };
    this.set(null);
    this.#quiet = null;
    return null;
  }

  /** Null ends it. False when the store did not take it. */
  set(quiet: QuietTime | null): boolean {
    // Both clocks count whole seconds: it never ends earlier than by the wall clock.
    const lastsSec = quiet === null ? 0 : Math.ceil((quiet.untilMs - this.#nowMs()) / 1000) + 1;
    const next = quiet && { ...quiet, untilSec: this.#saved.serviceSec + lastsSec };
    if (!this.#saved.setQuiet(next)) return false;
    this.#quiet = next;
    return true;
  }
}
