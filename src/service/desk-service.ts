/** The one implementation of `Desk`: wires engine, checks, gate, store and facts together. */
import { VERSION } from '../base/version.ts';
import { allowSourcesOf } from '../checks/allowed-listeners.ts';
import { CachedVerdicts } from '../checks/cached-verdicts.ts';
import type { CheckContext } from '../checks/check.ts';
import { CheckRuns } from '../checks/check-runs.ts';
import { CHECKS } from '../checks/index.ts';
import type { Config } from '../config/schema.ts';
import { now } from '../engine/now.ts';
import { EngineLooks } from '../engine/slow-looks.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { Engine } from '../engine/sweep.ts';
import { Learning } from '../features/baseline/index.ts';
import { Samples } from '../features/history/index.ts';
import { hostessOf } from '../features/hostess/index.ts';
import { TierTwo } from '../features/inspection/index.ts';
import { acceptedIn, acceptedPath, acceptFinding, knownFinding, LawBook } from '../features/law/index.ts';
import { DeskMail } from '../features/mail/index.ts';
import { HelperNotes, Quarantine } from '../features/quarantine/index.ts';
import { liveMachine, Remedies } from '../features/remedies/index.ts';
import type { Finding } from '../findings/finding.ts';
import { Recheck } from '../findings/recheck.ts';
import { ScanSchedule } from '../findings/scan-schedule.ts';
import type { CookRun, Desk, Freshness, ScarRun } from '../operations/desk.ts';
import { isOurs } from '../privileges/born.ts';
import { starterTrouble } from '../privileges/child.ts';
import type { DeskFacts, ListenerRole, LoopFacts, Moment, ServiceListener } from '../records/moment.ts';
import { GuardedStore } from '../store/guarded.ts';
import { StoreProbe } from '../store/store-probe.ts';
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
import { Metrics } from './metrics.ts';
import { Moments } from './moments.ts';
import { Outside } from './outside.ts';
import { Turns } from './scheduler.ts';
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
    await Promise.all([desk.start(), options.mail.counted]);
    return desk;
  } catch (error) {
    await desk?.close();
    throw startRefusal(error);
  }
}

