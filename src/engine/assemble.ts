/** Turns what a sweep gathered into a snapshot: joins, counts, freezes. Pure over its input but for the stop of the watch. */
import type { Columns } from '../native/columns.ts';
import { FACT, type MachineResult, type Refusal, type SocketResult, WRAP_STATE } from '../native/types.ts';
import { countListeners, countProcesses, descendantsOf } from './counts.ts';
import { connectionsFrom, type HolderSlice, holdersByInode, listenersFrom } from './listeners.ts';
import { hidesProcesses, probesOf } from './probes.ts';
import { tableOver } from './process-table.ts';
import type { Connection, EngineFacts, Instant, Machine, ProcessTable, Snapshot } from './snapshot.ts';

/** Number of the initial pid namespace (PROC_PID_INIT_INO, include/linux/proc_ns.h). */
const INITIAL_PID_NAMESPACE = 0xefff_fffc;

/** The columns of one sweep and what stands beside them. */
export interface Gathered {
  readonly columns: Columns;
  readonly count: number;
  /** Why the processes could not be listed; null when they were. */
  readonly refusal: Refusal | null;
  /** Null when sockets were not asked at all. */
  readonly sockets: SocketResult | null;
  readonly slices: readonly HolderSlice[];
}

export interface SweepParts extends Gathered {
  readonly generation: number;
  readonly epochMs: number;
  /** `performance.now()` at the start of the sweep. */
  readonly startedMs: number;
  readonly machine: MachineResult | null;
  /** Connections of an earlier sweep, when this one did not ask. */
  readonly earlier: {
    readonly connections: readonly Connection[];
    readonly refusals: readonly Refusal[];
    readonly ageMs: number;
  } | null;
  readonly rootPath: string;
  readonly engine: Omit<EngineFacts, 'deskPids'>;
}

export function assemble(parts: SweepParts): Snapshot {
  const { columns, sockets, earlier } = parts;
  const processes = tableOver(columns.processes, columns.text, parts.count);
  const holders = holdersByInode(columns.holders, parts.slices, processes);
  const listeners = listenersFrom(
    columns.listeners,
    sockets?.listeners ?? 0,
    holders,
    processes,
    parts.refusal === null && seesEveryHolder(processes),
  );
  const machine = machineFrom(parts.machine);
  return Object.freeze({
    generation: parts.generation,
    at: instantAt(parts.epochMs),
    engine: Object.freeze({
      ...parts.engine,
      deskPids: Object.freeze(descendantsOf(processes, process.pid)),
    }),
    processes,
    listeners,
    connections:
      earlier?.connections ?? connectionsFrom(columns.connections, sockets?.connections ?? 0, holders),
    connectionsAgeMs: earlier?.ageMs ?? 0,
    machine,
    counts: Object.freeze({
      ...countProcesses(processes),
      ...countListeners(listeners, machine.ephemeral),
    }),
    probes: probesOf({
      table: processes,
      self: process.pid,
      processes: parts.refusal,
      root: parts.rootPath,
      sockets: sockets === null ? null : [...sockets.refusals, ...(earlier?.refusals ?? [])],
      machine: parts.machine?.refusals ?? null,
    }),
    sweepUs: Math.round((performance.now() - parts.startedMs) * 1000),
  });
}

/** The moment with the offset that the desk's zone has at that moment. */
export function instantAt(epochMs: number): Instant {
  return Object.freeze({ epochMs, offsetMin: 0 - Math.round(new Date(epochMs).getTimezoneOffset()) });
}

/**
 * True when a socket that nobody in the table holds is held by nobody at all: no process is hidden, every descriptor
 * table was read, and no process outside our pid namespace can share our sockets (in a container one could).
 */
export function seesEveryHolder(table: ProcessTable, self = process.pid): boolean {
  const row = table.rowOf(self);
  if (row < 0 || table.columns.nsPid[row] !== INITIAL_PID_NAMESPACE || hidesProcesses(table)) return false;
  const { refused, wrapState } = table.columns;
  for (let at = 0; at < table.count; at++) {
    if (wrapState[at] === WRAP_STATE.notApplicable) continue;
    if (((refused[at] as number) & FACT.descriptors) !== 0) return false;
  }
  return true;
}

function machineFrom(result: MachineResult | null): Machine {
  return Object.freeze({
    temperatures: Object.freeze(Array.from(result?.temperatures ?? [], (milli) => milli / 1000)),
    cameras: result?.cameras ?? 0,
    captureDevices: result?.captureDevices ?? 0,
    tcpActiveOpens: result?.tcpActiveOpens ?? 0,
    tcpPassiveOpens: result?.tcpPassiveOpens ?? 0,
    ephemeral: Object.freeze([result?.ephemeralLow ?? 0, result?.ephemeralHigh ?? 0] as const),
    clockTicksPerSecond: result?.clockTicksPerSecond ?? 100,
    uptimeSec: result?.uptimeSec ?? 0,
  });
}
