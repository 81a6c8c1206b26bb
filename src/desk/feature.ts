/** What a feature is made of. The service makes those of `features/index.ts`, starts them together, and stops them in reverse. */
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import type { Allowlist } from '../egress/allowlist.ts';
import type { EgressGuard } from '../egress/guard.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import type { Rechecked } from '../findings/recheck.ts';
import type { DeskFacts, DeskState, FeatureFacts } from '../records/state.ts';
import type { Migration } from '../store/migrations.ts';
import type { Access } from '../store/store.ts';
import type { Command } from './command.ts';
import type { Desk } from './desk.ts';
import type { Token } from './token.ts';

/** The desk that a feature is part of. */
export interface FeatureHost
  extends Pick<
    Desk,
    'config' | 'latest' | 'state' | 'facts' | 'use' | 'find' | 'finding' | 'allowSources' | 'listener'
  > {
  /** `local`: inside a command, without listeners and timers. */
  readonly role: 'service' | 'local';
  readonly log: Logger;
  /** Path of the state folder. */
  readonly folder: string;
  readonly store: Access;
  readonly native: NativeAddon;
  /** The only way out, and the list of where it may lead. */
  readonly egress: EgressGuard;
  readonly allow: Allowlist;
  readonly urls: DeskFacts['urls'];
  /** There is a mail password, as of the last scan of the state folder. */
  passwordSet(): boolean;
  /** Status of the embedded public page, 0 = no answer. */
  probeSite(): Promise<number>;
  /** A fact has changed: rechecks everything now. A recheck that fails is reported by the desk. */
  recheck(): void;
  /** The same once events allow it, where they drive the loop. */
  soon(): void;
  /** Runs these checks of tier 3 now. */
  rescan(checks: readonly string[]): Promise<void>;
  /** Offers what other features and operations may use. */
  provide<Api>(token: Token<Api>, api: Api): void;
}

/** A feature at work. */
export interface Running {
  /** Beside the first sweep. */
  start?(): void | Promise<void>;
  /** The listeners are bound. */
  settle?(): Promise<void>;
  /** Every 30 s, and on demand: what changes without an event. */
  refresh?(): Promise<void>;
  /** Called with each state, of a service once its listeners are bound. */
  observe?(state: DeskState): void;
  /** Its part of the facts; called in every recheck, so it reads nothing. Without it records have `NO_FACTS`. */
  facts?(rechecked: Rechecked): Partial<FeatureFacts>;
  /** Why it does not work as it should, for /readyz; "" when it does. */
  trouble?(): string;
  stop?(): void | Promise<void>;
}

/** What of a feature outlives a reload of the configuration. */
export interface Resident<Part> {
  /** For a desk with this configuration, which may never become active. */
  partFor(config: Config): Part;
  /** The desk of the last `partFor` is active. */
  take(): Promise<void>;
  /** The files that are not the configuration are read again: a reload that changes nothing else. */
  reread?(): void;
  close(): Promise<void>;
}

/** What exists before the first desk and after the last one. */
export interface ResidentHost {
  /** Path of the state folder. */
  readonly folder: string;
  readonly log: Logger;
  readonly native: NativeAddon;
}

interface FeatureParts<Part> {
  readonly id: string;
  /** Its tables in the store. */
  readonly migrations?: readonly Migration[];
  /** Its commands that ask several operations, or print as they go, by their names. */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>;
  /** Loads the code of what outlives a reload. */
  readonly resident?: (host: ResidentHost) => Promise<Resident<Part>>;
  /** Loads its code and makes it: a command that asks a service loads none of it. */
  readonly make: (host: FeatureHost, part: Part) => Promise<Running>;
}

export type Feature = FeatureParts<unknown>;

export const feature = <Part = undefined>(parts: FeatureParts<Part>): Feature => parts as Feature;