class DeskService implements Desk {
  readonly config: Config;
  readonly events: Desk['events'];
  readonly quarantine: Quarantine;
  readonly baseline: Desk['baseline'];
  readonly people: Desk['people'];
  readonly assistant: Desk['assistant'];
  readonly mail: Desk['mail'];
  readonly allowSources: Desk['allowSources'] = ({ snapshot }) => allowSourcesOf(this.#context(snapshot));
  readonly think: Desk['think'];
  readonly history: Desk['history'] = (span) => this.#samples.history(span);
  readonly latest: Desk['latest'] = () => this.#moments.latest;
  readonly finding: Desk['finding'] = (id) => knownFinding(id, this.#findings(), this.#tables);
  readonly setListener: Desk['setListener'] = (one) => void this.#listeners.set(one.role, one);
  readonly configRefused: Desk['configRefused'] = (why) => this.#surroundings.refuseConfig(why);
  readonly #options: DeskOptions;
  readonly #engine: Engine;
  readonly #moments: Moments;
  readonly #learning: Learning;
  readonly #turns: Turns;
  readonly #metrics: Metrics;
  readonly #outside: Outside;
  readonly #mail: DeskMail;
  readonly #tables: Tables;
  readonly gateRuns: Desk['gateRuns'] = (limit) => this.#tables.gate.list(limit);
  readonly #surroundings: Surroundings;
  readonly accepted: Desk['accepted'];
  readonly #book: LawBook;
  readonly #helpers: HelperNotes;
  readonly #remedies: Remedies;
  readonly #slow: ScanSchedule;
  readonly #tierTwo: TierTwo;
  readonly #samples: Samples;
  readonly #urls: DeskFacts['urls'];
  readonly #listeners = new Map<ListenerRole, ServiceListener>();
  readonly #probe: StoreProbe;
  #closed = false;

  constructor(options: DeskOptions, engine: Engine, book: LawBook) {
    const { config, store, role, log } = options;
    this.config = config;
    this.#options = options;
    this.#engine = engine;
    const guarded = new GuardedStore(store, options.log, { records: (options.beside ?? null) === null });
    const tables = tablesOf(guarded);
    this.#tables = tables;
    this.#outside = new Outside({ config, history: tables.site, role, looked: () => this.#lookAgain() });
    this.assistant = this.#outside.assistant;
    this.#mail = new DeskMail({ ...options, folder: options.state.path, changed: () => this.#turns.soon() });
    ({ people: this.people, mail: this.mail } = this.#mail);
    this.#book = book;
    this.accepted = acceptedIn(book, () => this.#moments.look(null));
    this.#urls = urlsOf(config);
    const folder = options.state.path;
    this.#helpers = new HelperNotes({ folder, native: engine.native });
    this.quarantine = new Quarantine({ folder, native: engine.native, now });
    this.#remedies = new Remedies({
      ...options,
      machine: liveMachine(engine.native),
      quarantine: this.quarantine,
      shutdowns: tables.shutdowns,
      law: () => this.#book.law,
      look: () => this.moment({ maxAgeMs: 0 }),
      recordEvent: (...line) => this.#learning.gate.recordEvent(...line),
      describe: async (finding) => this.#tierTwo.holder(finding, await this.moment()),
      residueChanged: () => this.#surroundings.lookAtFolder(),
    });
    this.#surroundings = new Surroundings({
      state: options.state,
      residue: () => this.#helpers.residue(options.state.residue()),
      quarantine: () => this.quarantine.trouble(),
      passwordFile: config.mail.password_file,
      probeSite: options.probeSite,
      changed: () => this.#lookAgain(),
      log: options.log,
    });
    const runs = new CheckRuns(() => performance.now(), log);
    const judging = { checks: CHECKS, law: () => book.law, cached: new CachedVerdicts(), runs, log };
    this.#tierTwo = new TierTwo({
      ...judging,
      learning: () => this.#learning,
      allow: this.#outside.allow,
      ...{ privacy: config.privacy, tables },
      note: (pid) => this.#helpers.note(pid),
      changed: () => this.#turns.soon(),
    });
    this.#learning = new Learning({
      ...{ ...judging, ...tables },
      native: engine.native,
      look: () => this.moment({ maxAgeMs: 0 }),
      standingBy: this.#remedies.standingBy(),
      complete: role === 'service' ? () => this.#complete() : null,
      contents: this.#tierTwo.contents,
    });
    this.#probe = new StoreProbe({
      store: guarded,
      surroundings: this.#surroundings,
      recovered: () => this.#learning.gate.flush(),
      changed: () => this.#lookAgain(),
    });
    this.baseline = this.#learning;
    this.think = hostessOf(this, { outside: this.#outside, learning: this.#learning, tables, book });
    this.#moments = new Moments({
      recheck: new Recheck({
        ...judging,
        baseline: (snapshot) => this.#learning.held(snapshot),
        residue: () => this.#surroundings.residue,
        isOurs,
        sweep: (changes, options) => engine.sweep(changes, options),
        batch: (jobs, snapshot) => engine.judge(jobs, snapshot),
        hash: (text) => engine.native.hashIdentity(new TextEncoder().encode(text)),
        open: this.#tables.findings.open() ?? [],
        attach: this.#tierTwo.attach,
      }),
      log: options.log,
      periodMs: config.loop.recheck_ms,
      rechecked: (rechecked, inTurn) => {
        this.#turns.rechecked(rechecked, inTurn);
        this.#learning.gate.rechecked(rechecked, inTurn);
      },
      made: (moment, dirty) => {
        this.#tierTwo.watch(moment, dirty);
        this.#learning.observed(moment);
      },
      factsOf: (rechecked, times) => deskFactsOf(rechecked, times, this.#workings()),
      settled: role === 'local',
    });
    this.events = this.#moments.events;
    this.#slow = new ScanSchedule({
      ...judging,
      scans: new EngineLooks(engine),
      context: () => this.#moments.latest && this.#context(this.#moments.latest.snapshot),
      stands: ({ id }) => this.#findings().some(({ check }) => check === id),
      changed: () => this.#lookAgain(),
      everyMs: config.slow.every_sec * 1000,
    });
    this.#samples = new Samples({ stored: this.#tables.samples, periodMs: config.loop.recheck_ms });
    this.events.on('moment', (moment) => {
      this.#remedies.observe(moment);
      if (!this.#moments.settled) return;
      if (role === 'service') this.#samples.take(moment);
      void this.#learning.whenDue(moment);
    });
    this.#metrics = new Metrics(
      {
        latest: () => this.#moments.latest,
        events: () => this.#turns.events?.totals ?? null,
        loopCpuUs: () => this.#turns.loop.cpuUs(),
        peeks: () => this.#tierTwo.totals,
        checks: () => runs.totals,
        egress: () => this.#outside.guard.totals,
        parts: () => this.readiness().parts,
      },
      { version: VERSION, mark: engine.native.mark, backend: engine.backend },
    );
    this.#turns = new Turns({
      config: config.loop,
      native: engine.native,
      metrics: this.#metrics,
      log: options.log,
      recheck: (changes) => this.#moments.look(changes, true),
      confirm: (us) => this.#moments.confirm(us),
      after: () => this.#afterTurn(),
    });
    for (const listener of firstListeners(config, role)) this.#listeners.set(listener.role, listener);
  }

  /** Makes the first moment and starts loop and timers. */
  async start(): Promise<void> {
    const service = this.#options.role === 'service';
    await Promise.all([this.#outside.start(), this.#surroundings.look()]);
    if (service) for (const part of [this.#surroundings, this.#probe]) part.start();
    this.#tierTwo.start();
    await this.moment({ maxAgeMs: 0 });
    if (service) {
      this.#slow.start();
      this.#book.watch(() => this.#lawChanged());
      if (this.#options.loop) this.#turns.start();
      // A command looks once: all tiers have looked before it is answered.
    } else await this.#tierTwo.firstLook(() => this.moment({ maxAgeMs: 0 }));
  }

  moment({
    maxAgeMs = this.#turns.loop.on ? this.#moments.staleAfterMs : 0,
  }: Freshness = {}): Promise<Moment> {
    return this.#moments.youngerThan(maxAgeMs);
  }

  async scarCheck(): Promise<ScarRun> {
    return this.#learning.gate.run('scar', { cookOff: this.#remedies.cookOff('cook') });
  }

  async cook(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun> {
    const cookOff = this.#remedies.cookOff('cook', only);
    return { mode, ...(await this.#learning.gate.run(mode, { cookOff })) };
  }

  async avClose(mode: 'check' | 'cook'): Promise<CookRun> {
    await Promise.all([this.#surroundings.look(), this.#tierTwo.lookAtAll(), this.#slow.runAll()]);
    return this.cook(mode);
  }

  async fieldClear(mode: 'soft' | 'resolute'): Promise<CookRun> {
    this.#surroundings.lookAtFolder();
    const cookOff = this.#remedies.cookOff(mode);
    return { mode: 'cook', ...(await this.#learning.gate.run('cook', { cookOff })) };
  }

  async accept(id: string, accepts: string, why: string, expires?: string): ReturnType<Desk['accept']> {
    const parts = { book: this.#book, tables: this.#tables, gate: this.#learning.gate };
    const accepting = acceptFinding({ id, accepts, why, expires, findings: this.#findings() }, parts);
    // It holds whether this look succeeds or not.
    await this.#moments.look(null).catch(() => undefined);
    return accepting;
  }

  async reloadLaw(): Promise<boolean> {
    const before = this.#book.law;
    this.#book.take({ removed: true });
    this.#lawChanged();
    return this.#book.law !== before;
  }

  #lookAgain(): void {
    void this.moment({ maxAgeMs: 0 }).catch(() => undefined);
  }

  /** While the loop is off, the next look judges by it. */
  #lawChanged(): void {
    if (this.#turns.loop.on) void this.#moments.look(null).catch(() => undefined);
  }

  async site(): ReturnType<Desk['site']> {
    return { ...(await this.#outside.seen()), moment: await this.moment() };
  }

  async settle(): Promise<void> {
    await Promise.all([this.#surroundings.look(), this.#outside.settle()]);
    await this.#moments.look(null);
    this.#moments.settle();
    await this.#learning.whenDue(await this.moment());
  }

  listener(role: ListenerRole): ServiceListener {
    const listener = this.#listeners.get(role);
    if (listener === undefined) throw new TypeError(`there is no listener role "${role}"`);
    return listener;
  }

  readiness(): ReturnType<Desk['readiness']> {
    return readinessOf({
      lost: this.#surroundings.lost,
      loop: this.#loopFacts(),
      listeners: [...this.#listeners.values()],
      troubles: {
        engine: this.#moments.trouble || (this.latest() === null ? 'there was no sweep yet' : ''),
        store: this.#tables.access.trouble,
        peek: this.#tierTwo.trouble,
        start: starterTrouble(),
        state: this.#surroundings.trouble,
        law: this.#book.trouble,
        mail: this.#mail.trouble,
      },
    });
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
    for (const part of [this.#probe, this.#surroundings, this.#mail, this.#book, this.#outside]) part.stop();
    const parts = [this.#turns, this.#remedies, this.#slow].map((part) => part.stop());
    await Promise.all([...parts, this.#moments.close(), this.#tierTwo.close()]);
    this.#helpers.close();
    this.#samples.close();
    await this.#learning.close();
    await this.#engine.close();
  }

  metrics(): ReturnType<Desk['metrics']> {
    return this.#metrics.text().then((text) => ({ text, type: this.#metrics.contentType }));
  }

  async #afterTurn(): Promise<void> {
    const moment = this.latest();
    if (moment !== null)
      await this.#learning.gate.whenDue(moment).catch((error) => this.#moments.fail(error));
  }

  /** Everything that is looked at by schedule was looked at once: learning by itself waits for it. */
  #complete(): boolean {
    return this.latest() !== null && this.#slow.complete && this.#tierTwo.complete;
  }

  #findings(): readonly Finding[] {
    return this.latest()?.judgement.findings ?? [];
  }

  #context(snapshot: Snapshot): CheckContext {
    return { snapshot, law: this.#book.law, ...this.#learning.held(snapshot) };
  }

  readonly #loopFacts = (): LoopFacts => loopFactsOf(this.#turns, this.#moments.staleAfterMs);

  #workings(): Workings {
    const { config, configDate, role } = this.#options;
    return {
      config,
      configDate,
      service: role === 'service',
      urls: this.#urls,
      law: this.#book.law,
      lawTrouble: this.#book.trouble,
      peekTrouble: this.#tierTwo.trouble,
      tables: this.#tables,
      surroundings: this.#surroundings,
      listeners: [...this.#listeners.values()],
      turns: this.#turns,
      staleAfterMs: this.#moments.staleAfterMs,
      outside: this.#outside,
      mail: this.#mail,
      remedies: this.#remedies,
    };
  }
}
