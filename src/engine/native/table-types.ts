/** The part of the native boundary that derives columns and keeps the process table from one generation to the next (native/table). */
import type { Capacity } from './types.ts';

export interface TableOptions {
  /** The pid whose process tree is our own. */
  readonly self: number;
  /** Masks of FACT_* bits, at most 64: user-space processes that refused one of the bits are counted. */
  readonly groups: readonly number[];
  /** Paths or base names of executables, at most 64. */
  readonly programs: readonly string[];
}

/** The sets of identities that processes are looked up in; the same object while they are the same. */
export interface Identities {
  readonly learned: BigUint64Array;
  /** Without their executables, of programs that could be read when they were learned. */
  readonly lost: BigUint64Array;
}

interface JoinOptions {
  /** Rows of the listener, connection and holder tables. */
  readonly listeners: number;
  readonly connections: number;
  readonly holders: number;
  readonly ephemeral: readonly [number, number] | null;
  /** Every possible holder is in the table: a socket without holder is `ownerless`, else or with `refused` descriptors `blind`. */
  readonly sightComplete: boolean;
}

export interface Tally {
  /** All thread-group leaders seen, kernel threads included. */
  readonly processes: number;
  readonly kernelThreads: number;
  /** User-space processes (design: not PF_KTHREAD, not zombie or dead): spv_pids = wrapped + free + wrapBlind. */
  readonly userSpace: number;
  readonly wrapped: number;
  readonly free: number;
  readonly wrapBlind: number;
  readonly fried: number;
  /** User-space processes without controlling terminal. */
  readonly withoutTty: number;
  readonly identities: number;
  /** User-space processes whose descriptor table could not be read. */
  readonly descriptorsBlind: number;
  /** User-space processes that refused a fact that checks use: any but the control group. */
  readonly blindProcesses: number;
  /** Listener rows without duplicates (of a dump in several datagrams). */
  readonly listeners: number;
  readonly hiding: readonly number[];
  /** Processes whose executable's link ends in " (deleted)", without memfds, ascending; the first 256. */
  readonly deleted: Int32Array;
  /** `self`, also when the table lacks it, and its living descendants, ascending. */
  readonly own: Int32Array;
  /** Per program, user-space processes that run it, ascending: by executable, or by name when that is unreadable. */
  readonly programs: readonly Int32Array[];
}

interface UpdateResult {
  /** False: the buffer was not written. Fill a whole generation and adopt it. */
  readonly done: boolean;
  /** False: there is no room for the rows or their texts. Grow before. */
  readonly fits: boolean;
  /** Rows. */
  readonly count: number;
  /** Processes that were read. */
  readonly read: number;
  /** Holders of sockets, or children of some, have changed: collect the holders, then join. */
  readonly ownersDue: boolean;
}

export interface TableAddon {
  /** For tests: fills the derived columns of a whole generation, and counts; `count`: process rows. No identity counts as learned or lost. */
  derive(
    buffer: Uint8Array,
    capacity: Capacity,
    options: TableOptions & Omit<JoinOptions, 'connections'> & { readonly count: number },
  ): Tally;
  /** Fills the `lookups` of a whole generation. */
  lookUp(buffer: Uint8Array, capacity: Capacity, count: number, identities: Identities): void;
  /** A process table that lasts, by its handle. Its sets of identities are empty at first. */
  makeTable(options: TableOptions): number;
  freeTable(table: number): void;
  /** Looks all rows up again, in these sets; rows whose `lookups` change are changed rows. */
  setIdentities(table: number, identities: Identities): void;
  /**
   * Takes over the process rows of a whole generation, whose derived columns are filled there. Rows of vanished processes are
   * removed; the rows that remain.
   */
  adoptRows(table: number, buffer: Uint8Array, capacity: Capacity, count: number): number;
  /**
   * Reads the processes `dirty` (negative: gone), and those that depend on them, again; then brings the buffer up to date, whose
   * capacity is that of the rows last adopted. What was written into the two buffers used last is not written again.
   */
  updateRows(
    table: number,
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    dirty: Int32Array,
    options: {
      /** Processes that are read at most. */
      readonly most: number;
      /**
       * Which others are read: those that /proc lists and the table lacks; or those that a walk over the kernel's tasks shows to be
       * other ones than in the last walk or `sweepTasks`, and those that changed here since.
       */
      readonly besides: 'none' | 'listed' | 'walked';
      /** The buffer's sockets are brought up to date, too; else they are as they were, and to be joined. */
      readonly sockets: boolean;
      /** By the kernel's task iterator, where it can read single processes. */
      readonly bpf: boolean;
    },
  ): UpdateResult;
  /** Derives the listeners of the buffer last written or adopted, and takes over its sockets; the listeners without duplicates. */
  joinSockets(table: number, buffer: Uint8Array, capacity: Capacity, options: JoinOptions): number;
  /**
   * Whether a buffer lists the sockets that the table has, in the same order; its sockets have to be brought up to date then.
   * `connections` null: these are not compared.
   */
  sameSockets(
    table: number,
    buffer: Uint8Array,
    capacity: Capacity,
    listeners: number,
    connections: number | null,
  ): boolean;
  /** Processes that were added, changed or removed since the last call, ascending. */
  changedPids(table: number): Int32Array;
  tallyOf(table: number): Tally;
  /** Memory of its rows, texts and lists. */
  tableBytes(table: number): number;
}
