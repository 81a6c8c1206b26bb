/**
 * The connections of one listener: how many each caller may hold, and what one connection may leave unanswered (security
 * rule 8). Everything that is kept for a connection is released when its socket closes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type RateLimit, RateLimiter } from './rate.ts';
import type { ReadTurns } from './read-turns.ts';

export interface ConnectionLimits {
  /** Connections of all readers, or of all visitors. */
  readonly connections: number;
  /** Of these, connections of one caller. */
  readonly perCaller: number;
  /** Connections of all strangers. */
  readonly strangers: number;
  readonly perStranger: number;
  /** New connections of one caller. Readers have no such limit. */
  readonly strangerRate: RateLimit;
  readonly visitorRate: RateLimit;
  /** New connections of all visitors together, where each costs a handshake. Default: no limit. */
  readonly allVisitorsRate?: RateLimit;
  /** Requests of one connection that wait for their answer. A client that sends more is disconnected. */
  readonly unanswered: number;
  /** How long a client may take nothing of what is being sent to it. */
  readonly unreadMs: number;
  /** How long a connection may wait for its next request, whatever arrives instead of one. */
  readonly waitMs: number;
  /** How often both are checked. */
  readonly checkEveryMs: number;
  /** How long a refused connection stays open, so that its client does not come back at once, and how many do. */
  readonly refuseMs: number;
  readonly refused: number;
  /** How long a request may be under way before its connection can give way to another caller's. */
  readonly graceMs: number;
}

/** Who opened a connection. */
export interface Origin {
  /** The same text for the same user of this machine, or the same address of another one. */
  readonly caller: string;
  /** A `reader` needs no token to read, a `stranger` does; on the public listener everyone is a `visitor`. */
  readonly kind: 'reader' | 'stranger' | 'visitor';
}

/** A connection that has come and is not admitted yet. */
export interface Arrival {
  /** Its socket, which closes it from then on; null when it has ended already. */
  readonly open: () => Socket | null;
  readonly close: () => void;
}

class Connection {
  /** With TLS that of the raw connection until the handshake is done. */
  socket: Socket;
  readonly origin: Origin;
  readonly unanswered = new Set<ServerResponse>();
  /** No request after the current one is answered. */
  closing = false;
  /** Since when it waits for a request, or the client takes nothing; milliseconds of the monotonic clock. */
  since = performance.now();
  /** When the first of its requests under way came. */
  busySince = Number.POSITIVE_INFINITY;
  /** Bytes that the kernel has taken for the client. */
  #sent = 0;

  constructor(socket: Socket, origin: Origin) {
    this.socket = socket;
    this.origin = origin;
  }

  /** Notes progress: `since` moves on when the client has taken something, or there is something to do for it. */
  note(now: number): void {
    const { bytesWritten, writableLength } = this.socket;
    const sent = bytesWritten - writableLength;
    const works = this.unanswered.size > 0 && writableLength === 0;
    if (sent !== this.#sent || works) this.since = now;
    this.#sent = sent;
  }

  /** Whether a request that has arrived whole waits for its answer. */
  get busy(): boolean {
    for (const { req } of this.unanswered) if (req.complete) return true;
    return false;
  }
}

/** Connections that share one limit. When it is reached, the caller with the most connections loses one. */
class Pool {
  readonly #limit: number;
  readonly #perCaller: number;
  readonly #graceMs: number;
  /** By caller, each set in order of arrival. */
  readonly #held = new Map<string, Set<Connection>>();
  #size = 0;

  constructor(limit: number, perCaller: number, graceMs: number) {
    this.#limit = limit;
    this.#perCaller = perCaller;
    this.#graceMs = graceMs;
  }

  /** False when there is no place for one more of the caller. May disconnect another connection. */
  makeRoom(caller: string): boolean {
    const own = this.#held.get(caller);
    const ownSize = own?.size ?? 0;
    if (ownSize >= this.#perCaller || this.#size >= this.#limit) {
      const victim = ownSize >= this.#perCaller ? longestIdle(own) : this.#victim(own);
      if (victim === undefined) return false;
      this.remove(victim);
      victim.socket.destroy();
    }
    return true;
  }

