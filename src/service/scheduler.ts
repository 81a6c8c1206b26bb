/** The service's own rechecks: when they start, what they read, and what they cost. */
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import { EARLY_MS, EVERY_MS } from '../engine/bounds.ts';
import { type Changes, Events } from '../engine/events.ts';
import { Loop } from '../engine/loop.ts';
import { isRefusal } from '../engine/native/types.ts';
import type { LookAddon, LookCounts, WatchAddon } from '../engine/native/watch-types.ts';
import type { Machine, Snapshot } from '../engine/snapshot.ts';
import type { Rechecked } from '../findings/recheck.ts';
import type { LoopFacts } from '../records/state.ts';
import type { Metrics } from './metrics.ts';

/** What UDP by cgroup hooks means; the limits are those of kCgroupHooks in native/bpf/socket_trace.cc. */
const CGROUP_HOOKS = `by hooks of the root cgroup, without polling: bind, connect and close are reported at once; a port taken without bind(2), a disconnect, and sockets the kernel itself closes are found within ${EVERY_MS.all / 1000} s`;
/** Between the looks of the thread of the events, which would show the threads that read as a change. */
const BESIDES_EVERY_MS = EVERY_MS.all - EARLY_MS / 2;

interface SchedulerOptions {
  readonly config: Config['loop'];
  readonly native: WatchAddon & Pick<LookAddon, 'lookCounts'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  /**
   * Rechecks what changed, or everything for null. Rejects when that failed: the next cycle then reads everything. `mayHold`: the
   * last judgement stays where the sweep shows nothing else.
   */
  readonly recheck: (changes: Changes | null, mayHold: boolean) => Promise<void>;
  /** Nothing has changed: the last state still holds. `us` is what finding that out took; `machine` as it is now, where it was read. */
  readonly confirm: (us: number, machine: Machine | null) => void;
  /** The machine as it is now, where nothing else has changed that has neither an event nor shows in a look; null: a pass is needed. */
  readonly besides: () => Promise<Machine | null>;
  /** The look that compares the machine with the last sweep, so that a poll does not read everything; null without the kernel's iterator. */
  readonly look: () => number | null;
  /** Whether a client follows the event stream: then the state is confirmed every period. */
  readonly watched: () => boolean;
  /** Called after every cycle with a recheck that did not fail, and again after the milliseconds that it resolves to. */
  readonly after: () => Promise<number | null>;
}

export class Scheduler {
  readonly loop: Loop;
  readonly #options: SchedulerOptions;
  #events: Events | null = null;
  #mode: LoopFacts['mode'] = 'off';
  #reason = '';
  #sources: LoopFacts['sources'] = [];
  /** Something was not read that should have been: the next cycle reads everything. */
  #behind = true;
  #connectionsMs = 0;
  /** When what shows by neither events nor looks was read last. */
  #besidesMs = 0;
  /** Monotonic time since which a recheck is due; only valid while `#behind`. */
  #dueMs = 0;
  /** Monotonic time at which the newest cycle that did not fail has ended; at first that of the start. */
  #finishedMs = performance.now();
  /** A recheck is wanted that no event asks for. */
  #asked = false;
  #later: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { native } = options;
    this.loop = new Loop({
      cycle: () => this.#cycle(),
      failed: (err) => options.log.error({ err }, 'a cycle of the loop failed'),
      periodMs: options.config.recheck_ms,
      idleMs: () => this.#idleMs,
      polls: () => this.#mode === 'poll',
      ticker: (periodMs, tick) => {
        const look = options.look();
        const ticker = native.tickerStart(periodMs, tick, look);
        if (isRefusal(ticker)) return null;
        const stop = () => native.tickerStop(ticker);
        return look === null ? { stop } : { stop, held: () => native.lookCounts(look).held };
      },
      // In event mode the thread of the events makes the looks.
      sourceCpuUs: () => (this.#events?.cpuUs() ?? 0) + (this.#mode === 'event' ? 0 : (this.looks?.us ?? 0)),
    });
  }

  get events(): Events | null {
    return this.#events;
  }

  get mode(): LoopFacts['mode'] {
    return this.#mode;
  }

  /** Why the loop polls though events are wanted; "" when it does not. */
  get reason(): string {
    return this.#reason;
  }

  /** What looks have found; null where there are none. */
  get looks(): LookCounts | null {
    const look = this.#options.look();
    return look === null ? null : this.#options.native.lookCounts(look);
  }

  get sources(): LoopFacts['sources'] {
    return this.#sources;
  }

  /** How long a recheck has been due, running or failing, in milliseconds; 0 if none is. */
  get dueForMs(): number {
    return this.loop.on && this.#behind ? performance.now() - this.#dueMs : 0;
  }

  /** Milliseconds since the newest cycle that did not fail; 0 while the loop is off. */
  get quietMs(): number {
    return this.loop.on ? performance.now() - this.#finishedMs : 0;
  }

  /** In event mode a timer is needed only for changes that have no event. The bounds on their age hold for any period. */
  get #idleMs(): number {
    const { config, watched } = this.#options;
    if (this.#mode !== 'event') return config.recheck_ms;
    const driven = !this.#behind && this.#reported && !watched();
    return driven ? BESIDES_EVERY_MS : Math.min(config.recheck_ms, BESIDES_EVERY_MS);
  }

