/**
 * All applications over one desk: made anew by a reload while the listeners stay. It knows the requests it still has to
 * answer, so that its desk is closed behind the last of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ServiceContext } from '../operations/context.ts';
import type { Desk } from '../operations/desk.ts';
import { OPERATIONS } from '../operations/table.ts';
import type { ListenerRole, Moment } from '../records/moment.ts';
import { createApp } from './app.ts';
import { ConsultTurns } from './consult-turns.ts';
import { deskService } from './desk-service.ts';
import type { Door } from './guard.ts';
import { LiveHub, type LiveLimits, LiveViews } from './live.ts';
import { type Peers, Readers } from './peer.ts';
import { createPublicApp } from './public-app.ts';
import type { RateLimiter } from './rate.ts';
import type { Tokens } from './tokens.ts';

export type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** What stays over a reload: sessions of open pages, what is known of peers, what was asked of late. */
interface Lasting {
  readonly tokens: Tokens;
  readonly peers: Peers;
  readonly posts: RateLimiter;
  readonly log: Logger;
}

export interface ReceptionOptions {
  readonly lasting: Lasting;
  readonly serviceUid: number;
  readonly isHelper: (uid: number) => boolean;
  readonly live: LiveLimits;
}

export class Reception {
  readonly desk: Desk;
  readonly readers: Readers;
  readonly #lasting: Lasting;
  readonly #views = new LiveViews();
  readonly #see = (moment: Moment): void => this.#views.see(moment);
  readonly #hub: LiveHub;
  readonly #consults = new ConsultTurns();
  readonly #context: ServiceContext;
  readonly #underWay = new Set<ServerResponse>();
  #whenIdle: () => void = () => undefined;
  /** One function for the end of every response, which is what `this` is in it. */
  readonly #left: (this: ServerResponse) => void;

  constructor(desk: Desk, { lasting, serviceUid, isHelper, live }: ReceptionOptions) {
    this.desk = desk;
    this.readers = new Readers(serviceUid, desk.config.access.group, undefined, undefined, isHelper);
    this.#lasting = lasting;
    const reception = this;
    this.#left = function () {
      reception.#underWay.delete(this);
      if (reception.#underWay.size === 0) reception.#whenIdle();
    };
    const latest = desk.latest();
    if (latest !== null) this.#see(latest);
    desk.events.on('moment', this.#see);
    this.#hub = new LiveHub(desk, (moment) => this.#views.of(moment), live);
    const parts = { desk, hub: this.#hub, views: this.#views, consults: this.#consults, ...lasting };
    this.#context = { desk, service: deskService(parts) };
  }

  /** The application of a role; `door` is the listener it stands behind. */
  answerer(role: ListenerRole, door: () => Door): Answer {
    const { desk, readers } = this;
    const options = { ...this.#lasting, config: desk.config, readers, door };
    const app =
      role === 'public'
        ? createPublicApp(desk, options)
        : createApp({ ...options, operations: OPERATIONS, context: this.#context });
    const answer = app.callback();
    const left = this.#left;
    return (req, res) => {
      this.#underWay.add(res);
      res.on('close', left);
      void answer(req, res);
    };
  }

  /** Ends the event streams, whose clients come back to whatever answers then, and what assistants are still saying; no new one is taken. */
  endStreams(): void {
    this.desk.events.off('moment', this.#see);
    this.#hub.close();
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
