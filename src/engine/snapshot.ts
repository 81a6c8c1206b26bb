/** One sweep of the kernel, immutable and numbered. Shared columns are overwritten two generations later: read them synchronously. */

import type { Columns } from './native/columns.ts';
import type { ExecutableFate, HostResult } from './native/host-types.ts';
import type { Tally } from './native/table-types.ts';
import type { Backend, Mark, ProcessColumns } from './native/types.ts';

export interface Instant {
  /** Milliseconds since the epoch. */
  readonly epochMs: number;
  /** Minutes east of UTC of the desk's zone at that moment. */
  readonly offsetMin: number;
}

/** When a sweep began. Intervals and orders go by the monotonic clock: the wall clock may be set. */
export interface SweepInstant extends Instant {
  /** CLOCK_MONOTONIC since the start of this process, ms (`performance.now()`). */
  readonly monotonicMs: number;
}

export interface ProcessTable {
  /** Rows, vanished ones (state 0) included. */
  readonly count: number;
  readonly columns: ProcessColumns;
  /** Command name, raw bytes without padding. */
  comm(row: number): Uint8Array;
  /** Executable path, raw bytes; empty when there is none or it is unreadable. */
  exe(row: number): Uint8Array;
  cgroup(row: number): Uint8Array;
  /** Row of a pid, -1 when absent. */
  rowOf(pid: number): number;
}

export interface Holder {
  readonly pid: number;
  /** Clock ticks after boot, as text (64 bit). */
  readonly start: string;
  readonly fd: number;
}

export interface Listener {
  readonly protocol: 'tcp' | 'udp';
  readonly family: 4 | 6;
  /** Canonical text of the bound address (RFC 5952 for v6). */
  readonly address: string;
  readonly port: number;
  /** `public` = bound beyond loopback. */
  readonly scope: 'loopback' | 'public';
  readonly inode: number;
  readonly creatorUid: number;
  readonly holders: readonly Holder[];
  /** `held`; `ownerless` = every descriptor table was read and none holds it; `blind` = some could not be read. */
  readonly owner: 'held' | 'ownerless' | 'blind';
  /** Executable of the first holder, lossy text; "" when unknown. */
  readonly executable: string;
}

export interface Connection {
  readonly family: 4 | 6;
  readonly address: string;
  readonly port: number;
  readonly holders: readonly Holder[];
}

export interface Machine {
  /** Readable thermal sensors, in °C. Null = could not be read, here and below. */
  readonly temperatures: readonly number[] | null;
  readonly cameras: number | null;
  readonly captureDevices: number | null;
  /** TCP connections opened and accepted by this network namespace since boot (Tcp: ActiveOpens, PassiveOpens). */
  readonly tcpActiveOpens: number | null;
  readonly tcpPassiveOpens: number | null;
  /** Lowest and highest port of net.ipv4.ip_local_port_range. */
  readonly ephemeral: readonly [number, number] | null;
  readonly clockTicksPerSecond: number;
  /** Seconds since boot at the moment of the sweep (CLOCK_BOOTTIME). */
  readonly uptimeSec: number | null;
}

/** Facts of the host that belong to no process and no listener. A refusal = could not be read. */
export interface Host extends Omit<HostResult, 'sessionUids'> {
  /** Users with a session that systemd-logind keeps; those on a terminal are in the process table. */
  readonly sessionUids: ReadonlySet<number>;
  /** By pid, of processes whose executable's link ends in " (deleted)"; absent = its link could not be read again. */
  readonly fates: ReadonlyMap<number, ExecutableFate>;
}

/** Totals over the process table, and of listeners. */
export interface Counts extends Omit<Tally, 'listeners' | 'hiding' | 'deleted' | 'own' | 'programs'> {
  /** Distinct (protocol, port, executable) of services beyond loopback, and on it (`antivirus.public_n`, `iron.bgl`). */
  readonly publicListeners: number;
  readonly loopbackListeners: number;
}

/** A kernel source the sweep wanted, and whether it answered. */
export interface ProbeState {
  readonly id: string;
  readonly works: boolean;
  /** Why it does not work and what would cure it, `WHAT: CURE`; "" when it works. */
  readonly reason: string;
  /** What would cure it alone; "" when it works. */
  readonly cure: string;
}

export interface EngineFacts {
  readonly backend: Backend;
  /** Why the backend is not bpf; "" when it is. */
  readonly backendReason: string;
  readonly mark: Mark;
  /** File name of the loaded native build. */
  readonly build: string;
  /** Its path, below the home folder as `~/…`. */
  readonly buildPath: string;
  readonly workers: number;
  /** Pids of our own process and its living descendants, ascending. */
  readonly deskPids: readonly number[];
  /** Where the reference namespaces come from: `fixed`, `pid 2`, `pid 1`, `self`. */
  readonly reference: string;
  /** Bounding set of capabilities of the reference, hexadecimal; "" when it could not be read. */
  readonly referenceCapabilities: string;
  readonly euid: number;
}

interface ProgramPids {
  /** Path or base name of the executable, as it was asked for. */
  readonly name: string;
  readonly pids: readonly number[];
}

/** What differs from the generation before. */
interface Delta {
  /** Processes that were added, changed or removed since, ascending. */
  readonly pids: Int32Array;
}

export interface Snapshot {
  readonly generation: number;
  /** Null: not known, so anything may have changed. */
  readonly delta: Delta | null;
  readonly at: SweepInstant;
  /** Duration of the sweep in whole microseconds (monotonic clock). */
  readonly sweepUs: number;
  readonly engine: EngineFacts;
  /** For the batch; its rows are those of `processes` and `listeners`. */
  readonly columns: Pick<Columns, 'bytes' | 'capacity'>;
  readonly processes: ProcessTable;
  /** The same object as before while nothing about them changed; so are `programs`, `connections`, `host` and `probes`. */
  readonly listeners: readonly Listener[];
  /** Processes that run the programs the engine was asked for. */
  readonly programs: readonly ProgramPids[];
  /** Established connections to port 443; holders are those of the desk's own processes and programs. */
  readonly connections: readonly Connection[];
  /** Age of `connections` at the start: 0 when this sweep read them, else about a second at most, or longer without change by the tracepoint. */
  readonly connectionsAgeMs: number;
  readonly machine: Machine;
  /** As old as the facts of the machine: up to a second, or five where nothing happens. */
  readonly host: Host;
  readonly counts: Counts;
  readonly probes: readonly ProbeState[];
}
