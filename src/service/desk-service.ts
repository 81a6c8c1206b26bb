/** The one implementation of `Desk`: wires engine, checks, gate, store and facts together. */
import { VERSION } from '../base/version.ts';
import { allowSourcesOf } from '../checks/allowed-listeners.ts';
import { CachedVerdicts } from '../checks/cached-verdicts.ts';
import type { CheckContext } from '../checks/check.ts';
import { CheckRuns } from '../checks/check-runs.ts';
import { CHECKS } from '../checks/index.ts';
import type { Config } from '../config/schema.ts';
import type { Desk, Freshness } from '../desk/desk.ts';
import type { FeatureHost } from '../desk/feature.ts';
import { REMOTE } from '../desk/remote.ts';
import { Allowlist } from '../egress/allowlist.ts';
import { EgressGuard } from '../egress/guard.ts';
import { now } from '../engine/now.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { Engine } from '../engine/sweep.ts';
import { Learning } from '../features/baseline/index.ts';
import { TierTwo } from '../features/inspection/index.ts';
import { acceptedPath, knownFinding, LawBook } from '../features/law/index.ts';
import { HelperNotes, Quarantine } from '../features/quarantine/index.ts';
import { liveMachine, Remedies } from '../features/remedies/index.ts';
import type { Finding } from '../findings/finding.ts';
import { Recheck } from '../findings/recheck.ts';
import { ScanSchedule } from '../findings/scan-schedule.ts';
import { isOurs } from '../privileges/born.ts';
import { starterTrouble } from '../privileges/child.ts';
import type { DeskFacts, DeskState, ListenerRole, ServiceListener } from '../records/state.ts';
import { GuardedStore } from '../store/guarded.ts';
import { provideCore } from './core-apis.ts';
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
import type { DeskOptions } from './desk-options.ts';
import { Features } from './features.ts';
import { Metrics } from './metrics.ts';
import { Publisher } from './publisher.ts';
import { Rounds } from './rounds.ts';
import { scansOf } from './scans.ts';
import { Scheduler } from './scheduler.ts';
import { startRefusal } from './start-refusal.ts';
import { Surroundings } from './surroundings.ts';
import { type Tables, tablesOf } from './tables.ts';

export async function createDesk(options: DeskOptions): Promise<Desk> {
  const { config, lawPlaces: places = [], state, log } = options;
  const book = LawBook.open({ config, places, accepted: acceptedPath(state.path), log });
  let desk: DeskService | undefined;
  try {
    const engine = new Engine({ programs: deskPrograms(config), self: options.beside ?? process.pid });
    desk = new DeskService(options, engine, book);
    if (options.noted !== undefined) desk.events.on('finding', options.noted);
    await desk.start();
    return desk;
  } catch (error) {
    await desk?.close();
    throw startRefusal(error);
  }
}

