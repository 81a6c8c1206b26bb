/** The listeners of the service. They live as long as it does; a reload puts another desk behind them. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { addressBytes } from '../base/addresses.ts';
import { DeskError } from '../base/desk-error.ts';
import type { Config } from '../config/schema.ts';
import type { Desk } from '../operations/desk.ts';
import type { ListenerRole } from '../records/moment.ts';
import { bindProblem } from './bind-problem.ts';
import { Listener, type ListenerOptions, type Place, type SocketCalls, type Tenant } from './listener.ts';
import { listenerUids } from './listener-uids.ts';
import { LIVE_LIMITS, type LiveLimits } from './live.ts';
import { Peers } from './peer.ts';
import { POST_LIMIT, type RateLimit, RateLimiter } from './rate.ts';
import { ReadTurns } from './read-turns.ts';
import { Reception, type ReceptionOptions } from './reception.ts';
import { SERVER_LIMITS, type ServerLimits } from './server.ts';
import { Tokens } from './tokens.ts';

export const ROLES = ['control', 'office', 'themed', 'public'] as const satisfies readonly ListenerRole[];

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
}

/** What `apply` has done. */
interface Applied {
  /** Resolves when nothing asks the desk before any more, which may be closed then. Never rejects. */
  readonly retired: Promise<void>;
}

const RETRY_MS = 5_000;
const DRAIN_MS = 5_000;

interface Planned {
  readonly listener: Listener;
  readonly tenant: Tenant;
  readonly place: Place;
}

export class Listeners {
  readonly #reception: ReceptionOptions;
  readonly #options: ListenerOptions;
  readonly #leaving = new Set<Promise<void>>();
  #standing: ReadonlyMap<ListenerRole, Listener> = new Map();
  #current: Reception | undefined;

  constructor({
    log,
    tokens,
    sockets,
    bindPort,
    serviceUid,
    isHelper,
    retryMs,
    drainMs,
    postLimit,
    live,
    server,
  }: ListenOptions) {
    const peers = new Peers(sockets.peerUid);
    const limits = server ?? SERVER_LIMITS;
    this.#options = {
      log,
      sockets,
      peers,
      limits,
      turns: new ReadTurns(limits),
      bindPort: bindPort ?? (() => Promise.resolve(null)),
      retryMs: retryMs ?? RETRY_MS,
      drainMs: drainMs ?? DRAIN_MS,
    };
    this.#reception = {
      lasting: { tokens: new Tokens(tokens), peers, posts: new RateLimiter(postLimit ?? POST_LIMIT), log },
      serviceUid: serviceUid ?? process.geteuid?.() ?? 0,
      isHelper: isHelper ?? (() => false),
      live: live ?? LIVE_LIMITS,
    };
  }

  /**
   * Serves this desk by its configuration. A listener whose place stays keeps its socket and its connections; one that
   * moves is bound anew before the old one is let go. What cannot bind is told by `desk.setListener` with reason and
   * remedy, and tried again every five seconds. Not to be called while another call runs.
   * @throws DeskError `refused` when another program of root or of this user holds the address of the control listener, or
   * when a bound control listener cannot move; everything is as it was then. Another user's program does not
   * end the service; otherwise any user could prevent its start.
   */
  async apply(desk: Desk): Promise<Applied> {
    const reception = new Reception(desk, this.#reception);
    const before = this.#standing;
    const planned = this.#plan(reception);
    const isNew = ({ listener }: Planned) => before.get(listener.role) !== listener;
    for (const { listener, tenant, place } of planned.filter(isNew)) listener.adopt(tenant, place);
    try {
      // Control first: without it nobody could steer the service, so a second one must not half start.
      await this.#startControl(planned.find((plan) => plan.listener.role === 'control' && isNew(plan)));
    } catch (error) {
      reception.endStreams();
      throw error;
    }
    await Promise.all(planned.filter(isNew).map(({ listener }) => listener.start()));
    // From here to the end of the streams nothing waits, so that no request meets a half of each.
    for (const plan of planned) if (!isNew(plan)) plan.listener.adopt(plan.tenant, plan.place);
    this.#standing = new Map(planned.map(({ listener }) => [listener.role, listener]));
    for (const role of ROLES) {
      const { enabled, host, port } = desk.config.listen[role];
      if (!enabled) desk.setListener({ role, host, port, state: 'off', reason: '' });
    }
    const retired = this.#current?.retire(this.#options.drainMs) ?? Promise.resolve();
    this.#current = reception;
    for (const [role, listener] of before) if (this.#standing.get(role) !== listener) this.#leave(listener);
    // A place may have been held by a listener of our own that has just left.
    if (before.size > 0) await Promise.all(planned.map(({ listener }) => listener.start()));
    return { retired };
  }

  /** The server of a role that is enabled, bound or not: a request can be handed to it in process. */
  server(role: ListenerRole): Server | undefined {
    return this.#standing.get(role)?.server;
  }

  /** What really is bound, with the host as configured; null while it is not. */
  address(role: ListenerRole): Place | null {
    return this.#standing.get(role)?.address ?? null;
  }

  /** Stops accepting, ends streams, lets requests under way end for up to five seconds, then cuts them off. */
  async stop(): Promise<void> {
    this.#current?.endStreams();
    await Promise.all([...[...this.#standing.values()].map((listener) => listener.stop()), ...this.#leaving]);
  }

  /** The listener of each enabled role with its application, made before anything is bound or let go. */
  #plan(reception: Reception): readonly Planned[] {
    const { desk, readers } = reception;
    return ROLES.filter((role) => desk.config.listen[role].enabled).map((role) => {
      const { host, port } = desk.config.listen[role];
      const place = { host, port };
      const standing = this.#standing.get(role);
      const listener = standing?.isAt(place) ? standing : new Listener(role, place, this.#options);
      const answer = reception.answerer(role, () => listener.door);
      const names = role === 'public' ? siteNames(desk.config) : [];
      return { listener, place, tenant: { desk, readers, answer, names } };
    });
  }

  async #startControl(control: Planned | undefined): Promise<void> {
    if (control === undefined) return;
    const refusal = await control.listener.start();
    const moves = this.address('control') !== null;
    const { tenant, place } = control;
    const taken = refusal === 'EADDRINUSE' && this.#heldByTrustedUser(place);
    if (refusal === '' || !(moves || taken)) return;
    await control.listener.stop();
    const own = ROLES.find((role) => this.#standing.get(role)?.isAt(place));
    if (own !== undefined && refusal === 'EADDRINUSE')
      throw new DeskError(
        'refused',
        `the control listener cannot bind ${place.host}:${place.port}: the ${own} listener of this service holds it`,
        `move [listen.${own}] first, reload, and move [listen.control] then`,
      );
    const { what, remedy } = bindProblem(refusal, 'control', place.host, place.port, tenant.desk.latest());
    throw new DeskError('refused', what, remedy);
  }

  /** Whether a socket of root or of this user listens on a place. */
  #heldByTrustedUser({ host, port }: Place): boolean {
    const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
    return addresses.some((text) => {
      const address = addressBytes(text);
      const uids = address === null ? '' : listenerUids(this.#options.sockets, address, port);
      return typeof uids !== 'string' && uids.some((uid) => uid === 0 || uid === this.#reception.serviceUid);
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

/** Authorities a proxy passes on for the site: its names, and that of its address. */
function siteNames({ site }: Config): string[] {
  return [...site.names, ...(site.public_url === '' ? [] : [new URL(site.public_url).host])];
}
