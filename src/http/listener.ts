/** One place where one role is served: bound once, tried again while it cannot be bound, and answered by a backend. */
import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import {
  addressText,
  bracketed,
  canonicalAddress,
  isLoopback,
  isWildcard,
  splitAuthority,
} from '../base/addresses.ts';
import { codeText } from '../base/error-code.ts';
import type { Config } from '../config/schema.ts';
import type { Desk } from '../desk/desk.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import type { ListenerRole } from '../records/state.ts';
import { AcceptQueue } from './accept-queue.ts';
import type { Answer, Backend } from './backend.ts';
import { bindProblem } from './bind-problem.ts';
import { Connections, type Origin } from './connections.ts';
import type { Binding } from './guard.ts';
import { type Peer, type Peers, peerName } from './peer.ts';
import type { ReadTurns } from './read-turns.ts';
import { TlsLayer } from './secure.ts';
import { allowedMethods, guardedServer, REMOTE_LIMITS, type ServerLimits } from './server.ts';

/** Host and port as configured. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** What answers the requests of a listener. */
export interface Application {
  readonly backend: Backend;
  readonly answer: Answer;
}

/** What the native addon does with sockets. */
export type SocketCalls = Pick<
  NativeAddon,
  'peerUid' | 'limitBuffers' | 'acceptConnections' | 'layout' | 'listSockets'
>;

export interface ListenerOptions {
  readonly log: Logger;
  readonly sockets: SocketCalls;
  readonly peers: Peers;
  readonly limits: ServerLimits;
  /** Overrides for the remote listener; default: `REMOTE_LIMITS`. */
  readonly remoteLimits?: Partial<ServerLimits> | undefined;
  /** Of all listeners together. */
  readonly turns: ReadTurns;
  /** A socket bound to a port that this process may not bind itself; the error code where it cannot be bound; null where nothing can. */
  readonly bindPort: (address: string, port: number) => Promise<number | string | null>;
  readonly retryMs: number;
  readonly drainMs: number;
}

export class Listener {
  readonly role: ListenerRole;
  readonly server: Server;
  readonly #options: ListenerOptions;
  readonly #connections: Connections;
  #place: Place;
  #application: Application | undefined;
  #binding: Binding | undefined;
  #bound: AddressInfo | null = null;
  #queue: AcceptQueue | undefined;
  #tls: TlsLayer | undefined;
  #attempt: Promise<string> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #refusal = '';
  #reason = 'not started yet';
  #stopped: Promise<void> | undefined;