  /** There is room for it. */
  add(connection: Connection): void {
    const { caller } = connection.origin;
    const own = this.#held.get(caller);
    if (own === undefined) this.#held.set(caller, new Set([connection]));
    else own.add(connection);
    this.#size += 1;
  }

  remove(connection: Connection): void {
    const { caller } = connection.origin;
    const held = this.#held.get(caller);
    if (!held?.delete(connection)) return;
    this.#size -= 1;
    if (held.size === 0) this.#held.delete(caller);
  }

  /**
   * The connection that a new one of a caller with `own` replaces when the pool is full: of the callers who would still hold more
   * than this one, the idle one of the largest, else the oldest of the largest. Else one of a caller who holds no fewer: an idle
   * one, or one that has been at its request for longer than the grace.
   */
  #victim(own: ReadonlySet<Connection> = new Set()): Connection | undefined {
    const bySize = [...this.#held.values()].sort((one, other) => other.size - one.size);
    const larger = bySize.filter((held) => held.size > own.size + 1);
    const others = bySize.filter((held) => held === own || held.size > own.size);
    return (
      firstIdle(larger) ??
      larger[0]?.values().next().value ??
      firstIdle(others) ??
      this.#longest(others.filter((held) => held !== own))
    );
  }

  #longest(callers: readonly ReadonlySet<Connection>[]): Connection | undefined {
    const from = performance.now() - this.#graceMs;
    const [longest] = callers
      .flatMap((held) => [...held])
      .filter(({ busySince }) => busySince < from)
      .sort((one, other) => one.busySince - other.busySince);
    return longest;
  }
}

function firstIdle(callers: readonly ReadonlySet<Connection>[]): Connection | undefined {
  for (const held of callers) {
    const idle = longestIdle(held);
    if (idle !== undefined) return idle;
  }
  return undefined;
}

