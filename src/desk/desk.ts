/** One desk, as features, HTTP, pages and the command line see it. `service/desk-service.ts` implements it. */

import type { EventEmitter } from 'node:events';
import type { AllowSource } from '../checks/allowed-listeners.ts';
import type { Config } from '../config/schema.ts';
import type { Finding, KnownFinding } from '../findings/finding.ts';
import type { Readiness } from '../records/service.ts';
import type { DeskFacts, DeskState, ListenerRole, ServiceListener } from '../records/state.ts';
import type { Token } from './token.ts';

export interface Freshness {
  /** Accept a current state at most this old; else sweep, or join the running sweep. Default: until it is stale while the loop runs, else 0. */
  readonly maxAgeMs?: number;
}

export interface DeskEvents {
  state: [DeskState];
  finding: [Finding, 'open' | 'closed'];
}

export interface Desk {
  readonly config: Config;
  readonly events: EventEmitter<DeskEvents>;
  /** What a feature offers. @throws DeskError `unavailable` without it. */
  use<Api>(token: Token<Api>): Api;
  /** The same; null without it. */
  find<Api>(token: Token<Api>): Api | null;
  /** The newest finished state, null before the first sweep. */
  latest(): DeskState | null;
  /** Single-flight: concurrent callers share one sweep. */
  state(freshness?: Freshness): Promise<DeskState>;
  finding(id: string): KnownFinding | undefined;
  /** Reported by the service: why a reload kept this configuration, one phrase; "" when it is in order again. */
  configRefused(why: string): void;
  /** Reads the files of the law now; true when the law changed. */
  reloadLaw(): Promise<boolean>;
  /** For a client that follows `events`: states come every period on a quiet machine too, until the result is called. */
  attend(): () => void;
  /** What of law and baseline allows each listener of a state. */
  allowSources(state: DeskState): readonly AllowSource[];
  /** Reported by the HTTP layer. */
  setListener(listener: ServiceListener): void;
  /** One more recheck, and a probe of the site: called once the listeners are bound. */
  settle(): Promise<void>;
  /** Called before its listeners close: that its own ports are down from then on is neither reported nor learned. */
  retire(): void;
  listener(role: ListenerRole): ServiceListener;
  /** False with the reason while a part is down; feeds /readyz. */
  readiness(): Readiness;
  facts(): Pick<DeskFacts, 'urls' | 'service' | 'loop'>;
  /** Figures of the engine in the text format of Prometheus. */
  metrics(): Promise<{ readonly text: string; readonly type: string }>;
  /** Stops loop, timers and workers. The store is closed by its opener. */
  close(): Promise<void>;
}
