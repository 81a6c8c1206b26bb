/** Metrics of the service itself: what it counts, and what it costs. */
import type { CheckTotals } from '../checks/check-runs.ts';
import { bpfMapBytes, memoryOf } from './memory.ts';
import {
  byName,
  eachOfState,
  type Family,
  type LabelledRow,
  labelled,
  type MetricSource,
  plain,
  type Row,
  type Sample,
} from './metric-family.ts';

const byCheck =
  (read: (totals: CheckTotals) => number) =>
  (source: MetricSource): readonly Sample[] =>
    [...source.checks()].map(([check, totals]) => [check, read(totals)]);

/** Kept elsewhere, since the start of the service or of the database. */
export const COUNTERS: readonly Family[] = [
  ...(
    [
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
    ] as Row<(source: MetricSource) => number>[]
  ).map(plain('counter')),
  ...(
    [
      [
        'desk_events_total',
        'Kernel events taken by the loop',
        (s) => byName({ ...s.events()?.events }),
        'kind',
      ],
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
        (s) => byName(s.egress().connections),
        'place',
      ],
      [
        'desk_egress_refusals_total',
        'What the egress guard refused or could not connect to, by reason',
        (s) => byName(s.egress().refusals),
        'code',
      ],
      [
        'desk_findings_dropped_total',
        'Closed findings that the history no longer keeps, by severity, since the database was made',
        eachOfState((m) => byName(m.desk.dropped.findings)),
        'severity',
      ],
    ] as LabelledRow<(source: MetricSource) => readonly Sample[]>[]
  ).map(labelled('counter')),
];

/** Names as the client library guidelines have them. Event-loop delay is left out: its timer would wake the process. */
export const MEMORY: readonly Family[] = [
  ...(
    [
      ['process_resident_memory_bytes', 'Resident memory of this process', () => process.memoryUsage.rss()],
      [
        'process_start_time_seconds',
        'Unix time at which this process started',
        () => Math.round(performance.timeOrigin / 1000),
      ],
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
    ] as Row<(source: MetricSource) => number | null>[]
  ).map(plain('gauge')),
  ...(
    [
      [
        'desk_engine_memory_bytes',
        'Memory of the engine by part: the columns that sweeps write and the bitmaps of the batch (both also in desk_array_buffers_bytes), the process table that lasts, and texts that are kept from sweep to sweep (both also in desk_native_heap_used_bytes)',
        (s) => byName(s.memory().parts),
        'part',
      ],
      [
        'desk_group_memory_bytes',
        'Memory of the service and its helpers as the kernel counts it: resident, where pages that two of them map count twice, and proportional, where each page is divided by the processes that map it (PSS)',
        (s) => {
          const { residentBytes, proportionalBytes } = memoryOf(s.memory().group);
          return byName({ resident: residentBytes, proportional: proportionalBytes });
        },
        'kind',
      ],
    ] as LabelledRow<(source: MetricSource) => readonly Sample[]>[]
  ).map(labelled('gauge')),
];
