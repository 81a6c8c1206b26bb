/** The one implementation of `Desk`: wires engine, checks, gate, store and facts together. */
import type { Logger } from 'pino';
import { CHECKS } from './checks/index.ts';
import type { Config } from './config-schema.ts';
import { type CookRun, type Desk, DeskError, type Freshness, type ScarRun } from './desk.ts';
import {
  deskFactsOf,
  deskPrograms,
  loopFactsOf,
  serviceFactsOf,
  urlsOf,
  type Workings,
} from './desk-facts.ts';
import { Gate } from './desk-gate.ts';
import { Moments } from './desk-moments.ts';
import { Engine } from './engine/sweep.ts';
import type { PipelineMode, PipelineRun } from './gate/pipeline.ts';
import { Recheck } from './gate/recheck.ts';
import { answer } from './hostess/hostess.ts';
import { type Law, lawOf } from './law/law.ts';
import { Metrics } from './metrics.ts';
import { BackendError } from './native/backend.ts';
import { deskStatus } from './records/desk-status.ts';
import type { DeskFacts, ListenerRole, LoopFacts, Moment, ServiceListener } from './records/moment.ts';
import { Allowlist } from './site/egress.ts';
import type { StateDir } from './state-dir.ts';
import { GuardedStore } from './store/guarded.ts';
import type { Store } from './store/store.ts';
import { Surroundings } from './surroundings.ts';
import { Turns } from './turns.ts';
import { VERSION } from './version.ts';

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
  readonly events: Desk['events'];
  readonly #options: DeskOptions;
  readonly #engine: Engine;
  readonly #moments: Moments;
  readonly #gate: Gate;
  readonly #turns: Turns;
  readonly #metrics: Metrics;
  readonly #allow: Allowlist;
  readonly #store: GuardedStore;
  readonly #surroundings: Surroundings;
  readonly #law: Law;
  readonly #urls: DeskFacts['urls'];
  readonly #listeners = new Map<ListenerRole, ServiceListener>();
  #closed = false;

  constructor(options: DeskOptions, engine: Engine) {
    const { config, store, role } = options;
    this.config = config;
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
    this.#moments = new Moments({
      recheck: new Recheck({
        checks: CHECKS,
        law: this.#law,
        known: () => null,
        sweep: (changes) => engine.sweep(changes),
        batch: (jobs, snapshot) => engine.judge(jobs, snapshot),
        hash: (text) => engine.native.hashIdentity(new TextEncoder().encode(text)),
        open: this.#store.openFindings(),
      }),
      store: this.#store,
      log: options.log,
      periodMs: config.loop.period_ms,
      factsOf: (rechecked, times) => {
        this.#turns.events?.saw(rechecked.snapshot);
        return deskFactsOf(rechecked, times, this.#workings());
      },
      settled: role === 'local',
    });
    this.events = this.#moments.events;
    this.#gate = new Gate(this.#store);
    this.events.on('finding', () => this.#gate.ask());
    this.#metrics = new Metrics(
      {
        latest: () => this.#moments.latest,
        events: () => this.#turns.events?.totals ?? null,
        loopCpuUs: () => this.#turns.loop.cpuUs(),
      },
      { version: VERSION, mark: engine.native.mark, backend: engine.backend },
    );
    this.#turns = new Turns({
      config: config.loop,
      native: engine.native,
      metrics: this.#metrics,
      log: options.log,
      recheck: (changes) => this.#moments.look(changes),
      confirm: (us) => this.#moments.confirm(us),
      after: () => this.#gate.runWhenDue(this.#moments.latest).catch((error) => this.#moments.fail(error)),
    });
    for (const listenerRole of ['control', 'office', 'themed', 'public'] as const) {
      const { enabled, host, port } = config.listen[listenerRole];
      const reason = role === 'local' ? 'this command does not serve' : 'not started yet';
      this.#listeners.set(listenerRole, {
        role: listenerRole,
        host,
        port,
        state: enabled && role === 'service' ? 'failed' : 'off',
        reason: enabled ? reason : '',
      });
    }
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
    return this.#moments.latest;
  }

  moment({
    maxAgeMs = this.#turns.loop.on ? this.#moments.staleAfterMs : 0,
  }: Freshness = {}): Promise<Moment> {
    return this.#moments.youngerThan(maxAgeMs);
  }

  async scarCheck(): Promise<ScarRun> {
    return this.#runGate('scar');
  }

  async cook(mode: 'check' | 'cook'): Promise<CookRun> {
    return { mode, ...(await this.#runGate(mode)) };
  }

  finding(id: string): ReturnType<Desk['finding']> {
    const open = this.latest()?.judgement.findings.find((finding) => finding.id === id);
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

  async learn(): Promise<{ readonly generation: number }> {
    throw new DeskError(
      'unavailable',
      'secure learning is not in this version: the held generation stays 0, the empty baseline',
      'see what would be learned with "desk findings" and "desk spv antivirus once"',
    );
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
    await this.moment({ maxAgeMs: 0 });
    this.#moments.settle();
  }

  listener(role: ListenerRole): ServiceListener {
    const listener = this.#listeners.get(role);
    if (listener === undefined) throw new TypeError(`there is no listener role "${role}"`);
    return listener;
  }

  readiness(): ReturnType<Desk['readiness']> {
    const loop = this.#loopFacts();
    const parts: Record<string, { ok: boolean; reason: string }> = {
      engine: { ok: this.latest() !== null && this.#moments.trouble === '', reason: this.#moments.trouble },
      loop: {
        ok: !loop.on || loop.fresh,
        reason: loop.on && !loop.fresh ? 'the last snapshot is older than two periods' : '',
      },
      store: { ok: this.#store.trouble === '', reason: this.#store.trouble },
      state: { ok: this.#surroundings.trouble === '', reason: this.#surroundings.trouble },
    };
    for (const { role, state, reason } of this.#listeners.values())
      if (state !== 'off') parts[`listener.${role}`] = { ok: state === 'bound', reason };
    // Only what no answer can do without makes the service unready; the rest is shown.
    return { ready: parts.engine?.ok === true && parts.loop?.ok === true, parts };
  }

  facts(): ReturnType<Desk['facts']> {
    const wrapped = this.latest()?.desk.service.selfWrapped ?? false;
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
    await Promise.all([this.#turns.stop(), this.#moments.close()]);
    await this.#engine.close();
  }

  metrics(): ReturnType<Desk['metrics']> {
    return this.#metrics.text().then((text) => ({ text, type: this.#metrics.contentType }));
  }

  #runGate(mode: PipelineMode): Promise<PipelineRun> {
    return this.#gate.run(mode, () => this.moment({ maxAgeMs: 0 }));
  }

  #loopFacts(): LoopFacts {
    return loopFactsOf(this.#turns, this.#moments.fresh);
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
    };
  }
}
