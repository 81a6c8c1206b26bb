/**
 * All applications over one desk. A reload makes another one while the listeners stay. It knows the requests it still has to
 * answer, so that its desk is closed after the last of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ageMsOf, type ServiceContext } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { REMOTE } from '../desk/remote.ts';
import { OPERATIONS } from '../features/table.ts';
import { remoteFindingOf, type ShownId, widget } from '../records/remote.ts';
import type { DeskState, ListenerRole } from '../records/state.ts';
import { createApp } from './app.ts';
import { ConsultTurns } from './consult-turns.ts';
import { deskService } from './desk-service.ts';
import type { Binding } from './guard.ts';
import { LiveHub, type LiveLimits, LiveViews } from './live.ts';
import { type Peers, Readers } from './peer.ts';
import { ProcessReads } from './process-reads.ts';
import { createPublicApp } from './public-app.ts';
import type { RateLimiter } from './rate.ts';
import { createRemoteApp } from './remote-app.ts';
import { RemoteGuard } from './remote-guard.ts';
import type { Tokens } from './tokens.ts';
import type { WrongTokens } from './wrong-tokens.ts';

export type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** What stays over a reload: sessions of open pages, known peers, rates of recent requests. */
export interface BackendOptions {
  readonly tokens: Tokens;
  readonly peers: Peers;
  readonly posts: RateLimiter;
  readonly log: Logger;
  readonly serviceUid: number;
  readonly isHelper: (uid: number) => boolean;
  readonly live: LiveLimits;
  readonly wrong: { readonly remote: WrongTokens; readonly session: WrongTokens };
}

/** Event streams of other machines. */
const REMOTE_STREAMS = { streams: 24, perCaller: 8 } as const;

export class Backend {
  readonly desk: Desk;
  readonly readers: Readers;
  readonly #options: BackendOptions;
  readonly #views = new LiveViews();
  readonly #see = (state: DeskState): void => this.#views.see(state);
  readonly #hub: LiveHub;
  /** Null while the remote listener is off. */
  readonly remote: RemoteGuard | null;
  readonly #remoteHub: LiveHub | null;
  readonly #shownId: ShownId;
  readonly #consults = new ConsultTurns();
  readonly #context: ServiceContext;
  readonly #underWay = new Set<ServerResponse>();
  #whenIdle: () => void = () => undefined;
  /** One function for the end of every response, which is what `this` is in it. */
  readonly #left: (this: ServerResponse) => void;

  constructor(desk: Desk, options: BackendOptions) {
    const { serviceUid, isHelper, live } = options;
    this.desk = desk;
    this.readers = new Readers(serviceUid, desk.config.access.group, undefined, undefined, isHelper);
    this.#options = options;
    const backend = this;
    this.#left = function () {
      backend.#underWay.delete(this);
      if (backend.#underWay.size === 0) backend.#whenIdle();
    };
    const latest = desk.latest();
    if (latest !== null) this.#see(latest);
    desk.events.on('state', this.#see);
    this.#hub = new LiveHub(desk, (state) => this.#views.of(state), live);
    const { remote } = desk.config.listen;
    const access = desk.find(REMOTE);
    // In a build without the feature nothing is served there.
    this.#shownId = (id) => access?.shownId(id) ?? '';
    this.remote = remote.enabled
      ? new RemoteGuard({ remote, access, wrong: options.wrong.remote, log: options.log })
      : null;
    this.#remoteHub = remote.enabled
      ? new LiveHub(
          desk,
          (state) => widget.assemble({ state, ageMs: ageMsOf(state) }),
          { ...live, ...REMOTE_STREAMS },
          (finding) => remoteFindingOf(finding, this.#shownId),
        )
      : null;
    const parts = { desk, hub: this.#hub, views: this.#views, consults: this.#consults };
    const own = { processes: new ProcessReads(), wrong: options.wrong.session };
    this.#context = { desk, service: deskService({ ...parts, ...options, ...own }) };
  }

  /** The application of a role; `binding` is that of its listener. */
  answerer(role: ListenerRole, binding: () => Binding): Answer {
    const { desk, readers } = this;
    const options = { ...this.#options, config: desk.config, readers, binding };
    const app =
      role === 'public'
        ? createPublicApp(desk, options)
        : role === 'remote'
          ? this.#remoteApp(options)
          : createApp({ ...options, operations: OPERATIONS, context: this.#context });
    const answer = app.callback();
    const left = this.#left;
    return (req, res) => {
      this.#underWay.add(res);
      res.on('close', left);
      void answer(req, res);
    };
  }

  #remoteApp(options: Parameters<typeof createPublicApp>[1]): ReturnType<typeof createRemoteApp> {
    const { remote: guard } = this;
    const hub = this.#remoteHub;
    if (guard === null || hub === null) throw new TypeError('the remote listener is off');
    return createRemoteApp(this.desk, hub, this.#shownId, { ...options, remote: guard });
  }

  /** Ends the event streams, whose clients connect again, and the answers of assistants; no new one is taken. */
  endStreams(): void {
    this.desk.events.off('state', this.#see);
    this.#hub.close();
    this.#remoteHub?.close();
    this.#consults.close();
  }

  /** Ends the streams and resolves when every request under way is answered; after `withinMs` the rest is cut off. */
  async retire(withinMs: number): Promise<void> {
    this.endStreams();
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => {
        for (const response of this.#underWay) response.destroy();
        resolve();
      }, withinMs);
      this.#whenIdle = () => {
        clearTimeout(cut);
        resolve();
      };
    });
  }
}
