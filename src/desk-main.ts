/** The one implementation of `Desk`: wires engine, checks, gate, store and facts together. */
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { CHECKS } from './checks/index.ts';
import type { Config } from './config-schema.ts';
import type { CookRun, Desk, DeskEvents, Freshness, ScarRun } from './desk.ts';
import { DeskError } from './desk.ts';
import {
  assistantFacts,
  bannedFacts,
  dutiesOf,
  mailFacts,
  selfWrapped,
  siteFacts,
  urlsOf,
} from './desk-facts.ts';
import { Loop } from './engine/loop.ts';
import { Engine } from './engine/sweep.ts';
import { type PipelineMode, type PipelineRun, runPipeline } from './gate/pipeline.ts';
import { Recheck, type Rechecked } from './gate/recheck.ts';
import { answer } from './hostess/hostess.ts';
import { lawOf } from './law/law.ts';
import { deskStatus } from './records/desk-status.ts';
import type { DeskFacts, ListenerRole, LoopFacts, Moment, ServiceListener } from './records/moment.ts';
import { offsetTime } from './records/time.ts';
import { Allowlist, countEgress } from './site/egress.ts';
import type { StateDir } from './state-dir.ts';
import { GuardedStore } from './store/guarded.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';

/** Rechecks whose median is told. */
const RECHECK_WINDOW = 64;
/** The slow timer that recounts our own residue and probes the embedded site. */
const RESIDUE_EVERY_MS = 30_000;
/** A gate run by itself at most this often. */
const GATE_EVERY_MS = 1_000;

const EVENT_REASON = 'event sources come in a later version, so the loop polls';

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
  const engine = new Engine();
  const desk = new DeskService(options, engine);
  try {
    await desk.start();
  } catch (error) {
    await desk.close();
    throw error;
  }
  return desk;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

