/**
 * A snapshot: one sweep of the engine over the kernel, immutable, numbered. Checks and records are pure functions of it.
 *
 * The process table stays in shared columns (it is overwritten two generations later, so read it synchronously);
 * everything else is plain frozen data.
 */
import type { Columns } from './native/columns.ts';
import type { ExecutableFate, HostResult } from './native/host-types.ts';
import type { Backend, Mark, ProcessColumns } from './native/types.ts';

export interface Instant {
  /** Milliseconds since the epoch. */
  readonly epochMs: number;
  /** Minutes east of UTC of the desk's zone at that moment. */
  readonly offsetMin: number;
}

/** When a sweep began. The wall clock may be set forward and back: intervals and orders go by the other one. */
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

type ListenerScope = 'loopback' | 'public';

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
  readonly scope: ListenerScope;
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

/** What the machine says beside processes and sockets. */
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

/** What the host says that belongs to no process and no listener. A refusal = could not be read. */
export interface Host extends Omit<HostResult, 'sessionUids'> {
  /** Users with a session that systemd-logind keeps; those on a terminal stand in the process table. */
  readonly sessionUids: ReadonlySet<number>;
  /** By pid, of processes whose executable's link ends in " (deleted)"; absent = its link could not be read again. */
  readonly fates: ReadonlyMap<number, ExecutableFate>;
}

/** Totals over the process table. */
export interface Counts {
  /** All thread-group leaders seen, kernel threads included. */
  readonly processes: number;
  readonly kernelThreads: number;
  /** User-space processes (design: not PF_KTHREAD, not zombie or dead): spv_pids = wrapped + free + wrapBlind. */
  readonly userSpace: number;
  readonly wrapped: number;
  readonly free: number;
  readonly wrapBlind: number;
  /** Zombie or dead. */
  readonly fried: number;
  /** User-space processes without controlling terminal. */
  readonly withoutTty: number;
  /** Distinct running identities. */
  readonly identities: number;
  /** User-space processes whose descriptor table could not be read. */
  readonly descriptorsBlind: number;
  /** User-space processes of which a fact was refused that checks judge by: any but the control group, which is for advice. */
  readonly blindProcesses: number;
  /**
   * Distinct (protocol, port, executable) bound beyond loopback, and on it; UDP only below the ephemeral range
   * (`antivirus.public_n`, `iron.bgl`).
   */
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
  /** Ascending. */
  readonly pids: readonly number[];
}

export interface Snapshot {
  readonly generation: number;
  readonly at: SweepInstant;
  /** Duration of the sweep in whole microseconds (monotonic clock). */
  readonly sweepUs: number;
  readonly engine: EngineFacts;
  /** The columns themselves, for the batch; its rows are those of `processes` and `listeners`. */
  readonly columns: Pick<Columns, 'bytes' | 'capacity'>;
  readonly processes: ProcessTable;
  /** Listener i is row i of the listener columns. */
  readonly listeners: readonly Listener[];
  /** Processes that run the programs the engine was told to look for. */
  readonly programs: readonly ProgramPids[];
  /** Established connections to port 443; holders are those of the desk's own processes and programs. */
  readonly connections: readonly Connection[];
  /**
   * Age of `connections` at the start of this sweep: 0 when this sweep read them, else up to about 1000; more only where a
   * tracepoint would have told that they changed.
   */
  readonly connectionsAgeMs: number;
  readonly machine: Machine;
  /** As old as the facts of the machine: up to a second, or five where nothing happens. */
  readonly host: Host;
  readonly counts: Counts;
  readonly probes: readonly ProbeState[];
}
