/** What the desk reports to Prometheus (text format 0.0.4): a registry per desk, filled as things happen or when it is read. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CheckTotals } from '../checks/check-runs.ts';
import type { EgressTotals } from '../egress/guard.ts';
import type { EventTotals } from '../engine/events.ts';
import type { Loop } from '../engine/loop.ts';
import type { LookCounts } from '../engine/native/watch-types.ts';
import type { EngineMemory } from '../engine/sweep.ts';
import type { PeekTotals } from '../features/inspection/index.ts';
import type { DeskState } from '../records/state.ts';
import { bpfMapBytes, memoryOf } from './memory.ts';

/** How a recheck was answered: nothing had changed, what had changed was read again, everything was. */
type RecheckKind = 'gated' | 'partial' | 'full';

/** What is read when the metrics are read. */
interface MetricSource {
  latest(): DeskState | null;
  /** Null while the loop does not ask for events. */
  events(): EventTotals | null;
  loop(): Pick<Loop, 'cpuUs' | 'missed'>;
  /** Null where there are none. */
  looks(): Pick<LookCounts, 'held' | 'us'> | null;
  peeks(): PeekTotals;
  /** By check. */
  checks(): ReadonlyMap<string, Readonly<CheckTotals>>;
  /** Whether each part works, by its name. */
  parts(): Readonly<Record<string, { readonly ok: boolean }>>;
  /** What the guard let out and what it refused. */
  egress(): EgressTotals;
  memory(): EngineMemory & {
    /** The most that the store keeps of its file in memory. */
    readonly storeCacheBytes: number;
  };
}

const MICROSECONDS = [5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 5e5];

type Row<Read> = readonly [name: string, help: string, read: Read];

/** Counters whose values are kept elsewhere. */
const TOTALS: readonly Row<(source: MetricSource) => number>[] = [
  [
    'desk_resyncs_total',
    'Full sweeps forced by events that were lost or too many',
    (s) => s.events()?.resyncs ?? 0,
  ],
  ['desk_listen_polls_total', 'Runs of the listener poll', (s) => s.events()?.polls ?? 0],
  [
    'desk_listen_poll_refusals_total',
    'Listener dumps that the kernel refused',
    (s) => s.events()?.pollRefusals ?? 0,
  ],
  ['desk_loop_cpu_seconds_total', 'CPU of the loop and its event source', (s) => s.loop().cpuUs() / 1e6],
  [
    'desk_rechecks_missed_total',
    'Periods without a recheck of a loop that polls: the one before took too long, or the process was busy',
    (s) => s.loop().missed,
  ],
  [
    'desk_looks_total',
    'Looks at every process and listener that found all as it was read last, so that no recheck was needed',
    (s) => s.looks()?.held ?? 0,
  ],
  ['desk_look_seconds_total', 'Wall-clock time of all looks', (s) => (s.looks()?.us ?? 0) / 1e6],
  ['desk_peeks_total', 'Inspections of a process by a helper', (s) => s.peeks().inspections],
  ['desk_peek_helpers_killed_total', 'Helpers killed at their deadline', (s) => s.peeks().killed],
  ['desk_peek_helpers_broken_total', 'Helpers that ended by themselves', (s) => s.peeks().broken],
  [
    'desk_short_lived_programs_total',
    'Processes of unlearned programs that ended before they were reported',
    (s) => s.latest()?.desk.shortLived.total ?? 0,
  ],
  [
    'desk_gate_runs_dropped_total',
    'Runs of the gate that the history no longer keeps',
    (s) => s.latest()?.desk.dropped.gateRuns ?? 0,
  ],
  [
    'desk_history_lines_dropped_total',
    "Lines of findings' histories that were never stored",
    (s) => s.latest()?.desk.dropped.lines ?? 0,
  ],
  [
    'desk_residue_rows_dropped_total',
    'Rows of what scars touched that the history does not keep',
    (s) => s.latest()?.desk.dropped.residue ?? 0,
  ],
  [
    'process_cpu_seconds_total',
    'User and system CPU of this process',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  ],
];

const byCheck = (read: (totals: CheckTotals) => number) => (source: MetricSource) =>
  Object.fromEntries([...source.checks()].map(([check, totals]) => [check, read(totals)]));

