/** What the engine tells Prometheus (text format 0.0.4): a registry per desk, filled as things happen or when it is asked. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CheckTotals } from '../checks/check-runs.ts';
import type { EgressTotals } from '../egress/guard.ts';
import type { EventTotals } from '../engine/events.ts';
import type { PeekTotals } from '../features/inspection/index.ts';
import type { Moment } from '../records/moment.ts';

/** How a recheck was answered: nothing had changed, what had changed was read again, everything was. */
type RecheckKind = 'gated' | 'partial' | 'full';

/** What is read when somebody asks. */
interface MetricSource {
  latest(): Moment | null;
  /** Null while the loop does not ask for events. */
  events(): EventTotals | null;
  /** CPU of the loop and its event source, µs. */
  loopCpuUs(): number;
  peeks(): PeekTotals;
  /** By check. */
  checks(): ReadonlyMap<string, Readonly<CheckTotals>>;
  /** Whether each part works, by its name. */
  parts(): Readonly<Record<string, { readonly ok: boolean }>>;
  /** What the guard let out and what it refused. */
  egress(): EgressTotals;
}

const MICROSECONDS = [5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 5e5];

export class Metrics {
  readonly #registry = new Registry();
  readonly #source: MetricSource;
  readonly #rechecks: Histogram<'kind'>;
  readonly #latency: Histogram;

