/** The four listeners: binding, telling the desk how they stand, retrying, stopping gracefully. */
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config-schema.ts';
import { type Desk, DeskError } from '../desk.ts';
import type { ListenerRole, Moment } from '../records/moment.ts';
import { createControlApp, createThemedApp } from './control-app.ts';
import type { Door } from './guard.ts';
import { LIVE_LIMITS, LiveHub, type LiveLimits } from './live.ts';
import { Peers, type PeerUid, Readers } from './peer.ts';
import { createPublicApp } from './public-app.ts';
import { POST_LIMIT, type RateLimit, RateLimiter } from './rate.ts';
import { LiveViews } from './routes/live.ts';
import { guardedServer, SERVER_LIMITS, type ServerLimits } from './server.ts';
import { Tokens } from './tokens.ts';

export const ROLES = ['control', 'office', 'themed', 'public'] as const satisfies readonly ListenerRole[];

export interface ListenOptions {
  readonly log: Logger;
  /** Texts of control.token and mail.token; "" grants nothing. */
  readonly tokens: { readonly control: string; readonly mail: string };
  /** `peerUid` of the native addon. */
  readonly peerUid: PeerUid;
  /** Effective uid of the service; default: this process's. */
  readonly serviceUid?: number;
  readonly retryMs?: number;
  readonly drainMs?: number;
  readonly postLimit?: RateLimit;
  readonly live?: LiveLimits;
  readonly server?: ServerLimits;
}

export interface Listeners {
  /** The server of a role that is enabled, bound or not: a request can be handed to it in process. */
  server(role: ListenerRole): Server | undefined;
  /** What really is bound; null while it is not. */
  address(role: ListenerRole): { readonly host: string; readonly port: number } | null;
  /** Stops accepting, ends streams, lets requests under way end for up to five seconds, then cuts them off. */
  stop(): Promise<void>;
}

const RETRY_MS = 5_000;
const DRAIN_MS = 5_000;

/**
 * Starts every enabled listener. One that cannot bind is told by `desk.setListener` with reason and remedy, and tried
 * again every five seconds; nothing is thrown for it.
 * @throws DeskError `refused` when another program holds the address of the control listener.
 */
export async function startListeners(desk: Desk, options: ListenOptions): Promise<Listeners> {
  const views = new LiveViews();
  const hub = new LiveHub(desk, (moment) => views.of(moment), options.live ?? LIVE_LIMITS);
  const shared = {
    config: desk.config,
    tokens: new Tokens(options.tokens),
    peers: new Peers(options.peerUid),
    readers: new Readers(options.serviceUid ?? process.geteuid?.() ?? 0, desk.config.access.group),
    posts: new RateLimiter(options.postLimit ?? POST_LIMIT),
    log: options.log,
  };
  const listeners = new Map<ListenerRole, Listener>();
  for (const role of ROLES) {
    const { enabled, host, port } = desk.config.listen[role];
    if (!enabled) {
      desk.setListener({ role, host, port, state: 'off', reason: '' });
      continue;
    }
    const listener = new Listener(role, desk, options);
    const appOptions = { ...shared, door: () => listener.door };
    const app =
      role === 'public'
        ? createPublicApp(desk, appOptions)
        : role === 'themed'
          ? createThemedApp(desk, appOptions)
          : createControlApp({ desk, hub, views }, appOptions);
    listener.serve(app.callback());
    listeners.set(role, listener);
  }
  const stop = async (): Promise<void> => {
    hub.close();
    await Promise.all([...listeners.values()].map((listener) => listener.stop()));
  };
  // Control first: without it nobody could steer the service, so a second one must not half start.
  const control = listeners.get('control');
  const refusal = await control?.start();
  if (refusal === 'EADDRINUSE') {
    await stop();
    const { host, port } = desk.config.listen.control;
    const { what, remedy } = bindProblem('EADDRINUSE', 'control', host, port, desk.latest());
    throw new DeskError('refused', what, remedy);
  }
  await Promise.all(
    [...listeners.values()].filter((listener) => listener !== control).map((listener) => listener.start()),
  );
  return {
    server: (role) => listeners.get(role)?.server,
    address: (role) => listeners.get(role)?.address ?? null,
    stop,
  };
}

class Listener {
  readonly #role: ListenerRole;
  readonly #desk: Desk;
  readonly #options: ListenOptions;
  readonly #names: readonly string[];
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #door: Door | undefined;
  #bound: { readonly host: string; readonly port: number } | null = null;
  #retry: NodeJS.Timeout | undefined;
  #refusal = '';
  #stopping = false;