/** The same, one value for each of a label's. */
const LABELLED: readonly [
  ...Row<(source: MetricSource) => Readonly<Record<string, number>>>,
  label: string,
][] = [
  ['desk_events_total', 'Kernel events taken by the loop', (s) => s.events()?.events ?? {}, 'kind'],
  [
    'desk_check_seconds_total',
    'Wall-clock time of each check; "batch" is the native program that judges the rows of all checks together',
    byCheck(({ seconds }) => seconds),
    'check',
  ],
  [
    'desk_check_runs_total',
    'Calls of the functions of each check, in rechecks, process inspections and scheduled scans',
    byCheck(({ runs }) => runs),
    'check',
  ],
  [
    'desk_check_errors_total',
    'Errors of each check; its subjects are blind then',
    byCheck(({ errors }) => errors),
    'check',
  ],
  [
    'desk_egress_connections_total',
    'Connections of the service through the egress guard, by place',
    (s) => s.egress().connections,
    'place',
  ],
  [
    'desk_egress_refusals_total',
    'What the egress guard refused or could not connect to, by reason',
    (s) => s.egress().refusals,
    'code',
  ],
  [
    'desk_findings_dropped_total',
    'Closed findings that the history no longer keeps, by severity, since the database was made',
    (s) => s.latest()?.desk.dropped.findings ?? {},
    'severity',
  ],
];

/** Absent before the first state. */
const GAUGES: readonly Row<(state: DeskState) => number>[] = [
  ['desk_generation', 'Generation of the newest snapshot', (m) => m.snapshot.generation],
  ['desk_sweep_us', 'Duration of the newest sweep, microseconds', (m) => m.snapshot.sweepUs],
  ['desk_processes', 'User-space processes', (m) => m.snapshot.counts.userSpace],
  ['desk_processes_wrapped', 'Those that are confined', (m) => m.snapshot.counts.wrapped],
  ['desk_processes_blind', 'Those whose confinement is unknown', (m) => m.snapshot.counts.wrapBlind],
  ['desk_listeners', 'Listening TCP and bound, unconnected UDP sockets', (m) => m.snapshot.listeners.length],
  ['desk_pairs', 'Pairs of the last batch', (m) => m.judgement.megaN],
  ['desk_pairs_blind', 'Pairs that could not be judged', (m) => m.judgement.blind],
  ['desk_findings', 'Open findings', (m) => m.judgement.findings.length],
  ['desk_scars', 'Open scars', (m) => m.judgement.scars.length],
  ['desk_mail_people', 'People in the mail ledger', (m) => m.desk.mail.people],
  ['desk_mail_messages', 'Messages that were counted', (m) => m.desk.mail.messages],
  [
    'desk_mail_sources_failed',
    'Sources of people that fail',
    (m) => m.desk.mail.sources.filter(({ state }) => state === 'failed').length,
  ],
];

/** Names as the client library guidelines have them. Event-loop delay is left out: its timer would wake the process. */
const OF_PROCESS: readonly Row<() => number>[] = [
  ['process_resident_memory_bytes', 'Resident memory of this process', () => process.memoryUsage.rss()],
  [
    'process_start_time_seconds',
    'Unix time at which this process started',
    () => Math.round(performance.timeOrigin / 1000),
  ],
];

/** Absent while the value is null. */
const MEMORY: readonly Row<(source: MetricSource) => number | null>[] = [
  [
    'nodejs_heap_size_used_bytes',
    'Used JavaScript heap of the main thread',
    () => process.memoryUsage().heapUsed,
  ],
  [
    'nodejs_heap_size_total_bytes',
    'JavaScript heap of the main thread with what is free in it',
    () => process.memoryUsage().heapTotal,
  ],
  [
    'nodejs_external_memory_bytes',
    'Memory outside the heap that JavaScript objects hold, buffers included',
    () => process.memoryUsage().external,
  ],
  [
    'desk_array_buffers_bytes',
    'Buffers that JavaScript objects hold, those that are shared with native code and workers included',
    () => process.memoryUsage().arrayBuffers,
  ],
  [
    'desk_native_heap_used_bytes',
    'What malloc has given out in this process: native code, SQLite, and what V8 keeps outside its heap; absent before glibc 2.33',
    (s) => s.memory().malloc?.usedBytes ?? null,
  ],
  [
    'desk_native_heap_free_bytes',
    'What malloc keeps for later, of which a part is in memory; absent before glibc 2.33',
    (s) => s.memory().malloc?.freeBytes ?? null,
  ],
  ['desk_bpf_maps_bytes', 'Kernel memory of the BPF maps of the service', () => bpfMapBytes()],
  [
    'desk_store_cache_limit_bytes',
    'The most that SQLite keeps of the database in memory; part of the native heap',
    (s) => s.memory().storeCacheBytes,
  ],
  ['desk_workers', 'Worker threads that run; they end when there is no work', (s) => s.memory().workers],
  [
    'desk_worker_heap_bytes',
    'JavaScript heaps of the worker threads, each as of its last task',
    (s) => s.memory().workerHeapBytes,
  ],
];