function longestIdle(held: Iterable<Connection> = []): Connection | undefined {
  let longest: Connection | undefined;
  for (const connection of held)
    if (!connection.busy && (longest === undefined || connection.since < longest.since)) longest = connection;
  return longest;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #pools: { readonly shared: Pool; readonly strangers: Pool };
  readonly #rates: { readonly stranger: RateLimiter; readonly visitor: RateLimiter };
  readonly #allVisitors: RateLimiter | undefined;
  readonly #turns: ReadTurns;
  readonly #open = new Map<Socket, Connection>();
  /** How each is closed. */
  readonly #refused = new Map<() => void, NodeJS.Timeout>();
  #checks: NodeJS.Timeout | undefined;
  #whenEmpty: () => void = () => undefined;

  constructor(limits: ConnectionLimits, turns: ReadTurns) {
    this.#limits = limits;
    this.#turns = turns;
    this.#pools = {
      shared: new Pool(limits.connections, limits.perCaller, limits.graceMs),
      strangers: new Pool(limits.strangers, limits.perStranger, limits.graceMs),
    };
    this.#rates = {
      stranger: new RateLimiter(limits.strangerRate),
      visitor: new RateLimiter(limits.visitorRate),
    };
    this.#allVisitors = limits.allVisitorsRate && new RateLimiter(limits.allVisitorsRate);
  }

  /**
   * Takes a new connection, which `serve` gets, or refuses it, when its caller opens too many at once or has all of its share in
   * use. False when it is refused. `serve` returns false where requests do not come on that socket, but on one that `secure` gets.
   */
  admit(origin: Origin, { open, close }: Arrival, serve: (socket: Socket) => boolean): boolean {
    const { caller, kind } = origin;
    const pool = kind === 'stranger' ? this.#pools.strangers : this.#pools.shared;
    if (this.#isTooFast(origin) || !pool.makeRoom(caller)) {
      this.#refuse(close);
      return false;
    }
    const socket = open();
    if (socket === null) return true;
    const connection = new Connection(socket, origin);
    pool.add(connection);
    this.#open.set(socket, connection);
    this.#checks ??= setInterval(() => this.#check(), this.#limits.checkEveryMs).unref();
    socket.once('close', () => {
      pool.remove(connection);
      this.#open.delete(connection.socket);
      if (this.#open.size === 0) {
        clearInterval(this.#checks);
        this.#checks = undefined;
      }
      for (const response of [...connection.unanswered]) release(response);
      if (this.#open.size === 0) this.#whenEmpty();
    });
    if (serve(socket)) this.#turns.add(socket, caller);
    return true;
  }

  /** That of the caller first: what it is refused does not count for the others. */
  #isTooFast({ caller, kind }: Origin): boolean {
    if (kind === 'reader') return false;
    if (this.#rates[kind].take(caller) > 0) return true;
    return kind === 'visitor' && (this.#allVisitors?.take('') ?? 0) > 0;
  }

  /** The handshake of a connection is done: requests come on `secured`. */
  secure(socket: Socket, secured: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) {
      secured.destroy();
      return;
    }
    this.#open.delete(socket);
    connection.socket = secured;
    this.#open.set(secured, connection);
    this.#turns.add(secured, connection.origin.caller);
  }

  /** Whether this request is to be answered. One that is not belongs to a client that will be, or is, disconnected. */
  accepts(req: IncomingMessage, res: ServerResponse): boolean {
    const connection = this.#open.get(req.socket);
    // A request that was handed over in process has no connection.
    if (connection === undefined) return !req.socket?.destroyed;
    this.#turns.note();
    if (connection.closing || req.socket.destroyed) return false;
    const { origin, unanswered } = connection;
    if (unanswered.size >= this.#limits.unanswered) {
      connection.closing = true;
      req.socket.destroy();
      return false;
    }
    // One answer for each connection, so that what comes behind a refusal costs nothing.
    if (origin.kind === 'stranger') {
      connection.closing = true;
      res.shouldKeepAlive = false;
    }
    unanswered.add(res);
    connection.busySince = Math.min(connection.busySince, performance.now());
    const answered = () => {
      if (!unanswered.delete(res)) return;
      connection.busySince = unanswered.size === 0 ? Number.POSITIVE_INFINITY : performance.now();
      connection.since = performance.now();
    };
    res.once('finish', answered).once('close', answered);
    return true;
  }

  /** The parser refused what came on a connection, which costs as much as a request. */
  broke(): void {
    this.#turns.note();
  }

  /** The newest request of a connection that waits for its answer. */
  newest(socket: Socket): ServerResponse | undefined {
    return [...(this.#open.get(socket)?.unanswered ?? [])].at(-1);
  }

  /** Node's own timeouts start again with every byte that a client sends, also where it sends no request. These do not. */
  #check(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      connection.note(now);
      const { unreadMs, waitMs } = this.#limits;
      const most = connection.unanswered.size > 0 ? unreadMs : waitMs;
      if (now - connection.since > most) connection.socket.destroy();
    }
  }

  /** Disconnects a client that is not admitted, after a while. Nothing that it sends is parsed. */
  #refuse(close: () => void): void {
    if (this.#refused.size >= this.#limits.refused) {
      close();
      return;
    }
    const end = () => {
      this.#refused.delete(close);
      close();
    };
    this.#refused.set(close, setTimeout(end, this.#limits.refuseMs).unref());
  }

  /** Lets those go that are refused and not closed yet; resolves when no other connection is left either. */
  async emptied(): Promise<void> {
    for (const [close, timer] of this.#refused) {
      clearTimeout(timer);
      close();
    }
    this.#refused.clear();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  /** Disconnects everyone who is admitted. */
  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

/**
 * Node reports the end of a connection only to the response that is being sent. The others, of pipelined requests, would
 * wait forever, with everything that waits for them.
 */
function release(response: ServerResponse): void {
  if (response.socket !== null || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}