class DeskService implements Desk {
  readonly config: Config;
  readonly events: Desk['events'];
  readonly use: Desk['use'];
  readonly find: Desk['find'];
  readonly allowSources: Desk['allowSources'] = ({ snapshot }) => allowSourcesOf(this.#context(snapshot));
  readonly metrics: Desk['metrics'] = () => this.#metrics.read();
  readonly latest: Desk['latest'] = () => this.#publisher.latest;
  readonly finding: Desk['finding'] = (id) => knownFinding(id, this.#findings(), this.#tables);
  readonly setListener: Desk['setListener'] = (one) => void this.#listeners.set(one.role, one);
  readonly retire: Desk['retire'] = () => this.#publisher.retire();
  readonly attend: Desk['attend'] = () => this.#rounds.attend();
  readonly configRefused: Desk['configRefused'] = (why) => this.#surroundings.refuseConfig(why);
  readonly #findings = (): readonly Finding[] => this.latest()?.judgement.findings ?? [];
  readonly #options: DeskOptions;
  readonly #engine: Engine;
  readonly #recheck: Recheck;
  readonly #publisher: Publisher;
  readonly #learning: Learning;
  readonly #scheduler: Scheduler;
  readonly #metrics: Metrics;
  readonly #features: Features;
  readonly #allow: Allowlist;
  readonly #guard: EgressGuard;
  readonly #tables: Tables;
  readonly #surroundings: Surroundings;
  readonly #book: LawBook;
  readonly #helpers: HelperNotes;
  readonly #remedies: Remedies;
  readonly #slow: ScanSchedule;
  readonly #tierTwo: TierTwo;
  readonly #urls: DeskFacts['urls'];
  readonly #listeners = new Map<ListenerRole, ServiceListener>();
  readonly #rounds: Rounds;
  #closed = false;

  constructor(options: DeskOptions, engine: Engine, book: LawBook) {
    const { config, store, role, log } = options;
    this.config = config;
    this.#options = options;
    this.#engine = engine;
    const guarded = new GuardedStore(store, options.log, { records: (options.beside ?? null) === null });
    const tables = tablesOf(guarded);
    this.#tables = tables;
    this.#features = new Features(log);
    ({ use: this.use, find: this.find } = this.#features);
    this.#allow = new Allowlist(config.egress.allow);
    // What the guard is about to connect to is on the list before a sweep can see it.
    this.#guard = new EgressGuard(config.egress, {
      resolved: (host, port, addresses) => this.#allow.note(host, port, addresses),
    });
    this.#book = book;
    this.#urls = urlsOf(config);
    this.#helpers = new HelperNotes({ folder: options.state.path, native: engine.native });
    const quarantine = new Quarantine({ folder: options.state.path, native: engine.native, now });
    this.#remedies = new Remedies({
      ...options,
      machine: liveMachine(engine.native),
      ...{ quarantine, shutdowns: tables.shutdowns },
      law: () => this.#book.law,
      sweep: () => this.state({ maxAgeMs: 0 }),
      recordEvent: (...line) => this.#learning.gate.recordEvent(...line),
      describe: async (finding) => this.#tierTwo.holder(finding, await this.state()),
      residueChanged: () => this.#surroundings.scanFolder(),
    });
    this.#surroundings = new Surroundings({
      state: options.state,
      residue: () => this.#helpers.residue(options.state.residue()),
      quarantine: () => quarantine.trouble(),
      passwordFile: config.mail.password_file,
      refresh: () => this.#features.refresh(),
      changed: () => this.#recheckAll(),
      log: options.log,
    });
    const runs = new CheckRuns(() => performance.now(), log);
    const judging = { checks: CHECKS, law: () => book.law, cached: new CachedVerdicts(), runs, log };
    this.#tierTwo = new TierTwo({
      ...judging,
      learning: () => this.#learning,
      allow: this.#allow,
      ...{ privacy: config.privacy, tables },
      note: (pid) => this.#helpers.note(pid),
      executed: () => engine.takeExecuted(),
      changed: () => this.#scheduler.soon(),
    });
    this.#learning = new Learning({
      ...{ ...judging, ...tables },
      native: engine.native,
      sweep: () => this.state({ maxAgeMs: 0 }),
      defaultCookOff: this.#remedies.standingBy(),
      // Learning by itself waits until what every scheduled scan found has been judged.
      complete:
        role === 'service'
          ? () => this.#publisher.judgedMs > this.#slow.completeMs && this.#tierTwo.complete
          : null,
      contents: this.#tierTwo.contents,
    });
    this.#rounds = new Rounds({
      ...{ store: guarded, surroundings: this.#surroundings, book },
      recovered: () => this.#learning.gate.flush(),
      changed: () => this.#recheckAll(),
      paced: () => this.#scheduler.pace(),
    });
    this.#recheck = new Recheck({
      ...judging,
      baseline: (snapshot) => this.#learning.held(snapshot),
      ...{ isOurs, residue: () => this.#surroundings.residue },
      sweep: (changes, options) => engine.sweep(changes, options),
      batch: (jobs, snapshot) => engine.judge(jobs, snapshot),
      hash: (text) => engine.native.hashIdentity(new TextEncoder().encode(text)),
      open: this.#tables.findings.open() ?? [],
      attach: this.#tierTwo.attach,
    });
    this.#publisher = new Publisher({
      recheck: this.#recheck,
      ...{ log, periodMs: config.loop.recheck_ms },
      rechecked: (rechecked, inLoop) => {
        this.#scheduler.rechecked(rechecked);
        this.#learning.gate.rechecked(rechecked, inLoop);
      },
      held: (snapshot) => this.#scheduler.held(snapshot),
      unchanged: (snapshot, dirty) => this.#tierTwo.unchanged(snapshot, dirty),
      lookedMs: () => this.#scheduler.looks?.ageMs ?? null,
      made: (made, dirty) => {
        this.#tierTwo.watch(made, dirty);
        this.#learning.observed(made);
      },
      ask: () => this.#scheduler.ask(),
      factsOf: (rechecked, p50Us) => deskFactsOf(rechecked, p50Us, this.#workings()),
      ...{ baselineGeneration: () => tables.baseline.state().baseline.generation, settled: role === 'local' },
    });
    this.events = this.#publisher.events;
    this.#slow = new ScanSchedule({
      ...judging,
      scans: scansOf(engine, this.find),
      context: () => this.#publisher.latest && this.#context(this.#publisher.latest.snapshot),
      isOpen: ({ id }) => this.#findings().some(({ check }) => check === id),
      changed: () => this.#recheckAll(),
      everyMs: config.slow.every_sec * 1000,
    });
    this.events.on('state', (deskState) => {
      this.#remedies.observe(deskState);
      if (!this.#publisher.settled) return;
      this.#features.observe(deskState);
      void this.#learning.whenDue(deskState);
    });
    this.#metrics = new Metrics(
      {
        latest: () => this.#publisher.latest,
        events: () => this.#scheduler.events?.totals ?? null,
        ...{ loop: () => this.#scheduler.loop, looks: () => this.#scheduler.looks },
        loopFacts: () => this.facts().loop,
        ...{ peeks: () => this.#tierTwo.totals, checks: () => runs.totals },
        ...{ egress: () => this.#guard.totals, parts: () => this.readiness().parts },
        remoteCertificateEnds: () => this.find(REMOTE)?.identity()?.ends ?? null,
        memory: () => ({ ...engine.memory, storeCacheBytes: guarded.cacheBytes }),
      },
      { version: VERSION, build: engine.native.mark, backend: engine.backend },
    );
    this.#scheduler = new Scheduler({
      ...{ config: config.loop, log, native: engine.native, metrics: this.#metrics },
      recheck: (changes, mayHold) => this.#publisher.recheck(changes, { inLoop: true, mayHold }),
      confirm: (...held) => this.#publisher.confirm(...held),
      besides: async () => (this.#recheck.waits ? null : engine.besides()),
      ...{ look: () => engine.look, watched: () => this.#rounds.watched },
      after: () => this.#afterTurn(),
    });
    for (const listener of firstListeners(config, role)) this.#listeners.set(listener.role, listener);
    provideCore(this.#features.provide, {
      ...{ book, tables, quarantine },
      learning: this.#learning,
      ...{ remedies: this.#remedies, inspection: this.#tierTwo },
      findings: this.#findings,
      recheck: () => this.#publisher.recheck(null),
      scanFolder: () => this.#surroundings.scanFolder(),
      scanAll: () =>
        Promise.all([this.#surroundings.scan(), this.#tierTwo.inspectAll(), this.#slow.runAll()]),
    });
  }

  #host(): FeatureHost {
    const { state, role, log, probeSite = async () => 0 } = this.#options;
    return {
      config: this.config,
      ...{ role, log, probeSite },
      folder: state.path,
      passwordSet: () => this.#surroundings.passwordSet,
      ...{ store: this.#tables.access, native: this.#engine.native },
      egress: this.#guard,
      allow: this.#allow,
      urls: this.#urls,
      latest: this.latest,
      ...{ state: (freshness) => this.state(freshness), facts: () => this.facts() },
      finding: this.finding,
      allowSources: this.allowSources,
      listener: (one) => this.listener(one),
      recheck: () => this.#recheckAll(),
      ...{ soon: () => this.#scheduler.soon(), rescan: (ids) => this.#slow.runSome(ids) },
      ...{ use: this.use, find: this.find },
      provide: this.#features.provide,
    };
  }

  /** Makes the first state and starts loop and timers. */
  async start(): Promise<void> {
    await this.#features.make(this.#host(), this.#options.residents);
    await Promise.all([this.#features.start(), this.#begin()]);
  }

  async #begin(): Promise<void> {
    const service = this.#options.role === 'service';
    await Promise.all([this.#allow.start(), this.#surroundings.scan()]);
    if (service && !this.#closed) for (const part of [this.#surroundings, this.#rounds]) part.start();
    this.#tierTwo.start();
    await this.state({ maxAgeMs: 0 });
    // A feature that could not start has closed the desk meanwhile.
    if (this.#closed) return;
    if (service) {
      this.#slow.start();
      this.#book.watch(() => this.#lawChanged());
      if (this.#options.loop) this.#scheduler.start();
      // A command scans once: every tier has run before it is answered.
    } else await this.#tierTwo.firstInspection(() => this.state({ maxAgeMs: 0 }));
  }

  state(freshness: Freshness = {}): Promise<DeskState> {
    this.#rounds.ask();
    const { maxAgeMs = this.#scheduler.loop.on ? this.#publisher.staleAfterMs : 0 } = freshness;
    return this.#publisher.youngerThan(maxAgeMs);
  }

  async reloadLaw(): Promise<boolean> {
    const before = this.#book.law;
    this.#book.take({ removed: true });
    this.#lawChanged();
    return this.#book.law !== before;
  }

  #recheckAll(): void {
    void this.#publisher.again().catch(() => undefined);
  }

  /** While the loop is off, the next recheck judges by it. */
  #lawChanged(): void {
    if (this.#scheduler.loop.on) void this.#publisher.recheck(null).catch(() => undefined);
  }

  async settle(): Promise<void> {
    await Promise.all([this.#surroundings.scan(), this.#features.settle()]);
    await this.#publisher.recheck(null);
    this.#publisher.settle();
    await this.#learning.whenDue(await this.state());
  }

  listener(role: ListenerRole): ServiceListener {
    const listener = this.#listeners.get(role);
    if (listener === undefined) throw new TypeError(`there is no listener role "${role}"`);
    return listener;
  }

  readiness(): ReturnType<Desk['readiness']> {
    this.#rounds.ask();
    return readinessOf({
      lost: this.#surroundings.lost,
      loop: loopFactsOf(this.#scheduler, this.#publisher.staleAfterMs),
      listeners: [...this.#listeners.values()],
      troubles: {
        engine: this.#publisher.trouble || (this.latest() === null ? 'there was no sweep yet' : ''),
        store: this.#tables.access.trouble,
        peek: this.#tierTwo.trouble,
        start: starterTrouble(),
        state: this.#surroundings.trouble,
        law: this.#book.trouble,
        ...this.#features.troubles(),
      },
    });
  }

  facts(): ReturnType<Desk['facts']> {
    const wrapped = this.latest()?.desk.service.selfWrapped ?? false;
    return {
      urls: this.#urls,
      service: serviceFactsOf(this.#surroundings, [...this.#listeners.values()], wrapped),
      loop: loopFactsOf(this.#scheduler, this.#publisher.staleAfterMs),
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const part of [this.#rounds, this.#surroundings, this.#allow]) part.stop();
    // Before the features: what one that is stopped leaves unread must not count as scanned.
    const scans = this.#slow.stop();
    // Before the guard ends their connections, which would look like a failure of the other end.
    await this.#features.stop();
    this.#guard.close();
    const parts = [this.#scheduler, this.#remedies].map((part) => part.stop());
    await Promise.all([scans, ...parts, this.#publisher.close(), this.#tierTwo.close()]);
    this.#helpers.close();
    await this.#learning.close();
    await this.#engine.close();
  }

  async #afterTurn(): Promise<number | null> {
    const state = this.latest();
    const run = state && this.#learning.gate.whenDue(state).catch((error) => this.#publisher.fail(error));
    return (await run) ?? null;
  }

  #context(snapshot: Snapshot): CheckContext {
    return { snapshot, law: this.#book.law, ...this.#learning.held(snapshot) };
  }

  #workings(): Workings {
    const { config, configDate, officeRefusal = '', role } = this.#options;
    return {
      ...{ config, configDate, officeRefusal },
      service: role === 'service',
      urls: this.#urls,
      law: this.#book.law,
      lawTrouble: this.#book.trouble,
      peekTrouble: this.#tierTwo.trouble,
      tables: this.#tables,
      surroundings: this.#surroundings,
      listeners: [...this.#listeners.values()],
      scheduler: this.#scheduler,
      staleAfterMs: this.#publisher.staleAfterMs,
      guard: this.#guard,
      allow: this.#allow,
      features: this.#features,
      remedies: this.#remedies,
    };
  }
}
