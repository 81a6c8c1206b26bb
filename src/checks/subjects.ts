/** The subjects checks speak of, made from a snapshot's rows. */
import { textOf } from '../engine/bytes.ts';
import { isFried as isFriedState, isService } from '../engine/counts.ts';
import type { Listener, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import { PF_KTHREAD } from '../native/types.ts';
import type { AvenueId, Subject } from './judgement.ts';

export const isKernelThread = (table: ProcessTable, row: number): boolean =>
  ((table.columns.flags[row] ?? 0) & PF_KTHREAD) !== 0;

export const isFried = (table: ProcessTable, row: number): boolean =>
  isFriedState(table.columns.state[row] ?? 0);

/** A living process of user space, the kind the wrap sweep judges. */
export const isUserSpace = (table: ProcessTable, row: number): boolean =>
  !isKernelThread(table, row) && !isFried(table, row);

/** Still there when the sweep read it. */
export const isPresent = (table: ProcessTable, row: number): boolean => table.columns.state[row] !== 0;

/** Seconds since the process started, by the snapshot's own clock; null while the boot clock is unread. */
export function ageSec({ processes, machine }: Snapshot, row: number): number | null {
  if (machine.uptimeSec === null) return null;
  return machine.uptimeSec - Number(processes.columns.start[row] ?? 0n) / machine.clockTicksPerSecond;
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

/** Offers a service beyond loopback. */
export const isPublicListener = (snapshot: Snapshot, listener: Listener): boolean =>
  listener.scope === 'public' && isService(listener, snapshot.machine.ephemeral);

/** The baseline's key of a listener: scope, protocol, port (or `ephemeral`), executable (or `ownerless`). */
export function listenerKey(snapshot: Snapshot, listener: Listener): string {
  const range = snapshot.machine.ephemeral;
  const ephemeral = range !== null && listener.port >= range[0] && listener.port <= range[1];
  const holder = listener.owner === 'ownerless' ? 'ownerless' : listener.executable;
  return `${listener.scope} ${listener.protocol} ${ephemeral ? 'ephemeral' : listener.port} ${holder}`;
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
