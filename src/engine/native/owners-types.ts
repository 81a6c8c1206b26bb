/** The part of the native boundary that tells who holds the sockets (native/probe/owners.h). */
import type { Capacity, Refusal } from './types.ts';

/** Walks that one sweep may want: tables of processes, then those of threads that have their own. */
export const OWNER_ROUNDS = 2;

export interface OwnersResult {
  /** Holder rows written, from row 0 on: ascending by inode, pid and descriptor, listeners before connections. */
  readonly holders: number;
  /** True when the holder table is too small for all of them: grow and collect again. */
  readonly overflow: boolean;
  /** Sockets of the rows that have no holder (inode 0, which nobody can hold, left out). */
  readonly unknown: number;
  /** More than 0: call `ownersWalk` for all shards, then collect again, at most `OWNER_ROUNDS` times. */
  readonly wanted: number;
  /** Processes whose descriptor tables that walk would read; 0 while nothing is wanted. */
  readonly due: number;
  /**
   * Whether every living process of the rows was walked since each of the unknown listeners was first missed, threads
   * with a table of their own included. A listener without holder is ownerless when this holds and no row refuses its
   * descriptors (FACT.descriptors).
   */
  readonly covered: boolean;
}

export interface WalkResult {
  /** Processes whose descriptor tables were read, and wanted sockets found there. */
  readonly walked: number;
  readonly found: number;
}

/** Exports of the addon; `NativeAddon` has them all. */
export interface OwnersAddon {
  /**
   * Writes the holders of the first `listeners` and `connections` rows' sockets into the holder table, and
   * FACT.descriptors of the process rows as their last walk left it. What is known from before (it belongs to the root) is
   * verified, one readlink per holder; children of holders among newborn and `dirty` pids are looked at. `nowMs` is any clock
   * in whole milliseconds: a socket that nobody held is searched for again after 1000, or 30,000 while some process hides its
   * descriptors. `deskPids` are the only processes in
   * which holders of connections are looked for; left out, or null: all.
   */
  ownersCollect(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    listeners: number,
    connections: number,
    nowMs: number,
    dirty?: Int32Array | null,
    deskPids?: Int32Array | null,
  ): OwnersResult;
  /**
   * Reads the descriptor tables that the last `ownersCollect` found due, of the rows of one shard; with `refresh` (default
   * false) those of all processes: a further holder of a socket that has one shows by nothing else. With `only`, of these
   * pids alone, likely holders: for a socket found among them the others are wanted by a collect 5 ms later.
   */
  ownersWalk(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    listeners: number,
    connections: number,
    shard: number,
    shards: number,
    refresh?: boolean,
    only?: Int32Array,
  ): WalkResult;
  /**
   * The same walk as `ownersWalk` of all shards with `refresh`, told by the kernel's task_file iterator; a Refusal where it
   * cannot be had.
   */
  ownersWalkFiles(
    root: number,
    buffer: Uint8Array,
    capacity: Capacity,
    count: number,
    listeners: number,
    connections: number,
  ): WalkResult | Refusal;
}