  constructor(role: ListenerRole, desk: Desk, options: ListenOptions) {
    this.#role = role;
    this.#desk = desk;
    this.#options = options;
    this.#names = role === 'public' ? siteNames(desk.config) : [];
  }

  get server(): Server | undefined {
    return this.#server;
  }

  get address(): { readonly host: string; readonly port: number } | null {
    return this.#bound;
  }

  get door(): Door {
    const { host, port } = this.#desk.config.listen[this.#role];
    this.#door ??= { role: this.#role, host, port: this.#bound?.port ?? port, names: this.#names };
    return this.#door;
  }

  serve(onRequest: Parameters<typeof guardedServer>[0]): void {
    const server = guardedServer(onRequest, this.#options.server ?? SERVER_LIMITS);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server = server;
  }

  /** Tries to bind once; "" when it did, else the error code, and the next try is set. */
  async start(): Promise<string> {
    const { host, port } = this.#desk.config.listen[this.#role];
    const server = this.#server as Server;
    const refusal = await this.#listen(server, host, port);
    if (this.#stopping) return refusal;
    if (refusal === '') {
      const { port: real } = server.address() as AddressInfo;
      this.#bound = { host, port: real };
      this.#door = undefined;
      this.#desk.setListener({ role: this.#role, host, port: real, state: 'bound', reason: '' });
      this.#options.log.info({ role: this.#role, host, port: real }, 'listening');
    } else {
      const { what, remedy } = bindProblem(refusal, this.#role, host, port, this.#desk.latest());
      this.#desk.setListener({ role: this.#role, host, port, state: 'failed', reason: `${what}; ${remedy}` });
      if (this.#refusal !== refusal)
        this.#options.log.warn({ role: this.#role, host, port, code: refusal }, what);
      this.#retry = setTimeout(() => void this.start(), this.#options.retryMs ?? RETRY_MS).unref();
    }
    this.#refusal = refusal;
    return refusal;
  }

  #listen(server: Server, host: string, port: number): Promise<string> {
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException) => {
        server.off('listening', bound);
        resolve(error.code ?? error.message);
      };
      const bound = () => {
        server.off('error', failed);
        server.on('error', (error) =>
          this.#options.log.error({ err: error, role: this.#role }, 'listener failed'),
        );
        resolve('');
      };
      server.once('error', failed).once('listening', bound);
      server.listen({ host, port, exclusive: true });
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#retry);
    const server = this.#server;
    if (server === undefined || !server.listening) return;
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => {
        for (const socket of this.#sockets) socket.destroy();
      }, this.#options.drainMs ?? DRAIN_MS);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });
    this.#bound = null;
  }
}

/** Authorities a proxy passes on for the site: its names, and that of its address. */
function siteNames({ site }: Config): string[] {
  return [...site.names, ...(site.public_url === '' ? [] : [new URL(site.public_url).host])];
}

/** Who holds a TCP port, in words, by the newest snapshot. */
function holderOf(port: number, moment: Moment | null): string {
  const holder = moment?.snapshot.listeners.find(
    (listener) => listener.protocol === 'tcp' && listener.port === port,
  );
  const pid = holder?.holders[0]?.pid;
  if (pid === undefined) return 'another program';
  return holder?.executable ? `${holder.executable} (pid ${pid})` : `pid ${pid}`;
}

/** Why a listener cannot bind, in one phrase, and what to do about it, in another. */
export function bindProblem(
  code: string,
  role: ListenerRole,
  host: string,
  port: number,
  moment: Moment | null,
) {
  const place = `the ${role} listener cannot bind ${host}:${port}`;
  const elsewhere = `set [listen.${role}] port to a free one`;
  const enabled = role === 'control' ? elsewhere : `${elsewhere}, or enabled = false`;
  switch (code) {
    case 'EADDRINUSE':
      return {
        what: `${place}: ${holderOf(port, moment)} holds it`,
        remedy: `stop what holds it ("ss -Hlntp sport = :${port}" names it), or ${enabled}`,
      };
    case 'EACCES':
    case 'EPERM':
      return {
        what: `${place}: a port below 1024 is forbidden to this user`,
        remedy: `it needs root or CAP_NET_BIND_SERVICE, or ${enabled}`,
      };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAFNOSUPPORT':
      return {
        what: `${place}: this machine has no such address (${code})`,
        remedy: `set [listen.${role}] host to an address of this machine, e.g. 127.0.0.1`,
      };
    default:
      return { what: `${place} (${code})`, remedy: `see the log of the service, or ${enabled}` };
  }
}
