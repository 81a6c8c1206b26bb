/** The subjects checks speak of, made from a snapshot's rows. */
import { hostPort } from '../base/addresses.ts';
import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../engine/native/batch-types.ts';
import { FACT } from '../engine/native/types.ts';
import type { Listener, ProcessTable, Snapshot } from '../engine/snapshot.ts';
import type { AvenueId } from './check.ts';

export interface ProcessSubject {
  readonly kind: 'process';
  readonly pid: number;
  /** Clock ticks after boot, as text: with the pid it is that process or none. */
  readonly start: string;
  readonly comm: string;
  readonly executable: string;
  /** What the baseline knows it by. */
  readonly identity: string;
  /** Real uid, null when it could not be read. */
  readonly uid: number | null;
  /** Effective uid where that is another one, as of a setuid program. */
  readonly euid?: number;
}

export interface ListenerSubject {
  readonly kind: 'listener';
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
  readonly inode: number;
  /** Inode of its network namespace where that is not ours. */
  readonly namespace?: number;
}

export type Subject =
  | ProcessSubject
  | ListenerSubject
  | {
      readonly kind: 'file';
      readonly path: string;
      /** Which of several contents that run from there: its digest, or another name that stays while it is there. */
      readonly content?: string;
    }
  | { readonly kind: 'host'; readonly name: string }
  | { readonly kind: 'desk' };

/** Seconds since a start in clock ticks after boot, by the snapshot's own clock; null while the boot clock is unread. */
export function ageSec({ machine }: Pick<Snapshot, 'machine'>, start: number): number | null {
  if (machine.uptimeSec === null) return null;
  return machine.uptimeSec - start / machine.clockTicksPerSecond;
}

/** Whole seconds, of a process whose age is known. */
export const ageOf = (snapshot: Snapshot, row: number): number =>
  Math.floor(ageSec(snapshot, Number(snapshot.processes.columns.start[row] ?? 0n)) ?? 0);

/** The listener of a row of the listener columns; RangeError when there is none. */
export function listenerAt(snapshot: Snapshot, row: number): Listener {
  const listener = snapshot.listeners[row];
  if (listener === undefined) throw new RangeError(`there is no listener in row ${row}`);
  return listener;
}

export function processSubject(table: ProcessTable, row: number): ProcessSubject {
  const { columns } = table;
  const uid = uidOf(table, row);
  const euid = columns.euid[row];
  return {
    kind: 'process',
    pid: columns.pid[row] ?? 0,
    start: String(columns.start[row] ?? 0n),
    comm: textOf(table.comm(row)),
    executable: textOf(table.exe(row)),
    identity: identityText(table, row),
    uid,
    ...(uid !== null && euid !== uid && { euid }),
  };
}

/** By its real or its effective uid; one that could not be read may be root's. */
export const runsAsRoot = ({ uid, euid }: { uid: number | null; euid?: number | undefined }): boolean =>
  uid === null || uid === 0 || euid === 0;

/** `process 77 (sh)`. */
export const processText = ({ pid, comm }: Pick<ProcessSubject, 'pid' | 'comm'>): string =>
  `process ${pid} (${comm})`;

const uidOf = ({ columns }: ProcessTable, row: number): number | null =>
  ((columns.seen[row] ?? 0) & FACT.status) !== 0 ? (columns.uid[row] ?? null) : null;

/**
 * Whether a process belongs to a logged-in user: one with a session that systemd-logind keeps, or with a process on a
 * terminal. Root never counts: what it runs is judged strictly.
 */
export function isLoggedIn({ host, processes }: Pick<Snapshot, 'host' | 'processes'>, row: number): boolean {
  const uid = uidOf(processes, row);
  if (uid === null || runsAsRoot({ uid, euid: processes.columns.euid[row] })) return false;
  return host.sessionUids.has(uid) || uidsOnTerminals(processes).has(uid);
}

const onTerminals = new WeakMap<ProcessTable, ReadonlySet<number>>();

/** Computed once for each table, however many of its processes are judged. */
function uidsOnTerminals(table: ProcessTable): ReadonlySet<number> {
  const known = onTerminals.get(table);
  if (known !== undefined) return known;
  const uids = new Set<number>();
  const { columns, count } = table;
  for (let row = 0; row < count; row++) {
    const uid = columns.tty[row] !== 0 && columns.state[row] !== 0 ? uidOf(table, row) : null;
    if (uid !== null) uids.add(uid);
  }
  onTerminals.set(table, uids);
  return uids;
}

