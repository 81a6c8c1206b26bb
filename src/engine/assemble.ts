/** Turns the results of a sweep into a snapshot: joins, counts, freezes. Pure, except that it reads the clock once at the end. */
import {
  connectionsFrom,
  countListeners,
  holdersByInode,
  listenersFrom,
  sameListeners,
} from './listeners.ts';
import type { Columns } from './native/columns.ts';
import type { CaptureResult, ExecutableFate, HostResult, SensorResult } from './native/host-types.ts';
import type { OwnersResult } from './native/owners-types.ts';
import type { Tally } from './native/table-types.ts';
import { isRefusal, type MachineResult, type Refusal, type SocketResult } from './native/types.ts';
import { hidesProcesses, probesOf } from './probes.ts';
import { tableOver } from './process-table.ts';
import { late } from './reading.ts';
import type {
  Connection,
  Counts,
  EngineFacts,
  Host,
  Instant,
  Machine,
  ProcessTable,
  Snapshot,
} from './snapshot.ts';

export interface RawSweep {
  readonly columns: Columns;
  readonly count: number;
  readonly refusal: Refusal | null;
  /** Null when sockets were not asked at all. */
  readonly sockets: SocketResult | null;
  /** What is known of the holders; null when sockets were not asked. The same object as before while these were not read again. */
  readonly owners: OwnersResult | null;
  readonly tally: Tally;
  readonly delta: Snapshot['delta'];
}

/** What the machine says beside processes and sockets. Null = not answered in time. */
export interface MachineParts extends MachineResult {
  /** When the counters were read, `performance.now()`. */
  readonly readAtMs: number;
  readonly sensors: SensorResult | null;
  readonly captures: CaptureResult | null;
}

export interface SweepParts extends RawSweep {
  readonly generation: number;
  readonly epochMs: number;
  /** `performance.now()` at the start of the sweep. */
  readonly startedMs: number;
  readonly machine: MachineParts | null;
  /** A refusal where the proc root is closed to us. */
  readonly host: HostResult | Refusal;
  readonly fates: Host['fates'];
  /** Connections of an earlier sweep, when this one did not ask. */
  readonly earlier: {
    readonly connections: readonly Connection[];
    readonly refusals: readonly Refusal[];
    readonly ageMs: number;
  } | null;
  readonly rootPath: string;
  readonly engine: Omit<EngineFacts, 'deskPids'>;
  /** Executables asked for; their pids are in the tally. */
  readonly programs: readonly string[];
}

/** The generation before. What did not change since is the same object in the next snapshot. */
export interface Before {
  readonly parts: SweepParts;
  readonly snapshot: Snapshot;
}

export function assemble(parts: SweepParts, before: Before | null): Snapshot {
  const { columns, tally } = parts;
  const processes = tableOver(columns.processes, columns.text, parts.count);
  const machine = machineFrom(parts.machine);
  const joined = socketsOf(parts, processes, before);
  const same = before !== null && before.parts.tally === tally ? before.snapshot : null;
  return Object.freeze({
    generation: parts.generation,
    delta: parts.delta,
    at: Object.freeze({ ...instantAt(parts.epochMs), monotonicMs: parts.startedMs }),
    engine: same?.engine ?? Object.freeze({ ...parts.engine, deskPids: Object.freeze([...tally.own]) }),
    columns,
    processes,
    ...joined,
    programs: same?.programs ?? programsOf(parts, before),
    connectionsAgeMs: parts.earlier?.ageMs ?? 0,
    machine,
    host: hostOf(parts, before),
    counts: countsOf(tally, joined.listeners, machine.ephemeral),
    probes: probesFor(parts, processes, before),
    sweepUs: Math.round((performance.now() - parts.startedMs) * 1000),
  });
}

/** Whether the next snapshot shows nothing else that is judged: it differs in time, and in what the machine reports of itself. */
export const showsTheSame = (before: Snapshot, next: Snapshot): boolean =>
  next.generation === before.generation + 1 &&
  next.delta?.pids.length === 0 &&
  next.listeners === before.listeners &&
  next.connections === before.connections &&
  next.programs === before.programs &&
  next.host === before.host &&
  next.probes === before.probes &&
  next.engine === before.engine &&
  String(next.machine.ephemeral) === String(before.machine.ephemeral) &&
  (next.machine.uptimeSec === null) === (before.machine.uptimeSec === null);

function socketsOf(
  { columns, sockets, owners, earlier, tally }: SweepParts,
  processes: ProcessTable,
  before: Before | null,
): Pick<Snapshot, 'listeners' | 'connections'> {
  if (before !== null && owners !== null && owners === before.parts.owners)
    return { listeners: before.snapshot.listeners, connections: before.snapshot.connections };
  const holders = holdersByInode(columns.holders, owners?.holders ?? 0, processes);
  const found = listenersFrom(columns.listeners, tally.listeners, holders, processes);
  const known = before?.snapshot.listeners;
  return {
    listeners: known !== undefined && sameListeners(known, found) ? known : found,
    connections:
      earlier?.connections ?? connectionsFrom(columns.connections, sockets?.connections ?? 0, holders),
  };
}

