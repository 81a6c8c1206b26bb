/** A desk without engine and store, for tests of HTTP and pages: it counts sweeps and notes what it was asked to do. */

import { EventEmitter } from 'node:events';
import { DeskError } from '../../src/base/desk-error.ts';
import type { AllowSource } from '../../src/checks/allowed-listeners.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import { EgressGuard } from '../../src/egress/guard.ts';
import { DeskAssistant } from '../../src/features/assistant/index.ts';
import type { Accepted, Finding } from '../../src/findings/finding.ts';
import type { GateStep } from '../../src/findings/pipeline.ts';
import type { CookRun, Desk, DeskEvents, Freshness, ScarRun } from '../../src/operations/desk.ts';
import type { LedgerPerson } from '../../src/records/ledger.ts';
import type { HistorySpan, Sample } from '../../src/records/measures.ts';
import type { ListenerRole, Moment, ServiceListener } from '../../src/records/moment.ts';
import type { Quarantined } from '../../src/records/quarantine.ts';
import type { HostessAnswer } from '../../src/records/talk.ts';
import { type MomentParts, momentFrom } from './moment.ts';

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
  return { ...config, listen: { control: listener, office: listener, themed: listener, public: listener } };
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
  /** Through a guard of its own, by the rules of the configuration. */
  readonly assistant: Desk['assistant'];
  readonly events = new EventEmitter<DeskEvents>();
  readonly calls: string[] = [];
  readonly listeners = new Map<ListenerRole, ServiceListener>();
  readonly findings = new Map<string, ReturnType<Desk['finding']>>();
  sweeps = 0;
  ready = true;
  /** Like a desk whose loop keeps the moment fresh: the newest one is given as it is. */
  keepsMoment = false;
  /** Callers that wait for a moment now. */
  waiting = 0;
  /** What the next moment is made of. */
  parts: MomentParts = {};
  /** Milliseconds since the epoch, of moments made by `sweep`. */
  clock: () => number = Date.now;
  /** What `think` answers. */
  thought: HostessAnswer = {
    answer: 'The desk is well.',
    grounds: [{ path: 'status.ok', value: true }],
    suggestions: ['desk status'],
  };
  /** Thrown by `think`, when set. */
  failure: Error | undefined;
  #latest: Moment | null = null;
  #running: Promise<Moment> | undefined;
  #held: Promise<void> = Promise.resolve();

  constructor(config: Config = loopbackConfig()) {
    this.config = config;
    this.assistant = new DeskAssistant({ config, egress: new EgressGuard(config.egress) });
  }

  latest(): Moment | null {
    return this.#latest;
  }

  async moment(freshness: Freshness = {}): Promise<Moment> {
    if (this.keepsMoment && this.#latest !== null && freshness.maxAgeMs !== 0) return this.#latest;
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

  /** Makes a new moment at once and tells it. */
  sweep(): Moment {
    this.sweeps += 1;
    const snapshot = {
      ...this.parts.snapshot,
      generation: this.sweeps,
      at: { epochMs: this.clock(), monotonicMs: performance.now(), offsetMin: 0 },
    };
    this.#latest = momentFrom({ ...this.parts, snapshot });
    this.events.emit('moment', this.#latest);
    return this.#latest;
  }

  /** What a quiet loop makes a second later: the same generation at another time, with other parts where a test says so. */
  confirm(changed: MomentParts): Moment {
    if (this.#latest === null) throw new Error('nothing to confirm');
    const { generation, at } = this.#latest.snapshot;
    const snapshot = { ...this.parts.snapshot, generation, at: { ...at, epochMs: at.epochMs + 1000 } };
    this.#latest = momentFrom({ ...this.parts, ...changed, snapshot });
    this.events.emit('moment', this.#latest);
    return this.#latest;
  }

  tellFinding(finding: Finding, event: 'open' | 'closed'): void {
    this.events.emit('finding', finding, event);
  }

  async scarCheck(): Promise<ScarRun> {
    this.calls.push('scarCheck');
    return { moment: await this.moment({ maxAgeMs: 0 }), steps: STEPS };
  }

  async cook(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun> {
    this.calls.push(['cook', mode, ...(only ?? [])].join(' '));
    return this.#cooked(mode, only);
  }

  async #cooked(mode: 'check' | 'cook', only?: readonly string[]): Promise<CookRun> {
    const moment = await this.moment({ maxAgeMs: 0 });
    const scars = moment.judgement.scars.filter(({ id }) => mode === 'check' || (only?.includes(id) ?? true));
    return { mode, moment, steps: STEPS, remedies: scars.map((scar) => remedyOf(scar, mode)) };
  }

  /** Runs of the gate, newest first; null: the last one that the newest moment tells of. */
  runs: ReturnType<Desk['gateRuns']> | null = null;

  gateRuns(limit: number): ReturnType<Desk['gateRuns']> {
    const { lastRun = null, state = 'pass' } = this.#latest?.desk.gate ?? {};
    const scarCount = this.#latest?.judgement.scars.length ?? 0;
    const last = lastRun === null ? [] : [{ ...lastRun, mode: 'scar' as const, state, scarCount, god: 1 }];
    return (this.runs ?? last).slice(0, limit);
  }

  finding(id: string): ReturnType<Desk['finding']> {
    return this.findings.get(id);
  }

  /** What only a look at everything shows, taken into the parts by it. */
  hidden: MomentParts = {};

  async avClose(mode: 'check' | 'cook'): Promise<CookRun> {
    this.calls.push(mode === 'check' ? 'avClose check' : 'avClose');
    this.parts = { ...this.parts, ...this.hidden };
    return this.#cooked(mode);
  }

  async fieldClear(mode: 'soft' | 'resolute'): Promise<CookRun> {
    this.calls.push(`fieldClear ${mode}`);
    throw new DeskError('refused', 'the field is in use', 'wait until the run has ended');
  }

  /** Whom the ledger knows. */
  readonly ledger = new Map<string, LedgerPerson>();
  readonly people: Desk['people'] = {
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
  readonly mail: Desk['mail'] = {
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
  /** What a check of the mail servers finds. */
  servers: Awaited<ReturnType<Desk['mail']['check']>>['servers'] = [];

  /** What the quarantine holds. */
  readonly setAside = new Map<string, Quarantined>();
  readonly quarantine: Desk['quarantine'] = {
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

  readonly baseline: Desk['baseline'] = {
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
      const moment = await this.moment();
      return { moment, generation: 2, added: [row], gone: [], changed: [], learns: [row], refusal: '' };
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

  async accept(finding: string, accepts: string, why: string, expires?: string): ReturnType<Desk['accept']> {
    this.calls.push(`accept ${finding} ${accepts} ${why} ${expires ?? 'for ever'}`);
    return { effect: 'explained', id: ACCEPTED.id, covers: ACCEPTED.covers };
  }

  readonly accepted: Desk['accepted'] = {
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

  async site(): ReturnType<Desk['site']> {
    return { moment: await this.moment(), probe: null, history: [] };
  }

  /** What was sampled. */
  sampled: Partial<Record<HistorySpan, readonly Sample[]>> = {};
  history(span: HistorySpan): readonly Sample[] {
    return this.sampled[span] ?? [];
  }

  /** What vouches for listeners, by port. */
  readonly vouched = new Map<number, AllowSource>();
  allowSources({ snapshot }: Moment): readonly AllowSource[] {
    return snapshot.listeners.map(({ port }) => this.vouched.get(port) ?? '');
  }

  async think(message: string): ReturnType<Desk['think']> {
    this.calls.push(`think ${message}`);
    if (this.failure !== undefined) throw this.failure;
    return { moment: await this.moment(), ...this.thought };
  }

  setListener(listener: ServiceListener): void {
    this.listeners.set(listener.role, listener);
  }

  async settle(): Promise<void> {}

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
    const { urls, service, loop } = (this.#latest ?? momentFrom(this.parts)).desk;
    return { urls, service, loop };
  }

  async metrics(): ReturnType<Desk['metrics']> {
    return { text: 'desk_generation 1\n', type: 'text/plain; version=0.0.4; charset=utf-8' };
  }

  async close(): Promise<void> {}
}

/** A person as the ledger gives them; `parts` over what is usual. */
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