  constructor(role: ListenerRole, place: Place, all: ListenerOptions) {
    this.role = role;
    this.#place = place;
    const { remoteLimits = REMOTE_LIMITS } = all;
    const limits = role === 'remote' ? { ...all.limits, ...remoteLimits } : all.limits;
    const options = { ...all, limits };
    this.#options = options;
    const { turns } = options;
    this.#connections = new Connections(limits, turns);
    this.server = guardedServer({
      limits,
      connections: this.#connections,
      allow: allowedMethods(role),
      onRequest: (req, res) => this.#answer(req, res),
      originOf: (socket) => this.#originOf(options.peers.of(socket), socket.remoteAddress),
      secure: (socket, serve) => this.#secure(socket, serve),
      drain: (arrive) =>
        this.#queue?.drain((ends, { open, close }) => {
          const peer = options.peers.at(ends);
          arrive(this.#originOf(peer, ends.remote), { open: () => this.#known(open(), peer), close });
        }),
    });
  }

  /** Host as configured and port as bound; null while it is not bound. */
  get address(): Place | null {
    return this.#bound === null ? null : { host: this.#place.host, port: this.#bound.port };
  }

  /** The same object while nothing changes. */
  get binding(): Binding {
    const { host, port } = this.#place;
    this.#binding ??= {
      role: this.role,
      host,
      address: this.#bound?.address ?? host,
      port: this.#bound?.port ?? port,
      names: this.#names(),
    };
    return this.#binding;
  }

  #names(): readonly string[] {
    const config = this.#desk?.config;
    if (config === undefined) return [];
    if (this.role === 'remote') return remoteNames(config, this.#bound?.port ?? this.#place.port);
    return this.role === 'public' ? siteNames(config) : [];
  }

  /** Whether a configured place is this one, so that its socket can stay: the same words, or the address bound. */
  isAt({ host, port }: Place): boolean {
    if (port !== this.#place.port) return false;
    if (host === this.#place.host) return true;
    if (this.#bound === null) return false;
    const { address } = this.#bound;
    return (
      (host === 'localhost' && isLoopback(address)) || canonicalAddress(host) === canonicalAddress(address)
    );
  }

  /** From now on this application answers requests, and its desk gets the state of the listener. */
  adopt(application: Application, place: Place): void {
    this.#application = application;
    this.#place = place;
    this.#binding = undefined;
    this.#report();
  }

  get #desk(): Desk | undefined {
    return this.#application?.backend.desk;
  }

  /** Tries to bind unless it is bound; "" when it is, else the error code, and the next try is set. */
  start(): Promise<string> {
    if (this.#bound !== null || this.#stopped !== undefined) return Promise.resolve('');
    clearTimeout(this.#retry);
    this.#attempt ??= this.#bind().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** Stops accepting, lets requests under way end for up to five seconds, then cuts them off. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #bind(): Promise<string> {
    const { role } = this;
    const { host, port } = this.#place;
    const { log, retryMs } = this.#options;
    const refusal = await this.#listen();
    if (this.#stopped !== undefined) return refusal;
    if (refusal === '') {
      this.#bound = this.server.address() as AddressInfo;
      this.#reason = '';
      const fingerprint = this.#application?.backend.remote?.identity?.fingerprint;
      const shown = role === 'remote' && fingerprint !== undefined ? { fingerprint } : {};
      log.info({ role, host, port: this.#bound.port, ...shown }, 'listening');
    } else {
      const { what, remedy } =
        this.#trouble() ?? bindProblem(refusal, role, host, port, this.#desk?.latest() ?? null);
      this.#reason = `${what}; ${remedy}`;
      if (this.#refusal !== refusal) log.warn({ role, host, port, code: refusal }, what);
      this.#retry = setTimeout(() => void this.start(), retryMs).unref();
    }
    this.#refusal = refusal;
    this.#binding = undefined;
    this.#report();
    return refusal;
  }

  async #listen(): Promise<string> {
    if (this.#trouble() !== null) return NOT_READY;
    const { host, port } = this.#place;
    const refusal = await this.#listenAt({ host, port, exclusive: true });
    if (refusal !== 'EACCES') return refusal;
    const bound = await this.#options.bindPort(host, port);
    return typeof bound === 'number' ? this.#listenAt({ fd: bound }) : (bound ?? refusal);
  }

  #listenAt(options: ListenOptions & { readonly fd?: number }): Promise<string> {
    const { server } = this;
    const { backlog } = this.#options.limits;
    return new Promise((resolve) => {
      const failed = (error: Error) => {
        server.off('error', failed).off('listening', bound);
        resolve(codeText(error));
      };
      const bound = () => {
        server.off('error', failed);
        this.#setUpSocket();
        server.on('error', (error) =>
          this.#options.log.error({ err: error, role: this.role }, 'listener failed'),
        );
        resolve('');
      };
      server.on('error', failed).once('listening', bound);
      server.listen({ ...options, backlog });
    });
  }

  /** By the descriptor, which Node shows on its handle alone. */
  #setUpSocket(): void {
    const { _handle: handle } = this.server as Server & { readonly _handle?: { readonly fd?: number } };
    const { sockets, limits, log } = this.#options;
    const descriptor = handle?.fd;
    if (descriptor !== undefined) this.#queue = new AcceptQueue(sockets, descriptor, limits.acceptMs);
    const refusal =
      descriptor === undefined
        ? { code: 'no descriptor' }
        : sockets.limitBuffers(descriptor, limits.receiveBytes, limits.sendBytes);
    if (refusal !== null)
      log.warn({ role: this.role, code: refusal.code }, 'the buffers of the connections cannot be limited');
  }

  #report(): void {
    const { host, port } = this.#place;
    const state = this.#bound === null ? 'failed' : 'bound';
    const { role } = this;
    this.#desk?.setListener({ role, host, port: this.#bound?.port ?? port, state, reason: this.#reason });
  }

  #answer: Answer = (req, res) => {
    if (this.#application === undefined) throw new TypeError(`nothing serves the ${this.role} listener`);
    // A listener that is let go keeps no connection: what is idle after its answer ends.
    if (this.#stopped !== undefined) res.shouldKeepAlive = false;
    res.on('close', this.#answered);
    this.#application.answer(req, res);
  };

  readonly #answered = (): void => {
    if (this.#stopped !== undefined) setImmediate(() => this.server.closeIdleConnections());
  };

  /** The socket of a connection whose peer is known; null when it has ended meanwhile. */
  #known(socket: Socket | null, peer: Peer): Socket | null {
    if (socket?.remoteAddress === undefined) {
      socket?.destroy();
      return null;
    }
    this.#options.peers.know(socket, peer);
    return socket;
  }

  #originOf(peer: Peer, address: string | Uint8Array | undefined): Origin {
    const caller = peerName(peer, address);
    if (this.role === 'remote') return this.#remoteOrigin(address);
    if (this.role === 'public') return { caller, kind: 'visitor' };
    const reads = peer.kind === 'user' && this.#application?.backend.readers.includes(peer.uid) === true;
    return { caller, kind: reads ? 'reader' : 'stranger' };
  }

  /** All clients behind a trusted proxy come over its connections. */
  #remoteOrigin(address: string | Uint8Array = ''): Origin {
    const text = typeof address === 'string' ? address : addressText(address);
    const caller = peerName({ kind: 'remote' }, address);
    const trusted = this.#application?.backend.remote?.isTrusted(text) === true;
    return trusted ? { caller: `proxy ${caller}`, kind: 'reader' } : { caller, kind: 'visitor' };
  }

  /** Why the remote listener has nothing to serve; null when it has, and for others. */
  #trouble(): { readonly what: string; readonly remedy: string } | null {
    return this.role === 'remote' ? (this.#application?.backend.remote?.trouble() ?? null) : null;
  }

  #secure(socket: Socket, serve: (secured: Socket) => void): boolean {
    const remote = this.role === 'remote' ? this.#application?.backend.remote : null;
    if (remote?.tls !== true) return false;
    const { identity } = remote;
    if (identity === null) socket.destroy();
    else {
      this.#tls ??= new TlsLayer(() => this.#connections.broke());
      this.#tls.take(socket, identity, serve);
    }
    return true;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#retry);
    // A bind under way may still succeed, and nothing would close it.
    await this.#attempt;
    const { server } = this;
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => this.#connections.destroy(), this.#options.drainMs);
      this.#queue = undefined;
      // Node counts only the connections that it has accepted itself.
      const closed = new Promise((done) => server.close(done));
      void Promise.all([closed, this.#connections.emptied()]).then(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });
    this.#bound = null;
  }
}

/** In place of an error code: there is no certificate. */
const NOT_READY = 'not ready';

/** Names of the remote listener: without a port they are valid as they are, for a proxy, and with the port of the listener. */
const remoteNames = ({ listen: { remote } }: Config, port: number): string[] => [
  // The name of the machine is in its own certificate, and in the address that "desk token" shows.
  ...[...remote.names, hostname()].flatMap((name) =>
    splitAuthority(name)?.port ? [name] : [name, `${name}:${port}`],
  ),
  ...(port === HTTPS_PORT && !isWildcard(remote.host) ? [bracketed(remote.host)] : []),
];
const HTTPS_PORT = 443;

/** Authorities a proxy passes on for the site: its names, and that of its address. */
function siteNames({ site }: Config): string[] {
  return [...site.names, ...(site.public_url === '' ? [] : [new URL(site.public_url).host])];
}
