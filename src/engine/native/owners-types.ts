/** The part of the native boundary that finds who holds the sockets (native/probe/owners.h). */
import type { Capacity, Refusal } from './types.ts';

/** Walks in one sweep: tables of processes, then those of threads with a table of their own. */
export const OWNER_ROUNDS = 2;

export interface OwnersResult {
  /** Rows written: listeners before connections, ascending by inode, pid and descriptor. */
  readonly holders: number;
  /** The holder table is full: grow and collect again. */
  readonly overflow: boolean;
  /** Sockets without holder, except inode 0, which cannot be held. */
  readonly unknown: number;
  /** More than 0: call `ownersWalk` for all shards, then collect again, at most `OWNER_ROUNDS` times. */
  readonly wanted: number;
  /** Processes that this walk would read. */
  readonly due: number;
  /**
   * Every living process, and thread with a table of its own, was walked since each unknown listener was first missed: then it is
   * ownerless, unless a row refuses its descriptors (FACT.descriptors).
   */
  readonly covered: boolean;
}

interface WalkResult {
  readonly walked: number;
  readonly found: number;
}

/** Filled process rows, and how many socket rows to join with them; `connections` null: they were not listed, what is known of them stays. */
type JoinedRows = readonly [
  ...processes: [root: number, buffer: Uint8Array, capacity: Capacity, count: number],
  ...sockets: [listeners: number, connections: number | null],
];

export interface OwnersAddon {
  /**
   * Writes the holders of these sockets into the holder table, and FACT.descriptors of the process rows as of their last walk. Known
   * holders (kept with the root) are verified, one readlink each; new processes, and children of holders among the `dirty` pids, are
   * to be walked. `nowMs`, of any clock: a socket without holder is searched again after 1000, or 30,000 while a process hides its descriptors. Holders of
   * connections are searched in `deskPids` only; null = all.
   */
  ownersCollect(
    ...args: [...rows: JoinedRows, nowMs: number, dirty?: Int32Array | null, deskPids?: Int32Array | null]
  ): OwnersResult;
  /** Whether a collect of the same rows would find the same: each known holder is verified, and no search is due. */
  ownersHold(root: number, nowMs: number): boolean;
  /**
   * Reads the due descriptor tables of a shard; with `refresh` all, the only way to find a further holder of a socket. With `only`,
   * those of likely holders: for a socket found among them, a collect 5 ms later wants the others.
   */
  ownersWalk(
    ...args: [...rows: JoinedRows, shard: number, shards: number, refresh?: boolean, only?: Int32Array]
  ): WalkResult;
  /** `ownersWalk` of all shards with `refresh`, by the kernel's task_file iterator. */
  ownersWalkFiles(...rows: JoinedRows): WalkResult | Refusal;
}
