/**
 * What `import { Probe } from 'hostess-desk'` gives; the package's types are made of this file alone. Plain values: nothing here is
 * overwritten later.
 */

/** Null, here and below: the value could not be read, which does not mean that there is none. */
export interface Process {
  readonly pid: number;
  /** 0 for none. */
  readonly parent: number | null;
  /** Real uid. */
  readonly uid: number | null;
  /** Command name; bytes that are not UTF-8 as U+FFFD, here and below. */
  readonly name: string;
  /** Path of the program; "" for kernel threads, zombies, and where it could not be read. */
  readonly executable: string;
  /** Letter of proc_pid_stat(5), e.g. `S`; `?` where it could not be read. A change of it alone is not in a delta. */
  readonly state: string;
  /** Clock ticks after boot. With the pid it is this process and no later one. */
  readonly start: string;
  readonly threads: number | null;
  readonly kernel: boolean;
  /** Whether seccomp, dropped capabilities or namespaces confine it; `none`: there is nothing to confine. */
  readonly confinement: 'wrapped' | 'free' | 'blind' | 'none';
}

export interface Owner {
  readonly pid: number;
  /** As `Process.start`. */
  readonly start: string;
  readonly descriptor: number;
}

/** A listening TCP socket, or an unconnected UDP socket, of this network namespace. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp';
  /** IPv6 as in RFC 5952. */
  readonly address: string;
  readonly port: number;
  /** `public`: other machines may reach it. */
  readonly scope: 'loopback' | 'public';
  readonly inode: number;
  /** Uid of the user who made the socket. */
  readonly creator: number;
  readonly owners: readonly Owner[];
  /** `none`: every table of descriptors was read, and no process has the socket. `unknown`: some could not be read. */
  readonly owner: 'known' | 'none' | 'unknown';
  /** Path of the program of the first owner; "" where it is not known. */
  readonly executable: string;
}

/** What could not be seen, why, and what to do about it. */
export interface Gap {
  /** Of a sweep a source of the kernel, of an evaluation a check. */
  readonly id: string;
  readonly reason: string;
  readonly cure: string;
}

export interface Sweep {
  /** 1 for the first one of a probe. */
  readonly generation: number;
  readonly at: Date;
  /** What it took, microseconds. */
  readonly us: number;
  /** How processes were read. */
  readonly backend: 'bpf' | 'procfs';
  readonly processes: readonly Process[];
  readonly listeners: readonly Listener[];
  readonly gaps: readonly Gap[];
}

export interface Changes<T> {
  readonly added: readonly T[];
  /** As they are now. */
  readonly changed: readonly T[];
  /** As they were seen last. */
  readonly removed: readonly T[];
}

export interface Delta {
  readonly generation: number;
  readonly at: Date;
  /** Events were lost, or there are none. Then what began and ended in between may be missing. */
  readonly gap: boolean;
  readonly processes: Changes<Process>;
  readonly listeners: Changes<Listener>;
}

export interface Finding {
  /** The same as long as the same thing fails the same way, 16 hexadecimal digits. */
  readonly id: string;
  /** The check, as in docs/checks.md. */
  readonly check: string;
  readonly severity: 'low' | 'medium' | 'high' | 'critical';
  readonly summary: string;
  /** Of the processes that fail so, at most 64. */
  readonly pids: readonly number[];
  readonly evidence: Readonly<Record<string, string | number>>;
  /** Why it may be harmless. */
  readonly benign: string;
  readonly remedy: string;
}

export interface Evaluation {
  readonly generation: number;
  readonly at: Date;
  /** The checks that ran. */
  readonly checks: readonly string[];
  /** Confirmed by a second sweep, the most severe first. */
  readonly findings: readonly Finding[];
  /** Pairs of a check and a subject that passed, failed, or could not be judged. */
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
  /** What could not be judged. No finding means that all is well only where this is empty. */
  readonly gaps: readonly Gap[];
}

export interface ProbeOptions {
  /** Threads that read /proc where the kernel's iterator is not available; default: by the processors. */
  readonly workers?: number;
}

export interface WatchOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** How often everything is read where the kernel gives no events, milliseconds; default: 1000. */
  readonly pollMs?: number;
}

/**
 * Reads processes and listening sockets of this machine, watches them, and judges them. Sees what its user may see: what it could
 * not read is in `gaps`. Use one for as long as you need it, and close it: `await using probe = new Probe()`.
 */
export declare class Probe implements AsyncDisposable {
  /** Throws when there is no compiled code for this machine, with what to do about it. Starts nothing yet. */
  constructor(options?: ProbeOptions);
  /** Reads everything once. Rejects when that is not possible at all; what was refused in part is in `gaps`. */
  sweep(): Promise<Sweep>;
  /** The listening sockets with the processes that have them. */
  listeners(): Promise<readonly Listener[]>;
  /** Sweeps, judges by the checks of tier 1 that need no baseline and no files of a desk, and sweeps again where something new fails. */
  evaluate(): Promise<Evaluation>;
  /**
   * What changes, as the kernel reports it; the first delta adds everything that is there. Where the kernel gives no process events
   * it compares sweeps, and each delta has a `gap`. A process that ends before it can be read is in no delta. End it by `break`, by the
   * signal, or by `close()`. Rejects with RangeError for a `pollMs` that is not from 1 to 2147483647.
   */
  watch(options?: WatchOptions): AsyncGenerator<Delta, void, void>;
  /** Ends watches, waits for calls that run, frees memory and threads; nothing else works afterwards. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