export class Metrics {
  readonly #registry = new Registry();
  readonly #rechecks: Histogram<'kind'>;
  readonly #latency: Histogram;

  readonly #readMemory: MetricSource['memory'];
  /** While a scrape is answered: reading it for each figure would wait for a sweep each time. */
  #memory: ReturnType<MetricSource['memory']> | null = null;

  constructor(given: MetricSource, build: Readonly<Record<string, string>>) {
    const registers = [this.#registry];
    this.#readMemory = given.memory;
    const source: MetricSource = { ...given, memory: () => this.#memory ?? given.memory() };
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
    for (const [name, help, read] of TOTALS)
      new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset();
          this.inc(read(source));
        },
      });
    for (const [name, help, read, label] of LABELLED)
      new Counter({
        ...{ name, help, registers, labelNames: [label] },
        collect() {
          this.reset();
          for (const [one, value] of Object.entries(read(source))) this.inc({ [label]: one }, value);
        },
      });
    for (const [name, help, read] of GAUGES)
      new Gauge({
        ...{ name, help, registers },
        collect() {
          const state = source.latest();
          if (state === null) this.remove();
          else this.set(read(state));
        },
      });
    for (const [name, help, read] of OF_PROCESS)
      new Gauge({
        ...{ name, help, registers },
        collect() {
          this.set(read());
        },
      });
    for (const [name, help, read] of MEMORY)
      new Gauge({
        ...{ name, help, registers },
        collect() {
          const value = read(source);
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    new Gauge({
      name: 'desk_engine_memory_bytes',
      help: 'Memory of the engine by part: the columns that sweeps write and the bitmaps of the batch (both also in desk_array_buffers_bytes), the process table that lasts, and texts that are kept from sweep to sweep (both also in desk_native_heap_used_bytes)',
      labelNames: ['part'],
      registers,
      collect() {
        this.reset();
        for (const [part, bytes] of Object.entries(source.memory().parts)) this.set({ part }, bytes);
      },
    });
    new Gauge({
      name: 'desk_group_memory_bytes',
      help: 'Memory of the service and its helpers as the kernel counts it: resident, where pages that two of them map count twice, and proportional, where each page is divided by the processes that map it (PSS)',
      labelNames: ['kind'],
      registers,
      collect() {
        const { residentBytes, proportionalBytes } = memoryOf(source.memory().group);
        this.set({ kind: 'resident' }, residentBytes);
        this.set({ kind: 'proportional' }, proportionalBytes);
      },
    });
    new Gauge({
      name: 'desk_part_ok',
      help: '1 while a part of the service works, 0 while it is degraded; the reasons are in /readyz',
      labelNames: ['part'],
      registers,
      collect() {
        this.reset();
        for (const [part, { ok }] of Object.entries(source.parts())) this.set({ part }, ok ? 1 : 0);
      },
    });
  }

  recheck(kind: RecheckKind, us: number): void {
    this.#rechecks.observe({ kind }, us);
  }

  /** Called when a snapshot shows what an event announced. */
  shown(us: number): void {
    this.#latency.observe(us);
  }

  /** As Prometheus reads them, and their media type. */
  async read(): Promise<{ readonly text: string; readonly type: string }> {
    this.#memory = this.#readMemory();
    try {
      return { text: await this.#registry.metrics(), type: this.#registry.contentType };
    } finally {
      this.#memory = null;
    }
  }
}
