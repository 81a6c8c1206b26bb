/** Turns what a sweep gathered into a snapshot: joins, counts, freezes. Pure over its input but for the stop of the watch. */
import type { Columns } from '../native/columns.ts';
import {
  FACT,
  type MachineResult,
  type OwnersResult,
  type Reference,
  type Refusal,
  type SocketResult,
  WRAP_STATE,
} from '../native/types.ts';
import { countListeners, countProcesses, descendantsOf } from './counts.ts';
import { connectionsFrom, holdersByInode, listenersFrom } from './listeners.ts';
import { hidesProcesses, probesOf } from './probes.ts';
import { tableOver } from './process-table.ts';
import type { Connection, EngineFacts, Instant, Machine, ProcessTable, Snapshot } from './snapshot.ts';

/** The columns of one sweep and what stands beside them. */
export interface Gathered {
  readonly columns: Columns;
  readonly count: number;
  /** Why the processes could not be listed; null when they were. */
  readonly refusal: Refusal | null;
  /** Null when sockets were not asked at all. */
  readonly sockets: SocketResult | null;
  /** What is known of the holders; null when sockets were not asked. */
  readonly owners: OwnersResult | null;
}

interface SweepParts extends Gathered {
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
  /** What confinement was measured against; null when the proc root is closed to us. */
  readonly reference: Reference | null;
  readonly engine: Omit<EngineFacts, 'deskPids'>;
}

export function assemble(parts: SweepParts): Snapshot {
  const { columns, sockets, earlier } = parts;
  const processes = tableOver(columns.processes, columns.text, parts.count);
  const holders = holdersByInode(columns.holders, parts.owners?.holders ?? 0, processes);
  const listeners = listenersFrom(
    columns.listeners,
    sockets?.listeners ?? 0,
    holders,
    processes,
    parts.refusal === null &&
      parts.owners?.covered === true &&
      seesEveryHolder(processes, parts.reference?.nsPid ?? 0),
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
 * True when a socket that nobody in the table holds is held by nobody at all, provided that every process of the table was
 * walked (`OwnersResult.covered`): no process is hidden, no descriptor table was refused, and no process outside our pid namespace can share our sockets (in a container one could).
 * `initialPid` is the reference's pid namespace, 0 = unknown.
 */
export function seesEveryHolder(table: ProcessTable, initialPid: number, self = process.pid): boolean {
  const row = table.rowOf(self);
  if (initialPid === 0 || row < 0 || table.columns.nsPid[row] !== initialPid) return false;
  if (hidesProcesses(table)) return false;
  const { refused, wrapState } = table.columns;
  for (let at = 0; at < table.count; at++) {
    if (wrapState[at] === WRAP_STATE.notApplicable) continue;
    if (((refused[at] as number) & FACT.descriptors) !== 0) return false;
  }
  return true;
}

function machineFrom(result: MachineResult | null): Machine {
  const { ephemeralLow: low, ephemeralHigh: high } = result ?? { ephemeralLow: null, ephemeralHigh: null };
  return Object.freeze({
    temperatures: Object.freeze(Array.from(result?.temperatures ?? [], (milli) => milli / 1000)),
    cameras: result?.cameras ?? 0,
    captureDevices: result?.captureDevices ?? 0,
    tcpActiveOpens: result?.tcpActiveOpens ?? null,
    tcpPassiveOpens: result?.tcpPassiveOpens ?? null,
    ephemeral: low === null || high === null ? null : Object.freeze([low, high] as const),
    clockTicksPerSecond: result?.clockTicksPerSecond ?? 100,
    uptimeSec: result?.uptimeSec ?? null,
  });
}