/** As `identityOf` of the native boundary writes it: what the baseline knows a process by. */
function identityText(table: ProcessTable, row: number): string {
  const { container, traits } = table.columns;
  const [executable, comm] = [textOf(table.exe(row)), textOf(table.comm(row))];
  const where = container[row] === 1 ? '@container' : '';
  if (executable === '') return `${comm}?${uidOf(table, row) ?? '-'}${where}`;
  const interpreter = ((traits[row] ?? 0) & TRAIT.interpreter) !== 0;
  return `${executable}${where}${interpreter ? `:${comm}` : ''}`;
}

export function listenerSubject(listener: Listener): ListenerSubject {
  const { protocol, address, port, inode } = listener;
  return { kind: 'listener', protocol, address, port, inode };
}

const rowsByInode = new WeakMap<readonly Listener[], ReadonlyMap<number, number>>();

/**
 * Row of a listener by its inode, -1 when it is gone. The index is built once for each list of listeners, which a snapshot never
 * changes: one user may have ten thousand of them, and each is looked up.
 */
export function listenerRowOf({ listeners }: Pick<Snapshot, 'listeners'>, inode: number): number {
  let rows = rowsByInode.get(listeners);
  if (rows === undefined) {
    rows = new Map(listeners.map((listener, row) => [listener.inode, row]));
    rowsByInode.set(listeners, rows);
  }
  return rows.get(inode) ?? -1;
}

/** The listener of our own network that a subject is about; undefined for another subject, or when it is gone. */
export const listenerOf = (subject: Subject, snapshot: Pick<Snapshot, 'listeners'>): Listener | undefined =>
  subject.kind === 'listener' && subject.namespace === undefined
    ? snapshot.listeners[listenerRowOf(snapshot, subject.inode)]
    : undefined;

/** `tcp 127.0.0.1:80`, `udp [::]:53`. */
export const endpointText = (one: Pick<Listener, 'protocol' | 'address' | 'port'>): string =>
  `${one.protocol} ${hostPort(one.address, one.port)}`;

/** Evidence that makes a finding about a listener: where it listens, and the user who made the socket. */
export const LISTENER_KEY = ['endpoint', 'creator_uid'] as const;

type Socket = Pick<Listener, 'protocol' | 'address' | 'port' | 'inode' | 'creatorUid' | 'executable'>;

export const listenerEvidence = (socket: Socket & { readonly holders: readonly { pid: number }[] }) => ({
  endpoint: endpointText(socket),
  inode: socket.inode,
  creator_uid: socket.creatorUid,
  holders: socket.holders.map(({ pid }) => pid).join(' '),
  executable: socket.executable,
});

export const listenerAvenue = ({ scope }: Pick<Listener, 'scope'>): AvenueId =>
  scope === 'public' ? 'public_listen' : 'unknown_local';

/**
 * The baseline's key of a listener, whose hash is its `key` column (native/kernel/derive.cc): scope, protocol, port, and what holds it:
 * an executable, `ownerless`, or `uid N` of who made the socket where the holder is not known. The port is `ephemeral` where the kernel
 * chooses it, but never of an unknown holder: one such row would explain every later listener that cannot be attributed.
 */
export function listenerKey(snapshot: Snapshot, listener: Listener): string {
  const { scope, protocol, port, owner, executable, creatorUid } = listener;
  const holder = owner === 'ownerless' ? 'ownerless' : executable;
  if (holder === '') return listenerKeyText(scope, protocol, port, `uid ${creatorUid}`);
  const range = snapshot.machine.ephemeral;
  const ephemeral = range !== null && port >= range[0] && port <= range[1];
  return listenerKeyText(scope, protocol, ephemeral ? 'ephemeral' : port, holder);
}

export const listenerKeyText = (
  scope: Listener['scope'],
  protocol: Listener['protocol'],
  port: number | 'ephemeral',
  holder: string,
): string => `${scope} ${protocol} ${port} ${holder}`;

export const holderText = (listener: Listener): string =>
  listener.owner === 'held'
    ? `${listener.executable || 'an unreadable executable'} (pid ${listener.holders.map((h) => h.pid).join(', ')})`
    : listener.owner === 'ownerless'
      ? 'no process'
      : 'a process that could not be seen';
