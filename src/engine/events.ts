/** What changed since the last recheck: process events (proc connector), socket tracepoints or polls, and re-reads of what has no event. */
import { EVERY_MS } from './bounds.ts';
import { isRefusal, type Refusal } from './native/types.ts';
import type { WatchAddon, WatchDelta, WatchEvents, WatchStart } from './native/watch-types.ts';
import type { Snapshot } from './snapshot.ts';

/** Confinement changes send no event: ages after birth, exec or exit at which a process is read again. */
const REREAD_MS: readonly number[] = [10, 100, 1000];
/** Pids reported one by one; more at once ask for a full sweep. */
const MOST_DIRTY = 4096;

export interface Changes {
  /** Events were lost, or too many came at once: everything must be read. */
  readonly resync: boolean;
  /** The periodic re-read of every process is due. */
  readonly all: boolean;
  /** Thread-group leaders to read again, negative when they have ended and are gone; overwritten by the next `take`. */
  readonly dirty: Int32Array;
  /** Listeners may have changed. */
  readonly listeners: boolean;
  /** Connections to port 443 came or went; never reported without the tracepoint. */
  readonly connections: boolean;
  readonly broken: boolean;
  /** Age of the oldest event or due time among them, µs. */
  readonly oldestUs: number;
}

export interface EventTotals {
  readonly events: WatchEvents;
  /** Times that events were lost, or too many to report: each forced a full sweep. */
  readonly resyncs: number;
  readonly polls: number;
  readonly pollRefusals: number;
}

export class Events {
  /** Which sources work, and why the others do not. */
  readonly state: WatchStart;
  readonly #native: WatchAddon;
  readonly #pids = new Int32Array(MOST_DIRTY);
  #totals: EventTotals = {
    events: { fork: 0, exec: 0, exit: 0, comm: 0, id: 0, ptrace: 0, other: 0, socket: 0 },
    resyncs: 0,
    polls: 0,
    pollRefusals: 0,
  };
  #stopped = false;

  private constructor(native: WatchAddon, state: WatchStart) {
    this.#native = native;
    this.state = state;
  }

  /** `wake` is called once when events wait, or the pass is due and the look does not hold, and again only after `take`. A refusal without descriptors or threads. */
  static start(
    native: WatchAddon,
    { listenPollMs, look }: { readonly listenPollMs: number; readonly look: number | null },
    wake: () => void,
  ): Events | Refusal {
    const options = { listenPollMs, rereadMs: REREAD_MS, allMs: EVERY_MS.all, tracepoint: true };
    const state = native.watchStart(options, wake, look);
    return isRefusal(state) ? state : new Events(native, state);
  }

  get totals(): EventTotals {
    return this.#totals;
  }

  cpuUs(): number {
    return this.#stopped ? 0 : this.#native.watchCpuUs(this.state.watch);
  }

  /** Since the last call; null when nothing changed: the last snapshot is still valid. */
  take(): Changes | null {
    const delta = this.#native.watchTake(this.state.watch, this.#pids);
    const { processes, listeners, connections, resync, all, broken, oldestUs } = delta;
    if (!(processes || listeners || connections || resync || all || broken)) return null;
    this.#add(delta);
    const dirty = this.#pids.subarray(0, delta.count);
    return { broken, resync, all, dirty, listeners, connections, oldestUs };
  }

  /** The newest snapshot: listeners that differ from it are reported. */
  saw({ columns, listeners }: Pick<Snapshot, 'columns' | 'listeners'>): void {
    if (this.#stopped) return;
    this.#native.watchSaw(this.state.watch, columns.bytes, columns.capacity, listeners.length);
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#native.watchStop(this.state.watch);
  }

  #add(delta: WatchDelta): void {
    const { events, resyncs, polls, pollRefusals } = this.#totals;
    const sum = { ...events };
    for (const kind of Object.keys(sum) as (keyof typeof sum)[]) sum[kind] += delta.events[kind];
    this.#totals = {
      events: sum,
      resyncs: resyncs + (delta.resync ? 1 : 0),
      polls: polls + delta.polls,
      pollRefusals: pollRefusals + delta.pollRefusals,
    };
  }
}
