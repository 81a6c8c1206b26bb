/** The listeners of the service. They live as long as it does; a reload gives them another desk. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { addressBytes } from '../base/addresses.ts';
import { DeskError } from '../base/desk-error.ts';
import { LISTENER_ROLES } from '../config/schema.ts';
import type { Desk } from '../desk/desk.ts';
import type { ListenerRole } from '../records/state.ts';
import { Backend, type BackendOptions } from './backend.ts';
import { bindProblem } from './bind-problem.ts';
import {
  type Application,
  Listener,
  type ListenerOptions,
  type Place,
  type SocketCalls,
} from './listener.ts';
import { listenerUids } from './listener-uids.ts';
import { LIVE_LIMITS, type LiveLimits } from './live.ts';
import { Peers } from './peer.ts';
import { POST_LIMIT, type RateLimit, RateLimiter } from './rate.ts';
import { ReadTurns } from './read-turns.ts';
import { SERVER_LIMITS, type ServerLimits } from './server.ts';
import { Tokens } from './tokens.ts';
import { WrongTokens } from './wrong-tokens.ts';

export interface ListenOptions {
  readonly log: Logger;
  /** Texts of control.token and mail.token; "" grants nothing. */
  readonly tokens: { readonly control: string; readonly mail: string };
  readonly sockets: SocketCalls;
  /** As `ListenerOptions.bindPort`; default: there is none. */
  readonly bindPort?: ListenerOptions['bindPort'];
  /** Effective uid of the service; default: this process's. */
  readonly serviceUid?: number;
  /** Whether a uid is one of the desk's other processes; default: none is. */
  readonly isHelper?: (uid: number) => boolean;
  readonly retryMs?: number;
  readonly drainMs?: number;
  readonly postLimit?: RateLimit;
  readonly live?: LiveLimits;
  readonly server?: ServerLimits;
  readonly remoteLimits?: Partial<ServerLimits>;
}

/** What `apply` has done. */
interface Applied {
  /** Resolves when nothing uses the previous desk any more, which may be closed then. Never rejects. */
  readonly retired: Promise<void>;
}

const RETRY_MS = 5_000;
const DRAIN_MS = 5_000;

interface Planned {
  readonly listener: Listener;
  readonly application: Application;
  readonly place: Place;
}

export class Listeners {
  readonly #backendOptions: BackendOptions;
  readonly #options: ListenerOptions;
  readonly #leaving = new Set<Promise<void>>();
  #active: ReadonlyMap<ListenerRole, Listener> = new Map();
  #current: Backend | undefined;

