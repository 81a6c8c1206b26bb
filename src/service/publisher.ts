/** The states of a desk: how the next one is made, which one is the newest, and when that one is stale. */
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DeskError } from '../base/desk-error.ts';
import type { DeskEvents } from '../desk/desk.ts';
import { aged, instantAt } from '../engine/assemble.ts';
import type { Changes } from '../engine/events.ts';
import { pauseAfterMs } from '../engine/rest.ts';
import type { Machine, Snapshot } from '../engine/snapshot.ts';
import { type Held, isHeld, type Rechecked } from '../findings/recheck.ts';
import type { DeskFacts, DeskState } from '../records/state.ts';

/** A state that shows what the last one showed is published at most this often. */
const EMITTED_EVERY_MS = 1000;
/** Timers of a second may fire this much early. */
const TIMER_SLACK_MS = 50;
/** Rechecks whose median is shown. */
const RECHECK_WINDOW = 64;

interface PublisherOptions {
  readonly recheck: { run(changes: Changes | null, mayHold: boolean): Promise<Rechecked | Held> };
  readonly log: Logger;
  readonly periodMs: number;
  /** Called after every recheck, before what the desk knows is gathered; `inLoop`: the loop made it. */
  readonly rechecked: (rechecked: Rechecked, inLoop: boolean) => void;
  /** Takes each new state while its columns hold, with the pids that events reported; null when none were read. */
  readonly made: (state: DeskState, dirty: Int32Array | null) => void;
  /** Called instead of `rechecked` when the last judgement holds for a newer snapshot. */
  readonly held: (snapshot: Snapshot) => void;
  /** Called instead of `made` when that snapshot shows nothing else. */
  readonly unchanged: (snapshot: Snapshot, dirty: Int32Array | null) => void;
  /** Milliseconds since a look found everything as the last sweep read it; null: none did. */
  readonly lookedMs: () => number | null;
  /** In event mode: confirms the latest state if nothing has changed, else makes a new one. */
  readonly ask: () => Promise<void>;
  /** What the desk knows beside the recheck, called when it is first read. `p50Us`: median of the last rechecks. */
  readonly factsOf: (rechecked: Rechecked, p50Us: number) => DeskFacts;
  /** States that were judged by another one are not given out any more. */
  readonly baselineGeneration: () => number;
  /** False until `settle`: a state from before the listeners are bound is not given out. */
  readonly settled: boolean;
}

