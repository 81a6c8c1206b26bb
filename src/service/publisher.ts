/** The states of a desk: how the next one is made, which one is the newest, and when that one is stale. */
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { DeskError } from '../base/desk-error.ts';
import type { DeskEvents } from '../desk/desk.ts';
import { aged, instantAt } from '../engine/assemble.ts';
import type { Changes } from '../engine/events.ts';
import { pauseAfterMs } from '../engine/rest.ts';
import type { Recheck, Rechecked } from '../findings/recheck.ts';
import type { DeskFacts, DeskState } from '../records/state.ts';

/** Rechecks whose median is shown. */
const RECHECK_WINDOW = 64;

export type RecheckTimes = Pick<DeskFacts['recheck'], 'lastUs' | 'p50Us'>;

interface PublisherOptions {
  readonly recheck: Pick<Recheck, 'run'>;
  readonly log: Logger;
  readonly periodMs: number;
  /** Called after every recheck, before what the desk knows is gathered; `inLoop`: the loop made it. */
  readonly rechecked: (rechecked: Rechecked, inLoop: boolean) => void;
  /** Takes each new state while its columns hold, with the pids that events reported; null when none were read. */
  readonly made: (state: DeskState, dirty: Int32Array | null) => void;
  /** What the desk knows beside the recheck. */
  readonly factsOf: (rechecked: Rechecked, times: RecheckTimes) => DeskFacts;
  /** False until `settle`: a state from before the listeners are bound is not given out. */
  readonly settled: boolean;
}

const FRESH = { fresh: true, staleSec: 0 } as const;

export class Publisher {
  readonly events = new EventEmitter<DeskEvents>();
  readonly #options: PublisherOptions;
  readonly #durations = new Durations();
  #latest: DeskState | null = null;
  /** Monotonic milliseconds at which the latest state was ready, or last found to hold. */
  #latestMs = 0;
  /** Duration of the recheck that made the latest state. */
  #madeUs = 0;
  #running: Promise<DeskState> | null = null;
  #trouble = '';
  #settled: boolean;
  #closed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#settled = options.settled;
  }

  get latest(): DeskState | null {
    return this.#latest;
  }

  /** The listeners are bound: states are given out. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Why the last recheck failed; "" when it did not. */
  get trouble(): string {
    return this.#trouble;
  }

  /** A state older than two periods, or than two rechecks with their pauses where these take longer, is stale. */
  get staleAfterMs(): number {
    const madeMs = this.#madeUs / 1000;
    return 2 * Math.max(this.#options.periodMs, madeMs + pauseAfterMs(madeMs));
  }

  /** The latest state if it is at most this old, else a new one; all who wait for one share it. */
  async youngerThan(maxAgeMs: number): Promise<DeskState> {
    const young = this.#settled && maxAgeMs > 0 && this.#ageMs() <= maxAgeMs;
    if (this.#latest !== null && young) return this.#latest;
    return this.#running ?? this.#begin(null, false);
  }

  /** Rechecks what changed, or everything for null, in a run that starts now: one that runs already may have missed it. */
  async recheck(changes: Changes | null, inLoop = false): Promise<void> {
    while (this.#running !== null) await this.#running.catch(() => undefined);
    await this.#begin(changes, inLoop);
  }

  /** A recheck of `us` found nothing changed: the latest state holds, and is published again once a second. */
  confirm(us: number): void {
    this.#latestMs = performance.now();
    const at = { ...instantAt(Date.now()), monotonicMs: this.#latestMs };
    this.#durations.note(us);
    const held = this.#latest;
    if (held === null) return;
    const { loop } = held.desk;
    const sameSecond = Math.floor(at.epochMs / 1000) === Math.floor(held.snapshot.at.epochMs / 1000);
    if (sameSecond && loop.fresh) return;
    const recheck = { ...held.desk.recheck, ...this.#durations.times };
    const snapshot = {
      ...held.snapshot,
      at,
      machine: aged(held.snapshot.machine, at.monotonicMs - held.snapshot.at.monotonicMs),
    };
    // Only the loop confirms.
    this.#latest = { ...held, snapshot, desk: { ...held.desk, recheck, loop: { ...loop, ...FRESH } } };
    this.events.emit('state', this.#latest);
  }

  settle(): void {
    this.#settled = true;
  }

  /** Kept as `trouble` until a recheck succeeds; logged once. */
  fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#trouble !== message) this.#options.log.error({ err: error }, 'recheck failed');
    this.#trouble = message;
  }

  /** No recheck starts any more; resolves when the running one has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => undefined);
  }

  #ageMs(): number {
    return performance.now() - this.#latestMs;
  }

  #begin(changes: Changes | null, inLoop: boolean): Promise<DeskState> {
    const running = this.#run(changes, inLoop).finally(() => {
      this.#running = null;
    });
    this.#running = running;
    return running;
  }

  async #run(changes: Changes | null, inLoop: boolean): Promise<DeskState> {
    if (this.#closed)
      throw new DeskError('unavailable', 'the desk is closing', 'start it again with "desk boot"');
    try {
      const state = this.#publish(await this.#options.recheck.run(changes), inLoop);
      this.#options.made(state, changes?.dirty ?? null);
      this.#trouble = '';
      return state;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  #publish(rechecked: Rechecked, inLoop: boolean): DeskState {
    const { snapshot, judgement, opened, closed, us } = rechecked;
    this.#durations.note(us);
    this.#madeUs = us;
    this.#options.rechecked(rechecked, inLoop);
    const state: DeskState = {
      snapshot,
      judgement,
      desk: this.#options.factsOf(rechecked, this.#durations.times),
    };
    this.#latest = state;
    this.#latestMs = performance.now();
    for (const finding of opened) this.events.emit('finding', finding, 'open');
    for (const finding of closed) this.events.emit('finding', finding, 'closed');
    this.events.emit('state', state);
    return state;
  }
}

/** How long the last rechecks took, whole µs. */
class Durations {
  readonly #us: number[] = [];

  note(us: number): void {
    this.#us.push(Math.ceil(us));
    if (this.#us.length > RECHECK_WINDOW) this.#us.shift();
  }

  get times(): RecheckTimes {
    const sorted = Float64Array.from(this.#us).sort();
    return { lastUs: this.#us.at(-1) ?? 0, p50Us: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0 };
  }
}
