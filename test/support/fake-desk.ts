/** A desk without engine and store, for tests of HTTP and pages: it counts sweeps and records the requested operations. */

import { EventEmitter } from 'node:events';
import pino from 'pino';
import { DeskError } from '../../src/base/desk-error.ts';
import type { AllowSource } from '../../src/checks/allowed-listeners.ts';
import { ancestorsOf } from '../../src/checks/origin.ts';
import { processSubject } from '../../src/checks/subjects.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import type { Desk, DeskEvents, Freshness } from '../../src/desk/desk.ts';
import { DIFF } from '../../src/desk/diff.ts';
import { INSPECTION } from '../../src/desk/inspection.ts';
import { PACKAGES, type PackageScan } from '../../src/desk/packages.ts';
import { PEOPLE, type People } from '../../src/desk/people.ts';
import { SITE } from '../../src/desk/site-seen.ts';
import { SITES, STATUS_PAGE } from '../../src/desk/sites-seen.ts';
import { STARTUP } from '../../src/desk/startup.ts';
import { THINK } from '../../src/desk/think.ts';
import { type SlowProcess, VITALS } from '../../src/desk/vitals.ts';
import { EgressGuard } from '../../src/egress/guard.ts';
import { ALERTS, type Alerts } from '../../src/features/alerts/api.ts';
import type { QuietTime } from '../../src/features/alerts/saved.ts';
import { ASSISTANT, type Assistant } from '../../src/features/assistant/api.ts';
import { DeskAssistant } from '../../src/features/assistant/assistant.ts';
import { BASELINE, type Baseline } from '../../src/features/baseline/api.ts';
import { type CookRun, GATE, type Gate, type ScarRun } from '../../src/features/gate/api.ts';
import { HISTORY, type History } from '../../src/features/history/api.ts';
import { LAW, type LawInForce } from '../../src/features/law/api.ts';
import { MAIL, type Mail } from '../../src/features/mail/api.ts';
import { QUARANTINE, type QuarantineFolder } from '../../src/features/quarantine/api.ts';
import { REMEDIES } from '../../src/features/remedies/api.ts';
import { RemotePart, runRemote } from '../../src/features/remote/remote.ts';
import { linksOf } from '../../src/features/startup/links.ts';
import type { Accepted, Finding } from '../../src/findings/finding.ts';
import type { GateStep } from '../../src/findings/pipeline.ts';
import type { LedgerPerson } from '../../src/records/ledger.ts';
import type { HistorySpan, Sample } from '../../src/records/measures.ts';
import type { Quarantined } from '../../src/records/quarantine.ts';
import type { UptimePage, WatchedSite } from '../../src/records/sites.ts';
import type { DeskState, ListenerRole, ServiceListener } from '../../src/records/state.ts';
import type { HostessAnswer } from '../../src/records/talk.ts';
import { Features } from '../../src/service/features.ts';
import { eventfulDay } from './diff.ts';
import { packageScan } from './packages.ts';
import { statusPage, watchedSite } from './site.ts';
import { accountScan, startupScan } from './startup.ts';
import { type StateParts, stateFrom } from './state.ts';
import { memoryFolder } from './temp-folder.ts';
import { vitalsRead } from './vitals.ts';

const STEPS: readonly GateStep[] = [
  { step: 'cook', ok: true, ms: 0.4, detail: 'nothing to merge' },
  { step: 'scar-check', ok: true, ms: 0.1, detail: 'no scar' },
  { step: 'gate', ok: true, ms: 0.1, detail: 'passed' },
];

/** What cook-off does: a banned listener is shut down, everything else is left. */
function remedyOf(
  { id, check, summary, remedy }: Finding,
  mode: 'check' | 'cook',
): CookRun['remedies'][number] {
  const finding = id;
  if (check !== 'banned-listener')
    return {
      finding,
      remedy,
      result: mode === 'check' ? 'would be left to you' : 'left to you',
      left: true,
      done: false,
      summary,
    };
  const result =
    mode === 'check'
      ? 'would send SIGTERM to pid 500 (/usr/sbin/sshd), and SIGKILL if the port stays open'
      : 'it is down after SIGTERM to pid 500';
  return { finding, remedy: 'shut the banned listener down', result, left: false, done: true, summary };
}

/** The default configuration with every listener on an ephemeral loopback port; `parts` as the user would write them. */
export function loopbackConfig(parts: Readonly<Record<string, unknown>> = {}): Config {
  const config = configSchema.parse(parts);
  const listener = { enabled: true, host: '127.0.0.1', port: 0 };
  const office = { ...listener, explicitPort: true };
  const remote = { ...config.listen.remote, host: '127.0.0.1', port: 0 };
  return { ...config, listen: { control: listener, office, themed: listener, public: listener, remote } };
}