class DeskService implements Desk {
  readonly config: Config;
  readonly events = new EventEmitter<DeskEvents>();
  readonly #options: DeskOptions;
  readonly #engine: Engine;
  readonly #recheck: Recheck;
  readonly #loop: Loop;
  readonly #allow: Allowlist;
  readonly #store: GuardedStore;
  readonly #listeners = new Map<ListenerRole, ServiceListener>();
  readonly #recheckUs: number[] = [];
  #latest: Moment | null = null;
  #running: Promise<Moment> | null = null;
  #lastError = '';
  #residueTimer: NodeJS.Timeout | undefined;
  #siteStatus = 0;
  #fieldDirt = 0;
  #gateDue = false;
  #lastGateMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: DeskOptions, engine: Engine) {
    const { config, store, role } = options;
    this.config = config;
    this.#options = options;
    this.#engine = engine;
    this.#allow = new Allowlist(config.egress.allow);
    this.#store = new GuardedStore(store, options.log);
    this.#recheck = new Recheck({
      checks: CHECKS,
      law: lawOf(config),
      known: () => null,
      sweep: () => engine.sweep(),
      open: this.#store.openFindings(),
    });
    this.#loop = new Loop(() => this.#turn(), config.loop.period_ms);
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
    this.#allow.start();
    await this.#lookAround();
    await this.moment({ maxAgeMs: 0 });
    if (this.#options.role === 'service') {
      this.#residueTimer = setInterval(() => void this.#lookAround(), RESIDUE_EVERY_MS);
      if (this.#options.loop && this.config.loop.mode !== 'off') this.#loop.start();
    }
  }

  latest(): Moment | null {
    return this.#latest;
  }

  moment({ maxAgeMs = this.#loop.on ? 2 * this.#loop.periodMs : 0 }: Freshness = {}): Promise<Moment> {
    const latest = this.#latest;
    if (latest !== null && maxAgeMs > 0 && Date.now() - latest.snapshot.at.epochMs <= maxAgeMs)
      return Promise.resolve(latest);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async scarCheck(): Promise<ScarRun> {
    return this.#gate('scar');
  }

  async cook(mode: 'check' | 'cook'): Promise<CookRun> {
    return { mode, ...(await this.#gate(mode)) };
  }

  finding(id: string): ReturnType<Desk['finding']> {
    return this.#store.finding(id);
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

  async think(): Promise<ReturnType<typeof answer>> {
    return answer(deskStatus.assemble(await this.moment()));
  }

  setListener(listener: ServiceListener): void {
    this.#listeners.set(listener.role, listener);
  }

  async settle(): Promise<void> {
    await this.#lookAround();
    await this.moment({ maxAgeMs: 0 });
  }

  listener(role: ListenerRole): ServiceListener {
    const listener = this.#listeners.get(role);
    if (listener === undefined) throw new TypeError(`there is no listener role "${role}"`);
    return listener;
  }

  readiness(): ReturnType<Desk['readiness']> {
    const loop = this.#loopFacts();
    const parts: Record<string, { ok: boolean; reason: string }> = {
      engine: { ok: this.#latest !== null && this.#lastError === '', reason: this.#lastError },
      loop: {
        ok: !loop.on || loop.fresh,
        reason: loop.on && !loop.fresh ? 'the last snapshot is older than two periods' : '',
      },
    };
    parts.store = { ok: this.#store.trouble === '', reason: this.#store.trouble };
    for (const { role, state, reason } of this.#listeners.values())
      if (state !== 'off') parts[`listener.${role}`] = { ok: state === 'bound', reason };
    // Only what no answer can do without makes the service unready; the rest is shown.
    return { ready: parts.engine?.ok === true && parts.loop?.ok === true, parts };
  }

  facts(): ReturnType<Desk['facts']> {
    const moment = this.#latest;
    return {
      urls: urlsOf(this.config),
      service: this.#serviceFacts(moment?.desk.service.selfWrapped ?? false),
      loop: this.#loopFacts(),
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#residueTimer);
    this.#allow.stop();
    await this.#loop.stop();
    await this.#running?.catch(() => undefined);
    await this.#engine.close();
  }

  /** One turn of the loop: never rejects, a failed sweep is shown and tried again. */
  async #turn(): Promise<void> {
    try {
      await this.moment({ maxAgeMs: 0 });
      if (this.#gateDue && performance.now() - this.#lastGateMs >= GATE_EVERY_MS) await this.#gate('scar');
    } catch {
      // #run has logged it and keeps it for /readyz.
    }
  }

  async #run(): Promise<Moment> {
    if (this.#closed)
      throw new DeskError('unavailable', 'the desk is closing', 'start it again with "desk boot"');
    let rechecked: Rechecked;
    try {
      rechecked = await this.#recheck.run();
      this.#lastError = '';
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (this.#lastError !== message) this.#options.log.error({ err: error }, 'sweep failed');
      this.#lastError = message;
      throw error;
    }
    const { snapshot, judgement, opened, closed } = rechecked;
    this.#recheckUs.push(rechecked.us);
    if (this.#recheckUs.length > RECHECK_WINDOW) this.#recheckUs.shift();
    if (opened.length > 0 || closed.length > 0) {
      this.#gateDue = true;
      this.#store.recordFindings(opened, closed, offsetTime(snapshot.at));
    }
    const moment: Moment = { snapshot, judgement, desk: this.#deskFacts(rechecked) };
    this.#latest = moment;
    for (const finding of opened) this.events.emit('finding', finding, 'open');
    for (const finding of closed) this.events.emit('finding', finding, 'closed');
    this.events.emit('moment', moment);
    return moment;
  }

  async #gate(mode: PipelineMode): Promise<PipelineRun> {
    this.#lastGateMs = performance.now();
    this.#gateDue = false;
    const run = await runPipeline(mode, {
      look: () => this.moment({ maxAgeMs: 0 }),
      god: () => this.#store.authoritativeGenerations(),
      clockMs: () => performance.now(),
    });
    this.#store.recordGateRun({
      at: offsetTime(run.moment.snapshot.at),
      mode,
      steps: run.steps,
      state: run.passed ? 'pass' : 'fail',
      scarCount: run.moment.judgement.scars.length,
      god: this.#store.authoritativeGenerations(),
    });
    return run;
  }

  /** The slow look: our own residue, and the embedded site. */
  async #lookAround(): Promise<void> {
    this.#fieldDirt = this.#options.state.fieldDirt();
    this.#siteStatus = (await this.#options.probeSite?.().catch(() => 0)) ?? 0;
  }

  #loopFacts(): LoopFacts {
    const on = this.#loop.on;
    const latest = this.#latest?.snapshot.at.epochMs ?? 0;
    return {
      on,
      mode: on ? 'poll' : 'off',
      pid: on ? process.pid : null,
      periodMs: this.#loop.periodMs,
      cpuShare: this.#loop.cpuShare(),
      eventReason: this.config.loop.mode === 'event' ? EVENT_REASON : '',
      fresh: Date.now() - latest <= 2 * this.#loop.periodMs,
    };
  }

  #serviceFacts(wrapped: boolean): DeskFacts['service'] {
    return {
      pid: process.pid,
      version: VERSION,
      listeners: [...this.#listeners.values()],
      lockHolders: this.#options.state.lockHolders(),
      fieldDirt: this.#fieldDirt,
      selfWrapped: wrapped,
      residueTimer: this.#residueTimer !== undefined,
    };
  }

  #deskFacts({ snapshot, judgement, us }: Rechecked): DeskFacts {
    const { config, configDate, state, role } = this.#options;
    const store = this.#store;
    const service = this.#serviceFacts(selfWrapped(snapshot, process.pid));
    const lastRun = store.lastGateRun();
    const god = store.authoritativeGenerations();
    const clean = judgement.scars.length === 0 && god === 1;
    const egress = countEgress(snapshot, this.#allow);
    const urls = urlsOf(config);
    return {
      config,
      configDate,
      urls,
      service,
      // This very moment is the fresh one.
      loop: { ...this.#loopFacts(), fresh: true },
      recheck: {
        lastUs: us,
        p50Us: median(this.#recheckUs),
        mode: this.#loop.on ? 'forever' : 'free_ball',
        pairsPerShard: Math.ceil(judgement.megaN / snapshot.engine.workers),
      },
      site: siteFacts(config, urls.public, this.#siteStatus, this.listener('public')),
      mail: mailFacts(config, snapshot, state.passwordSet(config.mail.password_file)),
      baseline: { ...store.baseline(), runningKnown: 0, windowOpen: false },
      gate: {
        state: clean ? 'pass' : 'fail',
        god,
        observation: snapshot.generation,
        lastRun,
        // A is the empty generation 0: any running identity differs from it.
        differs: clean && snapshot.counts.identities > 0,
      },
      egress: { guardLoaded: false, ...egress },
      assistant: assistantFacts(config, snapshot),
      banned: bannedFacts(snapshot, judgement),
      lawVersion: lawOf(config).version,
      duties: dutiesOf(snapshot, {
        service: role === 'service',
        residueTimer: service.residueTimer,
        storeTrouble: store.trouble,
      }),
    };
  }
}