  constructor(source: MetricSource, build: Readonly<Record<string, string>>) {
    this.#source = source;
    const registers = [this.#registry];
    this.#rechecks = new Histogram({
      name: 'desk_recheck_us',
      help: 'Duration of a recheck in microseconds: gated (nothing had changed), partial, full',
      labelNames: ['kind'],
      buckets: MICROSECONDS,
      registers,
    });
    this.#latency = new Histogram({
      name: 'desk_change_to_snapshot_us',
      help: 'Time from the oldest event to the snapshot that shows it, microseconds',
      buckets: MICROSECONDS,
      registers,
    });
    new Gauge({
      name: 'desk_build_info',
      help: 'Version, sweep backend at the start and CPU mark; the value is always 1',
      labelNames: Object.keys(build),
      registers,
    }).set({ ...build }, 1);
    this.#addEvents();
    this.#addPeeks();
    this.#addChecks();
    this.#addEgress();
    this.#addParts();
    this.#addSnapshot();
    this.#addProcess();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  recheck(kind: RecheckKind, us: number): void {
    this.#rechecks.observe({ kind }, us);
  }

  /** Called when a snapshot shows what an event announced. */
  shown(us: number): void {
    this.#latency.observe(us);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** A counter whose value is kept elsewhere. */
  #total(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** The same, one value for each of a label's. */
  #totals(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [one, value] of Object.entries(read())) this.inc({ [label]: one }, value);
      },
    });
  }

  #gauge(name: string, help: string, read: () => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }

  #addEvents(): void {
    const source = this.#source;
    this.#totals(
      'desk_events_total',
      'Kernel events taken by the loop',
      'kind',
      () => source.events()?.events ?? {},
    );
    this.#total(
      'desk_resyncs_total',
      'Full sweeps forced by events that were lost or too many',
      () => source.events()?.resyncs ?? 0,
    );
    this.#total('desk_listen_polls_total', 'Looks of the listener poll', () => source.events()?.polls ?? 0);
    this.#total(
      'desk_listen_poll_refusals_total',
      'Listener dumps that the kernel refused',
      () => source.events()?.pollRefusals ?? 0,
    );
    this.#total(
      'desk_loop_cpu_seconds_total',
      'CPU of the loop and its event source',
      () => source.loopCpuUs() / 1e6,
    );
  }

  #addPeeks(): void {
    const { peeks } = this.#source;
    this.#total('desk_peeks_total', 'Looks into a process by a helper', () => peeks().looks);
    this.#total('desk_peek_helpers_killed_total', 'Helpers killed at their deadline', () => peeks().killed);
    this.#total('desk_peek_helpers_broken_total', 'Helpers that ended by themselves', () => peeks().broken);
  }

  #addChecks(): void {
    const of = (read: (totals: CheckTotals) => number) => () =>
      Object.fromEntries([...this.#source.checks()].map(([check, totals]) => [check, read(totals)]));
    this.#totals(
      'desk_check_seconds_total',
      'Wall-clock time of each check; "batch" is the native program that judges the rows of all checks together',
      'check',
      of(({ seconds }) => seconds),
    );
    this.#totals(
      'desk_check_runs_total',
      'Runs of each check in rechecks, process inspections and scheduled scans',
      'check',
      of(({ runs }) => runs),
    );
    this.#totals(
      'desk_check_errors_total',
      'Errors of each check; its subjects are blind then',
      'check',
      of(({ errors }) => errors),
    );
  }

  #addEgress(): void {
    const { egress } = this.#source;
    this.#totals(
      'desk_egress_connections_total',
      'Connections of the service through the egress guard, by place',
      'place',
      () => egress().connections,
    );
    this.#totals(
      'desk_egress_refusals_total',
      'What the egress guard refused or could not connect to, by reason',
      'code',
      () => egress().refusals,
    );
  }

  #addParts(): void {
    const { parts } = this.#source;
    new Gauge({
      name: 'desk_part_ok',
      help: '1 while a part of the service works, 0 while it is degraded; the reasons are in /readyz',
      labelNames: ['part'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [part, { ok }] of Object.entries(parts())) this.set({ part }, ok ? 1 : 0);
      },
    });
  }

  #addSnapshot(): void {
    this.#total(
      'desk_short_lived_programs_total',
      'Processes of unlearned programs that ended before they were reported',
      () => this.#source.latest()?.desk.shortLived.total ?? 0,
    );
    const { latest } = this.#source;
    const of = (read: (moment: Moment) => number) => () => {
      const moment = latest();
      return moment === null ? undefined : read(moment);
    };
    this.#gauge(
      'desk_generation',
      'Generation of the newest snapshot',
      of((m) => m.snapshot.generation),
    );
    this.#gauge(
      'desk_sweep_us',
      'Duration of the newest sweep, microseconds',
      of((m) => m.snapshot.sweepUs),
    );
    this.#gauge(
      'desk_processes',
      'User-space processes',
      of((m) => m.snapshot.counts.userSpace),
    );
    this.#gauge(
      'desk_processes_wrapped',
      'Those that are confined',
      of((m) => m.snapshot.counts.wrapped),
    );
    this.#gauge(
      'desk_processes_blind',
      'Those whose confinement is unknown',
      of((m) => m.snapshot.counts.wrapBlind),
    );
    this.#gauge(
      'desk_listeners',
      'Listening TCP and bound, unconnected UDP sockets',
      of((m) => m.snapshot.listeners.length),
    );
    this.#gauge(
      'desk_pairs',
      'Pairs of the last batch',
      of((m) => m.judgement.megaN),
    );
    this.#gauge(
      'desk_pairs_blind',
      'Pairs that could not be judged',
      of((m) => m.judgement.blind),
    );
    this.#gauge(
      'desk_findings',
      'Open findings',
      of((m) => m.judgement.findings.length),
    );
    this.#gauge(
      'desk_mail_people',
      'People in the mail ledger',
      of((m) => m.desk.mail.people),
    );
    this.#gauge(
      'desk_mail_messages',
      'Messages that were counted',
      of((m) => m.desk.mail.messages),
    );
    this.#gauge(
      'desk_mail_sources_failed',
      'Sources of people that fail',
      of((m) => m.desk.mail.sources.filter(({ state }) => state === 'failed').length),
    );
    this.#totals(
      'desk_findings_dropped_total',
      'Closed findings that the history no longer keeps, by severity, since the database was made',
      'severity',
      () => latest()?.desk.dropped.findings ?? {},
    );
    this.#total(
      'desk_gate_runs_dropped_total',
      'Runs of the gate that the history no longer keeps',
      () => latest()?.desk.dropped.gateRuns ?? 0,
    );
    this.#total(
      'desk_history_lines_dropped_total',
      "Lines of findings' histories that were never stored",
      () => latest()?.desk.dropped.lines ?? 0,
    );
    this.#total(
      'desk_residue_rows_dropped_total',
      'Rows of what scars touched that the history does not keep',
      () => latest()?.desk.dropped.residue ?? 0,
    );
    this.#gauge(
      'desk_scars',
      'Open scars',
      of((m) => m.judgement.scars.length),
    );
  }

  /** Names as the client library guidelines have them. Event-loop delay is left out: its timer would wake the process. */
  #addProcess(): void {
    this.#total('process_cpu_seconds_total', 'User and system CPU of this process', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    this.#gauge('process_resident_memory_bytes', 'Resident memory of this process', () =>
      process.memoryUsage.rss(),
    );
    this.#gauge('process_start_time_seconds', 'Unix time at which this process started', () =>
      Math.round(performance.timeOrigin / 1000),
    );
    this.#gauge('nodejs_heap_size_used_bytes', 'Used JavaScript heap', () => process.memoryUsage().heapUsed);
  }
}
