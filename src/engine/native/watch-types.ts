/** The part of the native boundary that reports kernel events (native/watch). */
import type { Capacity, Refusal } from './types.ts';

export interface WatchOptions {
  /** Period at which listeners without events are read. */
  readonly listenPollMs: number;
  /** A process is reported again this long after its start, exec or exit, as long as it exists or is a zombie; at most 8. */
  readonly rereadMs: readonly number[];
  readonly allMs: number;
  readonly tracepoint: boolean;
  /** Receive buffer of the connector; default: 16 MiB with CAP_NET_ADMIN or from desk-namespaces, else 8 MiB within net.core.rmem_max. */
  readonly bufferBytes?: number;
}

/** "" = the source works, else `WHAT WAS TRIED: the kernel refuses (CODE)`. */
export interface WatchStart {
  readonly watch: number;
  /** Process events; without them processes must be polled. */
  readonly connector: string;
  /** inet_sock_set_state: TCP listeners and connections to port 443; without it listeners are polled. */
  readonly tracepoint: string;
  /** Binding and closing of UDP sockets; without it UDP is polled. */
  readonly udp: string;
  /** Not "" while `udp` works: cgroup hooks report UDP, because the kernel's functions cannot be hooked for this reason. */
  readonly udpExits: string;
  /** The makers of listeners (UDP: where `udp` works); without it only the creator's uid is known. */
  readonly makers: string;
  /** As the kernel has it (twice what was requested), 0 without a connector. */
  readonly bufferBytes: number;
}

/** Events by kind; `id` = uid, gid or session, `other` = core dumps and kinds of newer kernels, `socket` = those of BPF. */
export type WatchEvents = Readonly<
  Record<'fork' | 'exec' | 'exit' | 'comm' | 'id' | 'ptrace' | 'other' | 'socket', number>
>;

/** Since the last take. */
export interface WatchDelta {
  /** Pids written; of thread groups, negative when it has ended and left no zombie. */
  readonly count: number;
  /** Processes changed or are due: the reported pids, or any with `resync` or `all`. */
  readonly processes: boolean;
  readonly listeners: boolean;
  readonly connections: boolean;
  /** Events were lost, or there were too many pids: read everything. No pids are reported. */
  readonly resync: boolean;
  readonly all: boolean;
  /** The connector has ended permanently. */
  readonly broken: boolean;
  readonly events: WatchEvents;
  /** Process events missing by their numbers, and buffer overruns that the kernel reported. */
  readonly lost: number;
  readonly overruns: number;
  /** Reads of the listeners, and dumps that the kernel refused. */
  readonly polls: number;
  readonly pollRefusals: number;
  /** Age of the oldest event or due time, by the kernel's clock; 0 = none. */
  readonly oldestUs: number;
}

export interface LookCounts {
  /** Looks that found everything as it was read. */
  readonly held: number;
  /** The time that all looks took, µs. */
  readonly us: number;
  /** Since the last one of them that was later than the last read; null: none was. */
  readonly ageMs: number | null;
}

/** Looks at every process and listener that tell whether they still are as they were read (native/watch/look.h). */
export interface LookAddon {
  /** By its handle; it holds nothing before `lookKeep`. */
  makeLook(): number;
  freeLook(look: number): void;
  /**
   * The table has what was read last of this root, and changes only after `lookForget`: a watch that reads a process or the listeners
   * again compares with it. A look at everything can hold if `holders` says that the holders of all listeners are known, and no row
   * has changed since the last `updateRows` with `besides: 'walked'`, or the last `sweepTasks`.
   */
  lookKeep(look: number, table: number, root: number, holders: boolean): void;
  /** No look holds until the next `lookKeep`: something is read now. To be called before the table changes. */
  lookForget(look: number): void;
  /** Looks once, as those of a ticker. False also where it is not armed. */
  lookHolds(look: number): boolean;
  lookCounts(look: number): LookCounts;
}

export interface WatchAddon {
  /**
   * Starts a thread that waits for events. `wake` is called in this JavaScript thread, once before each take that has something; it does
   * not keep node running. The first delta has `all`, and every `allMs` one. With a look, this and what is to be read again are reported
   * only where it finds something else than was read. A Refusal when descriptors or threads ran out.
   */
  watchStart(options: WatchOptions, wake: () => void, look?: number | null): WatchStart | Refusal;
  /**
   * Takes what has happened until now, pids into `pids` (4096 always fit). It reads the kernel's buffers itself: about 2 microseconds,
   * and one more for each event. Without events it is always the same frozen delta, and counters pass to the next one. Only in the
   * thread that started the watch.
   */
  watchTake(watch: number, pids: Int32Array): WatchDelta;
  /**
   * The consumer read these listeners (arguments of `listSockets`). A poll that finds others reports `listeners`, even when its own
   * results do not differ: one that was opened and closed between two polls may have been read in between.
   */
  watchSaw(watch: number, buffer: Uint8Array, capacity: Capacity, listeners: number): void;
  watchCpuUs(watch: number): number;
  /** Ends the thread and waits for it; `wake` is not called any more, and the handle is invalid. */
  watchStop(watch: number): void;
  /**
   * Calls `tick` in this JavaScript thread at every multiple of the period (1 to 3,600,000 ms), to some 0.1 ms, and not while the last
   * call still waits; it does not keep node running. With a look, which it makes at each multiple, only where that does not hold: whether
   * a process runs or sleeps makes no difference to it, and looks take at most half of the time. Its handle, or a Refusal when descriptors or threads ran out.
   */
  tickerStart(periodMs: number, tick: () => void, look?: number | null): number | Refusal;
  tickerStop(ticker: number): void;
}