/** The one entry that was accepted. */
export const ACCEPTED: Accepted = {
  id: '0011223344aa',
  covers: [
    { key: 'check', value: 'traced' },
    { key: 'identity', value: '/usr/bin/gdb' },
  ],
  why: 'our debugger',
  expiresMs: null,
  acceptedMs: Date.UTC(2026, 0, 2),
};

export class FakeDesk implements Desk {
  readonly config: Config;
  /** Through its own guard, with the rules of the configuration. */
  readonly assistant: Assistant;
  readonly #features = new Features({ error: () => undefined });
  readonly use = this.#features.use;
  readonly find = this.#features.find;
  readonly provide = this.#features.provide;
  /** Tokens and certificate of the remote listener, in a folder of their own. */
  readonly remote: RemotePart;
  readonly events = new EventEmitter<DeskEvents>();
  readonly calls: string[] = [];
  readonly listeners = new Map<ListenerRole, ServiceListener>();
  readonly findings = new Map<string, ReturnType<Desk['finding']>>();
  sweeps = 0;
  /** Who watches its events now. */
  watchers = 0;
  ready = true;
  /** Like a desk whose loop keeps the state fresh: the newest one is returned. */
  keepsState = false;
  /** Callers that wait for a state now. */
  waiting = 0;
  /** What the machine starts by itself, its accounts and its packages. */
  startupScan = startupScan();
  accountScan = accountScan();
  packageScan: PackageScan | null = packageScan();
  /** The sites that are watched, and what everyone may see of them. */
  sites: readonly WatchedSite[] = [watchedSite()];
  statusPage: UptimePage | null = statusPage();
  /** What changed in a day. */
  diff = eventfulDay();
  /** The last reading of the machine itself. */
  vitals = vitalsRead();
  /** Processes that use most. */
  slow: readonly SlowProcess[] = [];
  /** What the next state is made of. */
  parts: StateParts = {};
  /** Milliseconds since the epoch, of states made by `sweep`. */
  clock: () => number = Date.now;
  /** What `think` answers. */
  thought: HostessAnswer = {
    answer: 'The desk is well.',
    grounds: [{ path: 'status.ok', value: true }],
    suggestions: ['desk status'],
    understood: 'full',
    query: null,
    choices: [],
  };
  /** Thrown by `think`, when set. */
  failure: Error | undefined;
  #latest: DeskState | null = null;
  #running: Promise<DeskState> | undefined;
  #held: Promise<void> = Promise.resolve();

