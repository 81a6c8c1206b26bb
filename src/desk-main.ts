/** The one implementation of `Desk`: wires engine, checks, gate, store and facts together. */
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { CHECKS } from './checks/index.ts';
import { Standing } from './checks/standing.ts';
import type { Config } from './config-schema.ts';
import type { CookRun, Desk, DeskEvents, Freshness, ScarRun } from './desk.ts';
import { DeskError } from './desk.ts';
import {
  deskFactsOf,
  deskPrograms,
  firstListeners,
  loopFactsOf,
  readinessOf,
  serviceFactsOf,
  urlsOf,
  type Workings,
} from './desk-facts.ts';
import { instantAt } from './engine/assemble.ts';
import type { Changes } from './engine/events.ts';
import { Engine } from './engine/sweep.ts';
import { Recheck, type Rechecked } from './gate/recheck.ts';
import { answer } from './hostess/hostess.ts';
import { type Law, lawOf } from './law/law.ts';
import { Learning } from './learn/learning.ts';
import { Metrics } from './metrics.ts';
import { BackendError } from './native/backend.ts';
import { deskStatus } from './records/desk-status.ts';
import type { DeskFacts, ListenerRole, LoopFacts, Moment, ServiceListener } from './records/moment.ts';
import { offsetTime } from './records/time.ts';
import { Allowlist } from './site/egress.ts';
import type { StateDir } from './state-dir.ts';
import { GuardedStore } from './store/guarded.ts';
import type { Store } from './store/store.ts';
import { Surroundings } from './surroundings.ts';
import { Turns } from './turns.ts';
import { VERSION } from './version.ts';

/** Rechecks whose median is told. */
const RECHECK_WINDOW = 64;

export interface DeskOptions {
  readonly config: Config;
  /** Local date of the configuration file, "" without one. */
  readonly configDate: string;
  readonly state: StateDir;
  readonly store: Store;
  readonly log: Logger;
  /** Whether the recheck loop runs (unless the configuration turns it off). */
  readonly loop: boolean;
  /** `local`: inside a command, without listeners and timers. */
  readonly role: 'service' | 'local';
  /** Status of the embedded public page, asked in process; 0 = no answer. Absent where there is none. */
  readonly probeSite?: () => Promise<number>;
}

export async function createDesk(options: DeskOptions): Promise<Desk> {
  let desk: DeskService | undefined;
  try {
    desk = new DeskService(options, new Engine({ programs: deskPrograms(options.config) }));
    await desk.start();
    return desk;
  } catch (error) {
    await desk?.close();
    if (error instanceof BackendError) throw new DeskError('unavailable', error.message, error.remedy);
    throw error;
  }
}

class DeskService implements Desk {
  readonly config: Config;
  readonly events = new EventEmitter<DeskEvents>();
  readonly #options: DeskOptions;
  readonly #engine: Engine;
  readonly #recheck: Recheck;
  readonly #learning: Learning;
  readonly #turns: Turns;
  readonly #metrics: Metrics;
  readonly #allow: Allowlist;
  readonly #store: GuardedStore;
  readonly #surroundings: Surroundings;
  readonly #law: Law;
  readonly #standing = new Standing();
  readonly #urls: DeskFacts['urls'];
  readonly #listeners = new Map<ListenerRole, ServiceListener>();
  readonly #recheckUs: number[] = [];
  #latest: Moment | null = null;
  #running: Promise<Moment> | null = null;
  #lastError = '';
  /** Monotonic milliseconds at which the latest moment was ready. */
  #latestMs = 0;
  /** False until the listeners stand: what was seen before them answers nobody. */
  #settled: boolean;
  /** The recheck under way is one of the loop's turns, behind which the gate is asked. */
  #inTurn = false;
  #closed = false;

