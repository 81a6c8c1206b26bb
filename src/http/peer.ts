/** Who is at the other end of a connection: the peer's uid on loopback (security rule 4a), looked up once. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { addressBytes, isLoopback, unmappedBytes } from '../base/addresses.ts';
import type { Refusal } from '../engine/native/types.ts';

/** The native look-up: addresses as 4 or 16 bytes in network order, as the server sees them. */
export type PeerUid = (
  local: Uint8Array,
  localPort: number,
  remote: Uint8Array,
  remotePort: number,
) => number | Refusal;

/** Both ends of a connection as the server sees them; addresses as `PeerUid` takes them. */
export interface Ends {
  readonly local: Uint8Array;
  readonly localPort: number;
  readonly remote: Uint8Array;
  readonly remotePort: number;
}

/** A peer on loopback with its uid; one whose uid the kernel does not say; one from another machine. */
export type Peer =
  | { readonly kind: 'user'; readonly uid: number }
  | { readonly kind: 'blind'; readonly reason: string }
  | { readonly kind: 'remote' };

/** Looks peers up and remembers each for the life of its connection. */
export class Peers {
  readonly #peerUid: PeerUid;
  readonly #known = new WeakMap<Socket, Peer>();

  constructor(peerUid: PeerUid) {
    this.#peerUid = peerUid;
  }

  of(socket: Socket): Peer {
    let peer = this.#known.get(socket);
    if (peer === undefined) {
      peer = this.#lookUp(socket);
      this.#known.set(socket, peer);
    }
    return peer;
  }

  /** The peer of a connection that has no socket yet. */
  at({ local, localPort, remote, remotePort }: Ends): Peer {
    if (!isLoopback(remote)) return { kind: 'remote' };
    const uid = this.#peerUid(local, localPort, remote, remotePort);
    return typeof uid === 'number'
      ? { kind: 'user', uid }
      : { kind: 'blind', reason: `${uid.source}: ${uid.code}` };
  }

  /** Remembers what `at` said about the connection that this socket is now. */
  know(socket: Socket, peer: Peer): void {
    this.#known.set(socket, peer);
  }

  #lookUp({ localAddress, localPort, remoteAddress, remotePort }: Socket): Peer {
    const local = addressBytes(localAddress ?? '');
    const remote = addressBytes(remoteAddress ?? '');
    if (local === null || remote === null || localPort === undefined || remotePort === undefined)
      return { kind: 'blind', reason: 'the connection has ended' };
    return this.at({ local, localPort, remote, remotePort });
  }
}

/** The caller as limits count it: a user of this machine, or the network of another machine: an IPv4 address, an IPv6 /64. */
export function peerName(peer: Peer, address: string | Uint8Array = ''): string {
  if (peer.kind === 'user') return `uid ${peer.uid}`;
  if (peer.kind === 'blind') return 'unknown';
  const bytes = unmappedBytes(address);
  return bytes === null
    ? 'remote'
    : `remote ${Buffer.from(bytes).toString('hex', 0, bytes.length === 4 ? 4 : 8)}`;
}

const GROUP_AGE_MS = 5_000;

/** Uids that read without a token: the service's, root, and the members of `[access] group`. */
export class Readers {
  readonly isHelper: (uid: number) => boolean;
  readonly #serviceUid: number;
  readonly #group: string;
  readonly #read: (path: string) => string;
  readonly #now: () => number;
  #members: ReadonlySet<number> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;

  /**
   * `read` gives a whole text file; membership is read again when it is older than five seconds. `isHelper`: whether a uid is
   * one of the desk's other processes, which have nothing to ask, whatever they could read a token from.
   */
  constructor(
    serviceUid: number,
    group: string,
    read = (path: string) => readFileSync(path, 'utf8'),
    now = () => performance.now(),
    isHelper: (uid: number) => boolean = () => false,
  ) {
    this.isHelper = isHelper;
    this.#serviceUid = serviceUid;
    this.#group = group;
    this.#read = read;
    this.#now = now;
  }

  includes(uid: number): boolean {
    if (uid === this.#serviceUid || uid === 0) return true;
    if (this.#group === '') return false;
    if (this.#now() - this.#readAt > GROUP_AGE_MS) {
      this.#members = this.#readMembers();
      this.#readAt = this.#now();
    }
    return this.#members.has(uid);
  }

  /** The name of a user (passwd(5)); "" without one, or where the file cannot be read. */
  nameOf(uid: number): string {
    return this.#rows('/etc/passwd').find((fields) => fields[2] === String(uid))?.[0] ?? '';
  }

  /** The lines of a file such as passwd(5), by their fields. An unreadable file has none. */
  #rows(path: string): readonly string[][] {
    try {
      return this.#read(path)
        .split('\n')
        .map((line) => line.split(':'));
    } catch {
      return [];
    }
  }

  /** Named members (group(5)) and the users whose primary group it is (passwd(5)). */
  #readMembers(): ReadonlySet<number> {
    const group = this.#rows('/etc/group').find(([name]) => name === this.#group);
    if (group === undefined) return new Set();
    const names = new Set((group[3] ?? '').split(',').filter((name) => name !== ''));
    const members = this.#rows('/etc/passwd').filter(
      ([name = '', , , gid]) => names.has(name) || gid === group[2],
    );
    return new Set(members.map((fields) => Number(fields[2])).filter((uid) => Number.isInteger(uid)));
  }
}