  constructor(config: Config = loopbackConfig()) {
    this.config = config;
    this.remote = new RemotePart({ folder: memoryFolder('desk-remote-'), log: pino({ level: 'silent' }) });
    this.assistant = new DeskAssistant({ config, egress: new EgressGuard(config.egress) });
    this.provide(ASSISTANT, this.assistant);
    this.provide(BASELINE, this.baseline);
    runRemote({ config, provide: this.provide } as never, this.remote);
    this.provide(GATE, {
      check: () => this.scarCheck(),
      cook: (mode, only) => this.cook(mode, only),
      runs: (limit) => this.gateRuns(limit),
    });
    this.provide(HISTORY, {
      samples: (span) => this.sampled[span] ?? [],
      events: () => this.findingEvents,
      stored: () => this.storedFindings,
      firstEvent: () => this.findingEvents.at(-1)?.at ?? null,
      turns: () => this.findingTurns,
      droppedUntilSec: () => null,
      pauses: () => this.pauses,
      readable: () => this.storeReadable,
    });
    this.provide(LAW, {
      accept: (...asked) => this.accept(...asked),
      accepted: this.accepted,
      current: () => {
        throw new Error('only a desk has a law');
      },
    });
    this.provide(MAIL, this.mail);
    this.provide(ALERTS, this.alerts);
    this.provide(PEOPLE, this.people);
    this.provide(QUARANTINE, this.quarantine);
    this.provide(REMEDIES, {
      avClose: (mode) => this.avClose(mode),
      fieldClear: (mode) => this.fieldClear(mode),
    });
    this.provide(SITE, {
      seen: async () => ({ probe: null, history: [] }),
      known: () => ({ probe: null, history: [] }),
    });
    this.provide(SITES, { seen: async () => this.sites, known: () => this.sites });
    this.provide(STATUS_PAGE, { page: () => this.statusPage });
    this.provide(VITALS, {
      read: async () => this.vitals,
      both: async () => [this.vitals.facts, this.vitals.facts],
      logins: async () => [{ user: 'ada', line: 'pts/0', host: '203.0.113.7', seconds: 1_767_323_045 }],
      slow: async (_by, intervalMs) => ({
        ...{ intervalMs, processes: this.slow, all: 3, passing: 0, ioUnread: 1 },
      }),
      used: async () => ({
        ...{ state: 'S', cpuPercent: 1.5, residentBytes: 12 * 1024 * 1024 },
        ...{ readPerSec: 0, writtenPerSec: 4_096 },
      }),
    });
    this.provide(INSPECTION, {
      about: async ({ processes }, pid, found) => {
        const row = processes.rowOf(pid);
        const { start, executable, comm: name, uid } = processSubject(processes, row);
        return {
          ...{ pid, start, name, executable, program: name, uid, user: uid === 0 ? 'root' : '' },
          ...{ parent: null, ancestors: ancestorsOf(processes, row), unit: '', started: '' },
          ...{ directory: '/srv', command: found ? `${name} --verbose` : null },
        };
      },
      programs: async (_snapshot, asked) =>
        new Map(asked.filter(({ found }) => found).map(({ pid }) => [pid, `python3 /opt/${pid}.py`])),
    });
    this.provide(DIFF, {
      between: async (sinceMs, untilMs) => {
        this.calls.push(`diff ${(untilMs - sinceMs) / 60_000} min`);
        return this.diff;
      },
      settled: () => true,
    });
    this.provide(PACKAGES, {
      container: '',
      latest: () => this.packageScan,
      installed: async () => ({ packages: [], unread: [], trouble: '' }),
      verify: async () => {
        this.calls.push('packages verify');
        this.packageScan ??= packageScan();
        return this.packageScan;
      },
      soon: () => undefined,
    });
    this.provide(STARTUP, {
      scan: async () => {
        this.calls.push('startup scan');
        return this.startupScan;
      },
      latest: () => this.startupScan,
      recent: async () => {
        this.calls.push('startup recent');
        return this.startupScan;
      },
      settledFor: async () => this.startupScan,
      linksOf: (finding, processes) => linksOf(finding, this.startupScan, processes),
      ownerOf: async () => ({ name: 'openssh-server', version: '1:9.2p1-2', database: 'dpkg' }),
      accounts: async () => {
        this.calls.push('accounts');
        return this.accountScan;
      },
    });
    this.provide(THINK, (...asked) => this.think(...asked));
  }

  latest(): DeskState | null {
    return this.#latest;
  }