  constructor(options: DeskOptions, engine: Engine) {
    const { config, store, role } = options;
    this.config = config;
    this.#settled = role === 'local';
    this.#options = options;
    this.#engine = engine;
    this.#allow = new Allowlist(config.egress.allow);
    this.#store = new GuardedStore(store, options.log);
    this.#law = lawOf(config);
    this.#urls = urlsOf(config);
    this.#surroundings = new Surroundings({
      state: options.state,
      passwordFile: config.mail.password_file,
      probeSite: options.probeSite,
      log: options.log,
    });
    this.#learning = new Learning({
      store: this.#store,
      native: engine.native,
      law: () => this.#law,
      log: options.log,
      look: () => this.moment({ maxAgeMs: 0 }),
      complete: role === 'service' ? () => this.#complete() : null,
    });
    this.#recheck = new Recheck({
      checks: CHECKS,
      law: () => this.#law,
      known: (snapshot) => this.#learning.known(snapshot),
      baseline: () => this.#learning.state(),
      standing: this.#standing,
      sweep: (changes) => engine.sweep(changes),
      batch: (jobs, snapshot) => engine.judge(jobs, snapshot),
      hash: (text) => engine.native.hashIdentity(new TextEncoder().encode(text)),
      open: this.#store.openFindings(),
    });
    this.#turns = new Turns({
      config: config.loop,
      native: engine.native,
      metrics: () => this.#metrics,
      log: options.log,
      recheck: (changes) => this.#look(changes),
      confirm: (us) => this.#confirm(us),
      after: () => this.#afterTurn(),
    });
    this.#metrics = new Metrics(
      {
        latest: () => this.#latest,
        events: () => this.#turns.events?.totals ?? null,
        loopCpuUs: () => this.#turns.loop.cpuUs(),
      },
      { version: VERSION, mark: engine.native.mark, backend: engine.backend },
    );
    for (const listener of firstListeners(config, role)) this.#listeners.set(listener.role, listener);
  }

  /** Makes the first moment and starts loop and timers. */
  async start(): Promise<void> {
    const service = this.#options.role === 'service';
    await Promise.all([this.#allow.start(), this.#surroundings.look()]);
    if (service) this.#surroundings.start();
    await this.moment({ maxAgeMs: 0 });
    if (service && this.#options.loop) this.#turns.start();
  }

  latest(): Moment | null {
    return this.#latest;
  }

  moment({ maxAgeMs = this.#turns.loop.on ? this.#staleAfterMs() : 0 }: Freshness = {}): Promise<Moment> {
    const young = this.#settled && performance.now() - this.#latestMs <= maxAgeMs;
    if (this.#latest !== null && maxAgeMs > 0 && young) return Promise.resolve(this.#latest);
    return this.#running ?? this.#begin(null);
  }

  async scarCheck(): Promise<ScarRun> {
    return this.#learning.gate.run('scar');
  }

  async cook(mode: 'check' | 'cook'): Promise<CookRun> {
    return { mode, ...(await this.#learning.gate.run(mode)) };
  }

  finding(id: string): ReturnType<Desk['finding']> {
    const open = this.#latest?.judgement.findings.find((finding) => finding.id === id);
    const stored = this.#store.finding(id);
    if (open === undefined) return stored;
    return { finding: open, history: stored?.history ?? [] };
  }

  async avClose(): Promise<CookRun> {
    return this.cook('cook');
  }

  async fieldClear(): Promise<CookRun> {
    throw new DeskError(
      'unavailable',
      'clearing the field needs the quarantine, which this version does not have',
      'see what stands with "desk scar check"',
    );
  }

  learn(windowMin?: number): ReturnType<Desk['learn']> {
    return windowMin === undefined ? this.#learning.learnOnce() : this.#learning.openWindow(windowMin);
  }

  difference(): ReturnType<Desk['difference']> {
    return this.#learning.difference();
  }

  restore(generation: number): ReturnType<Desk['restore']> {
    return this.#learning.restore(generation);
  }

  reviewed(): ReturnType<Desk['reviewed']> {
    return this.#learning.reviewed();
  }

  async accept(): Promise<void> {
    throw new DeskError(
      'unavailable',
      'accepting findings needs the law pack, which this version does not have',
      'see the finding with "desk findings ID"',
    );
  }

  async think(): ReturnType<Desk['think']> {
    const moment = await this.moment();
    return { moment, ...answer(deskStatus.assemble(moment)) };
  }

  setListener(listener: ServiceListener): void {
    this.#listeners.set(listener.role, listener);
  }

  async settle(): Promise<void> {
    await this.#surroundings.look();
    const moment = await this.moment({ maxAgeMs: 0 });
    this.#settled = true;
    await this.#learning.whenDue(moment);
  }

  listener(role: ListenerRole): ServiceListener {
    const listener = this.#listeners.get(role);
    if (listener === undefined) throw new TypeError(`there is no listener role "${role}"`);
    return listener;
  }

  readiness(): ReturnType<Desk['readiness']> {
    return readinessOf({
      engine: this.#lastError || (this.#latest === null ? 'there was no sweep yet' : ''),
      loop: this.#loopFacts(),
      store: this.#store.trouble,
      state: this.#surroundings.trouble,
      listeners: [...this.#listeners.values()],
    });
  }

  facts(): ReturnType<Desk['facts']> {
    const wrapped = this.#latest?.desk.service.selfWrapped ?? false;
    return {
      urls: this.#urls,
      service: serviceFactsOf(this.#surroundings, [...this.#listeners.values()], wrapped),
      loop: this.#loopFacts(),
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#surroundings.stop();
    this.#allow.stop();
    await this.#turns.stop();
    await this.#running?.catch(() => undefined);
    await this.#learning.close();
    await this.#engine.close();
  }

  /** Rechecks what changed, or everything for null, in a run that starts now: one that runs already may have missed it. */
  async #look(changes: Changes | null): Promise<void> {
    while (this.#running !== null) await this.#running.catch(() => undefined);
    this.#inTurn = true;
    await this.#begin(changes).finally(() => {
      this.#inTurn = false;
    });
  }

  #begin(changes: Changes | null): Promise<Moment> {
    const running = this.#run(changes).finally(() => {
      this.#running = null;
    });
    this.#running = running;
    return running;
  }

  /** Nothing has changed: the moment holds, and is stamped with the new second. */
  #confirm(us: number): void {
    const now = instantAt(Date.now());
    this.#latestMs = performance.now();
    this.#noteDuration(us);
    const held = this.#latest;
    if (held === null || Math.floor(now.epochMs / 1000) === Math.floor(held.snapshot.at.epochMs / 1000))
      return;
    this.#latest = { ...held, snapshot: { ...held.snapshot, at: now } };
    this.events.emit('moment', this.#latest);
    void this.#learning.whenDue(this.#latest);
  }

  async #afterTurn(): Promise<void> {
    if (this.#latest === null) return;
    await this.#learning.gate.whenDue(this.#latest).catch((error) => this.#fail(error));
  }

  /** Everything that is looked at by schedule was looked at once: learning by itself waits for it. */
  #complete(): boolean {
    return this.#latest !== null;
  }

  async #run(changes: Changes | null): Promise<Moment> {
    if (this.#closed)
      throw new DeskError('unavailable', 'the desk is closing', 'start it again with "desk boot"');
    try {
      const rechecked = await this.#recheck.run(changes);
      const moment = this.#publish(rechecked);
      this.#lastError = '';
      return moment;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Shown in /readyz until a recheck succeeds; logged once. */
  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#lastError !== message) this.#options.log.error({ err: error }, 'recheck failed');
    this.#lastError = message;
  }

  #publish(rechecked: Rechecked): Moment {
    const { snapshot, judgement, opened, closed } = rechecked;
    this.#noteDuration(rechecked.us);
    const change = { opened, closed, at: offsetTime(snapshot.at) };
    this.#learning.gate.note(change, snapshot.generation, this.#inTurn);
    const moment: Moment = { snapshot, judgement, desk: deskFactsOf(rechecked, this.#workings()) };
    this.#latest = moment;
    this.#latestMs = performance.now();
    for (const finding of opened) this.events.emit('finding', finding, 'open');
    for (const finding of closed) this.events.emit('finding', finding, 'closed');
    this.events.emit('moment', moment);
    this.#learning.observed(moment);
    if (this.#settled) void this.#learning.whenDue(moment);
    return moment;
  }

  #noteDuration(us: number): void {
    this.#recheckUs.push(Math.ceil(us));
    if (this.#recheckUs.length > RECHECK_WINDOW) this.#recheckUs.shift();
  }

  metrics(): ReturnType<Desk['metrics']> {
    return this.#metrics.text().then((text) => ({ text, type: this.#metrics.contentType }));
  }

  /** A moment older than two periods, or than two rechecks where these take longer, is stale. */
  #staleAfterMs(): number {
    return 2 * Math.max(this.config.loop.period_ms, (this.#latest?.desk.recheck.lastUs ?? 0) / 1000);
  }

  #loopFacts(): LoopFacts {
    return loopFactsOf(this.#turns, performance.now() - this.#latestMs <= this.#staleAfterMs());
  }

  #workings(): Workings {
    const { config, configDate, role } = this.#options;
    return {
      config,
      configDate,
      service: role === 'service',
      urls: this.#urls,
      law: this.#law,
      store: this.#store,
      surroundings: this.#surroundings,
      listeners: [...this.#listeners.values()],
      turns: this.#turns,
      allow: this.#allow,
      recheckUs: this.#recheckUs,
    };
  }
}