  constructor(options: ListenOptions) {
    const { log, sockets } = options;
    const { postLimit = POST_LIMIT, server: limits = SERVER_LIMITS } = options;
    const peers = new Peers(sockets.peerUid);
    this.#options = {
      bindPort: () => Promise.resolve(null),
      retryMs: RETRY_MS,
      drainMs: DRAIN_MS,
      ...options,
      peers,
      limits,
      turns: new ReadTurns(limits),
    };
    this.#backendOptions = {
      serviceUid: process.geteuid?.() ?? 0,
      isHelper: () => false,
      live: LIVE_LIMITS,
      ...options,
      log,
      tokens: new Tokens(options.tokens),
      peers,
      posts: new RateLimiter(postLimit),
      wrong: { remote: new WrongTokens('on the remote listener'), session: new WrongTokens('for a session') },
    };
  }

  /**
   * Serves this desk by its configuration. A listener whose place stays keeps its socket and its connections; one that
   * moves is bound again before the old one is closed. What cannot bind is reported by `desk.setListener` with reason and
   * remedy, and tried again every five seconds. Not to be called while another call runs.
   * @throws DeskError `refused` when another program of root or of this user holds the address of the control listener, or
   * when a bound control listener cannot move; everything is as it was then. Another user's program does not
   * end the service; otherwise any user could prevent its start.
   */
  async apply(desk: Desk): Promise<Applied> {
    const backend = new Backend(desk, this.#backendOptions);
    const before = this.#active;
    const planned = this.#plan(backend);
    const isNew = ({ listener }: Planned) => before.get(listener.role) !== listener;
    for (const { listener, application, place } of planned.filter(isNew)) listener.adopt(application, place);
    try {
      // Control first: without it the service cannot be controlled, so a second one must not half start.
      await this.#startControl(planned.find((plan) => plan.listener.role === 'control' && isNew(plan)));
    } catch (error) {
      backend.endStreams();
      throw error;
    }
    await Promise.all(planned.filter(isNew).map(({ listener }) => listener.start()));
    // From here to the end of the streams nothing waits, so that no request meets a half of each.
    for (const plan of planned) if (!isNew(plan)) plan.listener.adopt(plan.application, plan.place);
    this.#active = new Map(planned.map(({ listener }) => [listener.role, listener]));
    for (const role of LISTENER_ROLES) {
      const { enabled, host, port } = desk.config.listen[role];
      if (!enabled) desk.setListener({ role, host, port, state: 'off', reason: '' });
    }
    const retired = this.#current?.retire(this.#options.drainMs) ?? Promise.resolve();
    this.#current = backend;
    for (const [role, listener] of before) if (this.#active.get(role) !== listener) this.#leave(listener);
    // A place may have been held by a listener of our own that has just left.
    if (before.size > 0) await Promise.all(planned.map(({ listener }) => listener.start()));
    return { retired };
  }

  /** The server of a role that is enabled, bound or not: a request can be handed to it in process. */
  server(role: ListenerRole): Server | undefined {
    return this.#active.get(role)?.server;
  }

  /** What really is bound, with the host as configured; null while it is not. */
  address(role: ListenerRole): Place | null {
    return this.#active.get(role)?.address ?? null;
  }

  /** Whether a listener of ours has this place. */
  isAt(place: Place): boolean {
    return [...this.#active.values()].some((listener) => listener.address !== null && listener.isAt(place));
  }

  /** Stops accepting, ends streams, lets requests under way end for up to five seconds, then cuts them off. */
  async stop(): Promise<void> {
    this.#current?.endStreams();
    await Promise.all([...[...this.#active.values()].map((listener) => listener.stop()), ...this.#leaving]);
  }

  /** The listener of each enabled role with its application, made before anything is bound or let go. */
  #plan(backend: Backend): readonly Planned[] {
    const { desk } = backend;
    return LISTENER_ROLES.filter((role) => desk.config.listen[role].enabled).map((role) => {
      const { host, port } = desk.config.listen[role];
      const place = { host, port };
      const active = this.#active.get(role);
      const listener = active?.isAt(place) ? active : new Listener(role, place, this.#options);
      const answer = backend.answerer(role, () => listener.binding);
      return { listener, place, application: { backend, answer } };
    });
  }

  async #startControl(control: Planned | undefined): Promise<void> {
    if (control === undefined) return;
    const refusal = await control.listener.start();
    const moves = this.address('control') !== null;
    const { application, place } = control;
    const taken = refusal === 'EADDRINUSE' && this.#heldByTrustedUser(place);
    if (refusal === '' || !(moves || taken)) return;
    await control.listener.stop();
    const own = LISTENER_ROLES.find((role) => this.#active.get(role)?.isAt(place));
    if (own !== undefined && refusal === 'EADDRINUSE')
      throw new DeskError(
        'refused',
        `the control listener cannot bind ${place.host}:${place.port}: the ${own} listener of this service holds it`,
        `move [listen.${own}] first, reload, and move [listen.control] then`,
      );
    const { what, remedy } = bindProblem(
      refusal,
      'control',
      place.host,
      place.port,
      application.backend.desk.latest(),
    );
    throw new DeskError('refused', what, remedy);
  }

  /** Whether a socket of root or of this user listens on a place. */
  #heldByTrustedUser({ host, port }: Place): boolean {
    const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
    return addresses.some((text) => {
      const address = addressBytes(text);
      const uids = address === null ? '' : listenerUids(this.#options.sockets, address, port);
      return (
        typeof uids !== 'string' && uids.some((uid) => uid === 0 || uid === this.#backendOptions.serviceUid)
      );
    });
  }

  #leave(listener: Listener): void {
    const left = listener.stop().finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
}

/** Listeners over a desk, every enabled one bound or being tried again. @throws DeskError as `Listeners.apply` */
export async function startListeners(desk: Desk, options: ListenOptions): Promise<Listeners> {
  const listeners = new Listeners(options);
  await listeners.apply(desk);
  return listeners;
}