  async state(freshness: Freshness = {}): Promise<DeskState> {
    if (this.keepsState && this.#latest !== null && freshness.maxAgeMs !== 0) return this.#latest;
    this.#running ??= this.#held
      .then(() => this.sweep())
      .finally(() => {
        this.#running = undefined;
      });
    this.waiting += 1;
    return this.#running.finally(() => {
      this.waiting -= 1;
    });
  }

  /** Sweeps do not end until the returned function is called. */
  holdSweeps(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  /** Makes a new state at once and reports it. */
  sweep(): DeskState {
    this.sweeps += 1;
    const snapshot = {
      ...this.parts.snapshot,
      generation: this.sweeps,
      at: { epochMs: this.clock(), monotonicMs: performance.now(), offsetMin: 0 },
    };
    this.#latest = stateFrom({ ...this.parts, snapshot });
    this.events.emit('state', this.#latest);
    return this.#latest;
  }

  /** The state of a quiet loop a second later: the same generation at another time, with other parts if the test sets them. */
  confirm(changed: StateParts): DeskState {
    if (this.#latest === null) throw new Error('nothing to confirm');
    const { generation, at } = this.#latest.snapshot;
    const snapshot = { ...this.parts.snapshot, generation, at: { ...at, epochMs: at.epochMs + 1000 } };
    this.#latest = stateFrom({ ...this.parts, ...changed, snapshot });
    this.events.emit('state', this.#latest);
    return this.#latest;
  }

  tellFinding(finding: Finding, event: 'open' | 'closed'): void {
    this.events.emit('finding', finding, event);
  }

  async scarCheck(): Promise<ScarRun> {
    this.calls.push('scarCheck');
    return { state: await this.state({ maxAgeMs: 0 }), steps: STEPS };
  }

  async cook(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun> {
    this.calls.push(['cook', mode, ...(only ?? [])].join(' '));
    return this.#cooked(mode, only);
  }

  async #cooked(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun> {
    const deskState = await this.state({ maxAgeMs: 0 });
    const scars = deskState.judgement.scars.filter(
      ({ id }) => mode === 'check' || (only?.includes(id) ?? true),
    );
    return { mode, state: deskState, steps: STEPS, remedies: scars.map((scar) => remedyOf(scar, mode)) };
  }

  /** Runs of the gate, newest first; null: the last one that the newest state reports. */
  runs: ReturnType<Gate['runs']> | null = null;

  gateRuns(limit: number): ReturnType<Gate['runs']> {
    const { lastRun = null, state = 'pass' } = this.#latest?.desk.gate ?? {};
    const scarCount = this.#latest?.judgement.scars.length ?? 0;
    const last = lastRun === null ? [] : [{ ...lastRun, mode: 'scar' as const, state, scarCount, god: 1 }];
    return (this.runs ?? last).slice(0, limit);
  }

  finding(id: string): ReturnType<Desk['finding']> {
    const open = this.#latest?.judgement.findings.find((finding) => finding.id === id);
    const now = open && { finding: open, history: [{ at: open.firstSeen, event: 'open' as const }] };
    return this.findings.get(id) ?? now;
  }

  /** What only a full scan shows, added to the parts by it. */
  hidden: StateParts = {};

  async avClose(mode: 'check' | 'cook'): Promise<CookRun> {
    this.calls.push(mode === 'check' ? 'avClose check' : 'avClose');
    this.parts = { ...this.parts, ...this.hidden };
    return this.#cooked(mode);
  }

  async fieldClear(mode: 'soft' | 'resolute'): Promise<CookRun> {
    this.calls.push(`fieldClear ${mode}`);
    throw new DeskError('refused', 'the field is in use', 'wait until the run has ended');
  }

  /** The people of the ledger. */
  readonly ledger = new Map<string, LedgerPerson>();
  readonly people: People = {
    who: async (email) => {
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) return null;
      const address = email.toLowerCase();
      return { address, person: this.ledger.get(address) ?? null };
    },
    page: async (query) => {
      this.calls.push(`people ${JSON.stringify(query)}`);
      if (query.cursor !== undefined)
        throw new DeskError('usage', 'That cursor is none of ours.', 'Leave it out.');
      const people = [...this.ledger.values()].slice(0, query.limit);
      return { total: this.ledger.size, people, next: people.length < this.ledger.size ? 'more' : null };
    },
  };
  readonly mail: Mail = {
    check: async () => {
      this.calls.push('mail check');
      return { atMs: 0, servers: this.servers };
    },
    test: async (to = 'desk@example.org') => {
      this.calls.push(`mail test ${to}`);
      return { ok: true, to, ms: 12, detail: '250 accepted', messageId: '<1@example.org>' };
    },
    forget: async (email) => {
      this.calls.push(`mail forget ${email}`);
      const address = email.toLowerCase();
      return { address, forgotten: this.ledger.delete(address) };
    },
    export: async (format) => {
      this.calls.push(`mail export ${format}`);
      return { path: `/state/people.${format === 'vcard' ? 'vcf' : format}`, people: this.ledger.size };
    },
  };
  quietTime: QuietTime | null = null;
  readonly alerts: Alerts = {
    targets: () => [],
    heartbeats: () => [],
    deliveries: () => [
      {
        ...{ atMs: 1_767_323_045_000, target: 'phone', message: '0011223344556677', kind: 'opened' },
        ...{ severity: 'high', title: 'box: high: a finding', failed: 1 },
      },
    ],
    test: async (name = 'phone') => {
      this.calls.push(`alert test ${name}`);
      return [{ target: name, ok: true, detail: 'answered 200', ms: 12 }];
    },
    quiet: () => this.quietTime,
    setQuiet: (quiet) => {
      this.calls.push(`quiet ${quiet?.why ?? 'ends'}`);
      this.quietTime = quiet;
    },
  };
  /** What a check of the mail servers finds. */
  servers: Awaited<ReturnType<Mail['check']>>['servers'] = [];

  /** What the quarantine holds. */
  readonly setAside = new Map<string, Quarantined>();
  readonly quarantine: QuarantineFolder = {
    folder: '/state/quarantine',
    list: () => [...this.setAside.values()],
    restore: (id) => {
      this.calls.push(`restore ${id}`);
      const entry = this.setAside.get(id);
      if (entry === undefined) throw new DeskError('not-found', 'There is no such entry.', 'List them.');
      return entry;
    },
    purge: (choice) => {
      this.calls.push(`purge ${JSON.stringify(choice)}`);
      return [...this.setAside.values()];
    },
  };

  readonly baseline: Baseline = {
    generations: () => [],
    contents: () => new Map(),
    differenceAt: () => {
      throw new Error('only a desk compares');
    },
    learn: async (windowMin) => {
      this.calls.push(windowMin === undefined ? 'learn' : `learn ${windowMin}`);
      return {
        generation: 2,
        added: 3,
        windowUntilMs: windowMin === undefined ? null : Date.UTC(2026, 0, 2),
      };
    },
    difference: async () => {
      const row = { kind: 'identity', text: '/usr/bin/new' } as const;
      const deskState = await this.state();
      return {
        state: deskState,
        generation: 2,
        added: [row],
        gone: [],
        changed: [],
        learns: [row],
        refusal: '',
      };
    },
    restore: async (generation) => {
      this.calls.push(`restore ${generation}`);
      return { generation: 3, added: 0, windowUntilMs: null };
    },
    reviewed: async () => {
      this.calls.push('reviewed');
      return { generation: 2, rows: 4 };
    },
  };

  async accept(
    finding: string,
    accepts: string,
    why: string,
    expires?: string,
  ): ReturnType<LawInForce['accept']> {
    this.calls.push(`accept ${finding} ${accepts} ${why} ${expires ?? 'for ever'}`);
    return { effect: 'explained', id: ACCEPTED.id, covers: ACCEPTED.covers };
  }

  readonly accepted: LawInForce['accepted'] = {
    list: () => [ACCEPTED],
    undo: async (id) => {
      this.calls.push(`undo ${id}`);
      if (id !== ACCEPTED.id)
        throw new DeskError('not-found', 'Nothing that was accepted has this id', 'See the ids.');
      return ACCEPTED;
    },
  };

  configRefused(trouble: string): void {
    this.parts = { ...this.parts, configTrouble: trouble };
  }

  async reloadLaw(): Promise<boolean> {
    return false;
  }

  /** What was sampled. */
  sampled: Partial<Record<HistorySpan, readonly Sample[]>> = {};
  /** Events of findings, the newest first, and the findings of the store. */
  findingEvents: ReturnType<History['events']> = [];
  storedFindings: ReturnType<History['stored']> = [];
  storeReadable = true;
  findingTurns: ReturnType<History['turns']> = [];
  pauses: ReturnType<History['pauses']> = { firstSec: 1, pauses: [] };
  /** What allows listeners, by port. */
  readonly vouched = new Map<number, AllowSource>();
  allowSources({ snapshot }: DeskState): readonly AllowSource[] {
    return snapshot.listeners.map(({ port }) => this.vouched.get(port) ?? '');
  }

  async think(message: string, _asker?: unknown): Promise<HostessAnswer & { readonly state: DeskState }> {
    this.calls.push(`think ${message}`);
    if (this.failure !== undefined) throw this.failure;
    return { state: await this.state(), ...this.thought };
  }

  attend(): () => void {
    this.watchers += 1;
    return () => {
      this.watchers -= 1;
    };
  }

  setListener(listener: ServiceListener): void {
    this.listeners.set(listener.role, listener);
  }

  async settle(): Promise<void> {}

  retire(): void {}

  listener(role: ListenerRole): ServiceListener {
    const listener = this.listeners.get(role);
    if (listener === undefined) throw new TypeError(`no listener ${role}`);
    return listener;
  }

  readiness(): ReturnType<Desk['readiness']> {
    return {
      ready: this.ready,
      parts: { engine: { ok: this.ready, reason: this.ready ? '' : 'no sweep yet' } },
    };
  }

  facts(): ReturnType<Desk['facts']> {
    const { urls, service, loop } = (this.#latest ?? stateFrom(this.parts)).desk;
    return { urls, service, loop };
  }

  async metrics(): ReturnType<Desk['metrics']> {
    return { text: 'desk_generation 1\n', type: 'text/plain; version=0.0.4; charset=utf-8' };
  }

  async close(): Promise<void> {}
}

/** A person as the ledger returns them; `parts` override the defaults. */
export const personFrom = (parts: Partial<LedgerPerson> = {}): LedgerPerson => ({
  address: 'ada@example.org',
  name: 'Ada',
  names: ['Ada'],
  firstMs: Date.UTC(2024, 0, 31, 7),
  lastMs: Date.UTC(2026, 0, 31, 7),
  firstContact: 'in',
  received: 3,
  sent: 1,
  copied: 0,
  list: false,
  automated: false,
  warnings: [],
  ...parts,
});
