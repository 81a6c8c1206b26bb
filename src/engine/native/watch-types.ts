/** The part of the native boundary that tells what the kernel's events told (native/watch). */
import type { Capacity, Refusal } from './types.ts';

/** How the watch is to look; see `NativeAddon.watchStart`. */
export interface WatchOptions {
  /** Milliseconds between two looks at the listeners, where no events tell of them. */
  readonly listenPollMs: number;
  /** A process is told again so many milliseconds after its birth, exec or exit: at most 8 periods, e.g. 10, 100, 1000. */
  readonly rereadMs: readonly number[];
  /** Milliseconds between two passes over everything. */
  readonly allMs: number;
  /** Whether to ask for socket events (BPF) at all. */
  readonly tracepoint: boolean;
  /** Receive buffer of the connector; left out = 16 MiB as root, else 8 MiB as far as net.core.rmem_max allows. */
  readonly bufferBytes?: number;
}

/** "" = the source works, else why it does not: `WHAT WAS TRIED: the kernel refuses (CODE)`. Without one the consumer must poll processes. */
export interface WatchStart {
  /** Handle for the other calls. */
  readonly watch: number;
  /** The proc connector: process events. */
  readonly connector: string;
  /** The tracepoint inet_sock_set_state: TCP listeners and connections to port 443. Without it the watch polls listeners. */
  readonly tracepoint: string;
  /** The hooks at the binding and closing of UDP sockets. Without them the watch polls UDP. */
  readonly udp: string;
  /** The notes of who made each listener (UDP: where `udp` works). Without them the creator's uid alone is known. */
  readonly makers: string;
  /** Receive buffer of the connector as the kernel keeps it (twice what was asked for), 0 without it. */
  readonly bufferBytes: number;
}

/** Events by kind; `id` = uid, gid or session, `other` = core dumps and kinds of newer kernels, `socket` = those of BPF. */
export interface WatchEvents {
  readonly fork: number;
  readonly exec: number;
  readonly exit: number;
  readonly comm: number;
  readonly id: number;
  readonly ptrace: number;
  readonly other: number;
  readonly socket: number;
}

/** What has happened since the last take, or became due. Counters are of the same span. */
export interface WatchDelta {
  /** Pids written; of thread groups, negative when the leader has exited (other threads may live on, or a zombie stay). */
  readonly count: number;
  /** Some process changed or is due again: the pids told, or any when `resync` or `all`. */
  readonly processes: boolean;
  readonly listeners: boolean;
  readonly connections: boolean;
  /** Events were lost, or there were too many pids to tell: anything may have changed, read everything. No pids are told. */
  readonly resync: boolean;
  /** The pass over everything is due. */
  readonly all: boolean;
  /** The connector has ended for good: poll from now on. */
  readonly broken: boolean;
  readonly events: WatchEvents;
  /** Process events known to be missing by their numbers, and times the kernel said that the buffer overran. */
  readonly lost: number;
  readonly overruns: number;
  /** Looks at the listeners, and dumps of them that the kernel refused. */
  readonly polls: number;
  readonly pollRefusals: number;
  /** Age in microseconds of the oldest event or due time told here, by the kernel's clock; 0 = none. */
  readonly oldestUs: number;
}

/** Exports of the addon; `NativeAddon` has them all. */
export interface WatchAddon {
  /**
   * Starts a thread that gathers process and socket events and sleeps while nothing happens. `wake` is called in this
   * JavaScript thread, once between two takes that had something to take; it does not keep node alive. The first delta says
   * `all`. A Refusal when descriptors or threads ran out.
   */
  watchStart(options: WatchOptions, wake: () => void): WatchStart | Refusal;
  /**
   * Swaps out what was gathered, pids into `pids` (4096 always fit); about a microsecond. While nothing has happened the
   * answer is one and the same frozen delta, and counters go on to the next one. Only in the thread that started the watch.
   */
  watchTake(watch: number, pids: Int32Array): WatchDelta;
  /**
   * The consumer read these rows of listeners (the arguments of `listSockets`). Where listeners are polled, and the poll then
   * finds others, it tells `listeners`, even if it never saw any but those it finds: one that is opened and closed again between two
   * polls may have been read in between. A hash for each row of a polled protocol, else nothing.
   */
  watchSaw(watch: number, buffer: Uint8Array, capacity: Capacity, listeners: number): void;
  /** CPU that the thread has used, µs. */
  watchCpuUs(watch: number): number;
  /** Ends the thread and waits for it; `wake` is not called any more. The handle is no more. */
  watchStop(watch: number): void;
}