function programsOf({ programs: names, tally }: SweepParts, before: Before | null): Snapshot['programs'] {
  const programs = names.map((name, at) => ({ name, pids: [...(tally.programs[at] ?? [])] }));
  const known = before?.snapshot.programs;
  const same = known?.every(({ pids }, at) => sameNumbers(pids, programs[at]?.pids ?? []));
  return same === true && known !== undefined ? known : Object.freeze(programs);
}

const hostOf = ({ host, fates }: SweepParts, before: Before | null): Host =>
  before !== null && before.parts.host === host && before.parts.fates === fates
    ? before.snapshot.host
    : hostFrom(host, fates);

const sameNumbers = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

function probesFor(parts: SweepParts, processes: ProcessTable, before: Before | null): Snapshot['probes'] {
  const { tally, sockets, earlier, refusal } = parts;
  const earlierRefusals = earlier?.refusals ?? [];
  if (
    before !== null &&
    sameNumbers(tally.hiding, before.parts.tally.hiding) &&
    before.parts.refusal === refusal &&
    before.parts.sockets === sockets &&
    before.parts.earlier?.refusals === earlier?.refusals &&
    before.parts.machine?.readAtMs === parts.machine?.readAtMs &&
    hidesProcesses(before.snapshot.processes) === hidesProcesses(processes)
  )
    return before.snapshot.probes;
  const probes = probesOf({
    table: processes,
    hiding: tally.hiding,
    self: process.pid,
    euid: parts.engine.euid,
    processes: refusal,
    root: parts.rootPath,
    sockets: sockets === null ? null : [...sockets.refusals, ...earlierRefusals],
    machine: parts.machine && machineRefusals(parts.machine),
  });
  const known = before?.snapshot.probes;
  const same = known?.every(({ works, reason }, at) => {
    const probe = probes[at];
    return probe?.works === works && probe.reason === reason;
  });
  return same === true && known !== undefined ? known : probes;
}

export function instantAt(epochMs: number): Instant {
  return Object.freeze({ epochMs, offsetMin: 0 - Math.round(new Date(epochMs).getTimezoneOffset()) });
}

function countsOf(tally: Tally, listeners: Snapshot['listeners'], ephemeral: Machine['ephemeral']): Counts {
  const { listeners: _, hiding: __, own: ___, programs: ____, deleted: _____, ...counts } = tally;
  return Object.freeze({ ...counts, ...countListeners(listeners, ephemeral) });
}

/** Whether the table has every process that could hold our sockets. `initialPid`: the reference's pid namespace, 0 = unknown. */
export function sightComplete(table: ProcessTable, initialPid: number, self = process.pid): boolean {
  const row = table.rowOf(self);
  if (initialPid === 0 || row < 0 || table.columns.nsPid[row] !== initialPid) return false;
  return !hidesProcesses(table);
}

/** Why parts of it are unknown; what did not answer hides all of its facts. */
export function machineRefusals({ refusals, sensors, captures }: MachineParts): readonly Refusal[] {
  return [
    ...refusals,
    ...(sensors?.refusals ?? [late('thermal')]),
    ...(captures?.refusals ?? [late('cameras'), late('sound')]),
  ];
}

/** With the uptime this much later. */
export const aged = <M extends Pick<Machine, 'uptimeSec'>>(machine: M, ms: number): M =>
  machine.uptimeSec === null ? machine : { ...machine, uptimeSec: machine.uptimeSec + ms / 1000 };

export function ephemeralOf(result: MachineResult | null): Machine['ephemeral'] {
  const { ephemeralLow: low, ephemeralHigh: high } = result ?? { ephemeralLow: null, ephemeralHigh: null };
  return low === null || high === null ? null : Object.freeze([low, high] as const);
}

export function machineFrom(result: MachineParts | null): Machine {
  return Object.freeze({
    temperatures:
      result?.sensors == null
        ? null
        : Object.freeze(Array.from(result.sensors.temperatures, (milli) => milli / 1000)),
    cameras: result?.captures?.cameras ?? null,
    captureDevices: result?.captures?.captureDevices ?? null,
    tcpActiveOpens: result?.tcpActiveOpens ?? null,
    tcpPassiveOpens: result?.tcpPassiveOpens ?? null,
    ephemeral: ephemeralOf(result),
    clockTicksPerSecond: result?.clockTicksPerSecond ?? 100,
    uptimeSec: result?.uptimeSec ?? null,
  });
}

/** A refusal in the place of the whole is one of every part. */
function hostFrom(result: HostResult | Refusal, fates: Host['fates']): Host {
  if (isRefusal(result)) {
    const [preload, packets, promiscuous, covers] = [result, result, result, result];
    return Object.freeze({ preload, packets, promiscuous, covers, sessionUids: new Set<number>(), fates });
  }
  const { sessionUids } = result;
  // A session only softens what is found: without the folders there is none.
  return Object.freeze({ ...result, sessionUids: new Set(isRefusal(sessionUids) ? [] : sessionUids), fates });
}

/** What became of the executables of these processes; those whose link cannot be read again are left out. */
export const fatesFrom = (pids: Int32Array, answers: readonly (ExecutableFate | Refusal)[]): Host['fates'] =>
  new Map(answers.flatMap((fate, at) => (isRefusal(fate) ? [] : [[pids[at] as number, fate] as const])));