export class Publisher {
  readonly events = new EventEmitter<DeskEvents>();
  readonly #options: PublisherOptions;
  readonly #durations = new Durations();
  #latest: DeskState | null = null;
  /** What the latest state is made of. */
  #rechecked: Rechecked | null = null;
  #emittedMs = Number.NEGATIVE_INFINITY;
  /** Monotonic milliseconds at which the latest state was ready, or last found to hold. */
  #latestMs = 0;
  /** Duration of the recheck that made the latest state. */
  #madeUs = 0;
  #judgedMs = Number.NEGATIVE_INFINITY;
  /** The generation that the latest judgement was made by. */
  #judgedBy = Number.NaN;
  #running: Promise<DeskState> | null = null;
  #next: Promise<DeskState> | null = null;
  #trouble = '';
  #settled: boolean;
  #retired = false;
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
    return this.#settled && !this.#retired;
  }

  /** Why the last recheck failed; "" when it did not. */
  get trouble(): string {
    return this.#trouble;
  }

  /** When the recheck began that made the latest judgement, monotonic ms; minus infinity before the first one. */
  get judgedMs(): number {
    return this.#judgedMs;
  }

  /** A state older than two periods, or than two rechecks with their pauses where these take longer, is stale. */
  get staleAfterMs(): number {
    const madeMs = this.#madeUs / 1000;
    return 2 * Math.max(this.#options.periodMs, madeMs + pauseAfterMs(madeMs));
  }

  /** The latest state if it is at most this old, else a new one; all who wait for one share it, and all who ask in the same turn. */
  async youngerThan(maxAgeMs: number): Promise<DeskState> {
    const young = () =>
      this.#settled && this.#judgedBy === this.#options.baselineGeneration() && this.#ageMs() <= maxAgeMs
        ? this.#latest
        : null;
    if (maxAgeMs > 0) {
      if (this.#latest !== null && young() === null) await this.#options.ask();
      const latest = young();
      if (latest !== null) return latest;
    }
    if (this.#running === null) return this.#begin(setImmediate().then(() => this.#run(null, false, false)));
    const state = await this.#running;
    return this.#judgedBy === this.#options.baselineGeneration() ? state : this.again();
  }

  /**
   * Rechecks what changed, or everything for null, in a run that starts now: one that runs already may have missed it. `mayHold`: the
   * last judgement stays where nothing else is seen.
   */
  async recheck(
    changes: Changes | null,
    { inLoop = false, mayHold = false }: { inLoop?: boolean; mayHold?: boolean } = {},
  ): Promise<void> {
    await this.#idle();
    await this.#begin(this.#run(changes, inLoop, mayHold));
  }

  /** Rechecks everything in a run that begins from now on: one that runs already has missed what changed. Callers share it. */
  again(): Promise<DeskState> {
    this.#next ??= (async () => {
      await setImmediate();
      await this.#idle();
      this.#next = null;
      return this.#begin(this.#run(null, false, false));
    })();
    return this.#next;
  }

  /**
   * A recheck of `us` found nothing changed: the latest state holds, and is published again once a second. `machine`: as it is now,
   * where it was read.
   */
  confirm(us: number, machineNow: Machine | null = null): void {
    this.#latestMs = performance.now();
    this.#durations.note(us);
    const held = this.#rechecked;
    if (held === null || this.#latestMs - held.snapshot.at.monotonicMs < EMITTED_EVERY_MS - TIMER_SLACK_MS)
      return;
    const { snapshot } = held;
    const at = { ...instantAt(Date.now()), monotonicMs: this.#latestMs };
    const machine = machineNow ?? aged(snapshot.machine, at.monotonicMs - snapshot.at.monotonicMs);
    this.#emit(this.#take({ ...held, snapshot: { ...snapshot, at, machine } }));
  }

  settle(): void {
    this.#settled = true;
  }

  /** The listeners are about to close. */
  retire(): void {
    this.#retired = true;
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

  /** No recheck runs. */
  async #idle(): Promise<void> {
    while (this.#running !== null) await this.#running.catch(() => undefined);
  }

  #ageMs(): number {
    const ageMs = performance.now() - this.#latestMs;
    // While a recheck runs, looks are about what it reads.
    const lookedMs = this.#running === null ? this.#options.lookedMs() : null;
    return lookedMs === null ? ageMs : Math.min(ageMs, lookedMs);
  }

  #begin(run: Promise<DeskState>): Promise<DeskState> {
    this.#running = run.finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(changes: Changes | null, inLoop: boolean, mayHold: boolean): Promise<DeskState> {
    if (this.#closed)
      throw new DeskError('unavailable', 'the desk is closing', 'start it again with "desk boot"');
    const beganMs = performance.now();
    const judgedBy = this.#options.baselineGeneration();
    try {
      const result = await this.#options.recheck.run(changes, mayHold);
      const dirty = changes?.dirty ?? null;
      if (!isHeld(result)) this.#judgedMs = beganMs;
      this.#judgedBy = judgedBy;
      const state = isHeld(result) ? this.#hold(result, dirty) : this.#publish(result, dirty, inLoop);
      this.#trouble = '';
      return state;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  #publish(rechecked: Rechecked, dirty: Int32Array | null, inLoop: boolean): DeskState {
    const { opened, closed, us } = rechecked;
    this.#durations.note(us);
    this.#madeUs = us;
    this.#options.rechecked(rechecked, inLoop);
    const state = this.#take(rechecked);
    this.#latestMs = performance.now();
    for (const finding of opened) this.events.emit('finding', finding, 'open');
    for (const finding of closed) this.events.emit('finding', finding, 'closed');
    this.#emit(state);
    this.#options.made(state, dirty);
    return state;
  }

  /** The judgement holds. Readers get the new state at once; `state` events of equal states are at most one a second. */
  #hold({ snapshot, counts, unlearned, us }: Held, dirty: Int32Array | null): DeskState {
    const before = this.#rechecked;
    if (before === null) throw new Error('no judgement can hold before the first one');
    this.#durations.note(us);
    this.#madeUs = us;
    this.#options.held(snapshot);
    const judgement = { ...before.judgement, ...counts, generation: snapshot.generation };
    const state = this.#take({ ...before, snapshot, judgement, unlearned });
    this.#latestMs = performance.now();
    if (counts !== null || this.#latestMs - this.#emittedMs >= EMITTED_EVERY_MS) this.#emit(state);
    if (counts !== null) this.#options.made(state, dirty);
    else this.#options.unchanged(snapshot, dirty);
    return state;
  }

  #take(rechecked: Rechecked): DeskState {
    this.#rechecked = rechecked;
    this.#latest = stateOf(rechecked, this.#durations.lastUs, () =>
      this.#options.factsOf(rechecked, this.#durations.p50Us),
    );
    return this.#latest;
  }

  #emit(state: DeskState): void {
    this.#emittedMs = performance.now();
    this.events.emit('state', state);
  }
}

function stateOf({ snapshot, judgement }: Rechecked, recheckUs: number, factsOf: () => DeskFacts): DeskState {
  let facts: DeskFacts | null = null;
  return {
    snapshot,
    judgement,
    recheckUs,
    get desk() {
      facts ??= factsOf();
      return facts;
    },
  };
}

/** How long the last rechecks took, whole µs. */
class Durations {
  readonly #us: number[] = [];

  note(us: number): void {
    this.#us.push(Math.ceil(us));
    if (this.#us.length > RECHECK_WINDOW) this.#us.shift();
  }

  get lastUs(): number {
    return this.#us.at(-1) ?? 0;
  }

  get p50Us(): number {
    const sorted = Float64Array.from(this.#us).sort();
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  }
}