  /** Whether the tracepoint reports connections. */
  get #reported(): boolean {
    return this.#events?.state.tracepoint === '';
  }

  /** After each recheck, in a cycle of the loop or beside it. */
  rechecked({ snapshot, settlesMs }: Pick<Rechecked, 'snapshot' | 'settlesMs'>): void {
    this.#soonAfter(settlesMs);
    this.#events?.saw(snapshot);
  }

  /** The same where the last judgement holds. */
  held(snapshot: Snapshot): void {
    this.#events?.saw(snapshot);
  }

  /** Brings the state up to date in event mode: reads what has changed, or confirms that nothing has. */
  async ask(): Promise<void> {
    if (this.#mode === 'event' && !this.#behind) await this.loop.ask();
  }

  /** To be called when `watched` changes. */
  pace(): void {
    if (this.#mode === 'event') this.loop.wake();
  }

  start(): void {
    const { config, native, log } = this.#options;
    if (config.mode === 'off') return;
    this.#dueMs = performance.now();
    this.#finishedMs = this.#dueMs;
    this.#mode = 'poll';
    if (config.mode === 'event') {
      const events = Events.start(
        native,
        { listenPollMs: config.listen_poll_ms, look: this.#options.look() },
        () => this.loop.wake(),
      );
      if (isRefusal(events)) this.#reason = `no event source could be opened (${events.code})`;
      else this.#listen(events);
      log.info({ mode: this.#mode, sources: this.#sources }, 'event sources');
    }
    this.loop.start();
  }

  /** Without process events every cycle reads everything; listeners still wake the loop. */
  #listen(events: Events): void {
    this.#events = events;
    const { connector, tracepoint, udp, udpExits, makers } = events.state;
    this.#sources = Object.entries({
      'proc connector': connector,
      'socket tracepoint': tracepoint,
      'UDP binds': udp,
      'listener makers': makers,
    }).map(([id, reason]) => ({ id, works: reason === '', reason }));
    if (udp === '' && udpExits !== '')
      this.#sources = this.#sources.map((source) =>
        source.id === 'UDP binds' ? { ...source, reason: `${CGROUP_HOOKS} (${udpExits})` } : source,
      );
    if (connector === '') this.#mode = 'event';
    else this.#reason = connector;
  }

  /** Verdicts have changed beside the sweep: rechecks at once where not every period does. */
  soon(): void {
    if (this.#mode === 'poll' && this.#options.look() === null) return;
    this.#asked = true;
    this.loop.wake();
  }

  /** The same after so many milliseconds, for what grows old enough and has no event; null: no more. */
  #soonAfter(ms: number | null): void {
    clearTimeout(this.#later);
    this.#later = ms === null ? undefined : setTimeout(() => this.soon(), ms).unref();
  }

  async stop(): Promise<void> {
    for (const timer of [this.#later, this.#again]) clearTimeout(timer);
    this.#events?.stop();
    await this.loop.stop();
  }

  async #cycle(): Promise<void> {
    const startedMs = performance.now();
    const changes = this.#events?.take() ?? null;
    const { metrics, recheck, confirm } = this.#options;
    if (changes?.broken) this.#lose('the kernel ended the process events');
    const polls = this.#mode === 'poll';
    const full = this.#behind || (polls && this.#options.look() === null) || changes?.resync === true;
    const asked = this.#asked;
    this.#asked = false;
    const connections = this.#connectionsDue(startedMs);
    const nothing = changes === null && !full && !polls && !asked && !connections;
    // While something happens, the pass of the thread of the events comes first.
    const due = !full && !polls && this.#besidesDue(startedMs, nothing ? -EARLY_MS : 0);
    const all = polls || due || changes?.all === true;
    if (full || all) this.#besidesMs = startedMs;
    // Where reading it fails, a pass reports the failure.
    const machine = nothing && due ? await this.#options.besides().catch(() => null) : null;
    if (nothing && (!due || machine !== null)) {
      const us = (performance.now() - startedMs) * 1000;
      confirm(us, machine);
      metrics.recheck('gated', us);
      this.#finishedMs = performance.now();
      return;
    }
    if (!this.#behind) this.#dueMs = startedMs;
    this.#behind = true;
    try {
      const news = changes ?? NOTHING;
      const changed = full ? null : { ...news, all, connections: connections || news.connections };
      await recheck(changed, !asked);
      this.#behind = false;
    } catch {
      // Reported by the desk; the next cycle tries again.
      return;
    }
    this.#finishedMs = performance.now();
    if (connections && !full) this.#connectionsMs = startedMs;
    const tookUs = (performance.now() - startedMs) * 1000;
    metrics.recheck(full || all ? 'full' : 'partial', tookUs);
    if (changes !== null && changes.oldestUs > 0) metrics.shown(changes.oldestUs + tookUs);
    await this.#after();
  }

  async #after(): Promise<void> {
    clearTimeout(this.#again);
    const againMs = await this.#options.after();
    if (againMs === null || !this.loop.on) return;
    // A call that began meanwhile may have set another one.
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.#after(), againMs).unref();
  }

  #lose(reason: string): void {
    this.#mode = 'poll';
    this.#reason = reason;
    this.#sources = this.#sources.map((source) =>
      source.id === 'proc connector' ? { ...source, works: false, reason } : source,
    );
    this.#options.log.warn({ reason }, 'the loop polls from now on');
  }

  /** Whether what neither events nor looks show is due. Without looks the passes read it. */
  #besidesDue(nowMs: number, lateMs: number): boolean {
    return this.#options.look() !== null && nowMs - this.#besidesMs >= EVERY_MS.all + lateMs;
  }

  #connectionsDue(nowMs: number): boolean {
    return !this.#reported && nowMs - this.#connectionsMs >= EVERY_MS.slow;
  }
}

/** For a recheck that no event asked for. */
const NOTHING: Changes = {
  broken: false,
  resync: false,
  all: false,
  dirty: new Int32Array(0),
  listeners: false,
  connections: false,
  oldestUs: 0,
};
