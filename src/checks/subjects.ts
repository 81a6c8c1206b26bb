/** The subjects checks speak of, made from a snapshot's rows. */

import { textOf } from '../engine/bytes.ts';
import { isFried as isFriedState } from '../engine/counts.ts';
import type { Listener, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { PF_KTHREAD } from '../native/types.ts';
import type { AvenueId, Subject } from './judgement.ts';

export const isKernelThread = (table: ProcessTable, row: number): boolean =>
  ((table.columns.flags[row] ?? 0) & PF_KTHREAD) !== 0;

export const isFried = (table: ProcessTable, row: number): boolean =>
  isFriedState(table.columns.state[row] ?? 0);

/** Rows still there when the sweep read them. */
export const isPresent = (table: ProcessTable, row: number): boolean => table.columns.state[row] !== 0;

/** Seconds since the process started, by the snapshot's own clock. */
export function ageSec(snapshot: Snapshot, row: number): number {
  const ticks = Number(snapshot.processes.columns.start[row] ?? 0n);
  return snapshot.machine.uptimeSec - ticks / snapshot.machine.clockTicksPerSecond;
}

export function processSubject(table: ProcessTable, row: number): Subject {
  return {
    kind: 'process',
    pid: table.columns.pid[row] ?? 0,
    start: String(table.columns.start[row] ?? 0n),
    comm: textOf(table.comm(row)),
    executable: textOf(table.exe(row)),
  };
}

export function listenerSubject(listener: Listener): Subject {
  const { protocol, address, port, inode } = listener;
  return { kind: 'listener', protocol, address, port, inode };
}

/** `tcp 127.0.0.1:80`, `udp [::]:53`. */
export function endpointText(listener: Pick<Listener, 'protocol' | 'family' | 'address' | 'port'>): string {
  const address = listener.family === 6 ? `[${listener.address}]` : listener.address;
  return `${listener.protocol} ${address}:${listener.port}`;
}

export const listenerAvenue = (listener: Listener): AvenueId =>
  listener.scope === 'public' ? 'public_listen' : 'unknown_local';

/** A public UDP socket counts only below the ephemeral range: above it, it is a client's. */
export function isPublicListener(snapshot: Snapshot, listener: Listener): boolean {
  if (listener.scope !== 'public') return false;
  return listener.protocol === 'tcp' || listener.port < snapshot.machine.ephemeral[0];
}

/** The baseline's key of a listener: scope, protocol, port (or `ephemeral`), executable (or `ownerless`). */
export function listenerKey(snapshot: Snapshot, listener: Listener): string {
  const [low, high] = snapshot.machine.ephemeral;
  const port = listener.port >= low && listener.port <= high ? 'ephemeral' : String(listener.port);
  const holder = listener.owner === 'ownerless' ? 'ownerless' : listener.executable;
  return `${listener.scope} ${listener.protocol} ${port} ${holder}`;
}

/** Held by the desk's own process tree alone. */
export function isOwnListener(snapshot: Snapshot, listener: Listener): boolean {
  const own = snapshot.engine.deskPids;
  return listener.holders.length > 0 && listener.holders.every((holder) => own.includes(holder.pid));
}

export const holderText = (listener: Listener): string =>
  listener.owner === 'held'
    ? `${listener.executable || 'an unreadable executable'} (pid ${listener.holders.map((h) => h.pid).join(', ')})`
    : listener.owner === 'ownerless'
      ? 'no process'
      : 'a process that could not be seen';
