/** The features of the list at work, for one desk and for as long as the process runs. */
import type { Logger } from 'pino';
import { DeskError } from '../base/desk-error.ts';
import type { Config } from '../config/schema.ts';
import type { Feature, FeatureHost, Resident, ResidentHost, Running } from '../desk/feature.ts';
import { TABLES } from '../desk/query.ts';
import type { Token } from '../desk/token.ts';
import * as listed from '../features/index.ts';
import { QUERY_TABLES } from '../features/table.ts';
import type { Rechecked } from '../findings/recheck.ts';
import { type DeskFacts, type DeskState, type FeatureFacts, NO_FACTS } from '../records/state.ts';

export const FEATURES: readonly Feature[] = Object.values(listed).flatMap((one) =>
  'FEATURE' in one ? [one.FEATURE] : [],
);

/** What features keep across reloads, by their ids. */
export type ResidentParts = ReadonlyMap<string, unknown>;

/** What features keep while configurations come and go. */
export class Residents {
  readonly #all: ReadonlyMap<string, Resident<unknown>>;

  private constructor(all: ReadonlyMap<string, Resident<unknown>>) {
    this.#all = all;
  }

  static async open(host: ResidentHost): Promise<Residents> {
    const all = new Map<string, Resident<unknown>>();
    const residents = new Residents(all);
    try {
      for (const { id, resident } of FEATURES) if (resident) all.set(id, await resident(host));
    } catch (error) {
      await residents.close();
      throw error;
    }
    return residents;
  }

  partsFor(config: Config): ResidentParts {
    return new Map([...this.#all].map(([id, one]) => [id, one.partFor(config)]));
  }

  async take(): Promise<void> {
    for (const one of this.#all.values()) await one.take();
  }

  reread(): void {
    for (const one of this.#all.values()) one.reread?.();
  }

  async close(): Promise<void> {
    for (const one of this.#all.values()) await one.close();
  }
}

export class Features {
  readonly #apis = new Map<string, unknown>([[TABLES.id, QUERY_TABLES]]);
  readonly #log: Pick<Logger, 'error'>;
  #stopped = false;
  readonly #running: { readonly id: string; readonly one: Running }[] = [];

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log;
  }

  readonly provide = <Api>({ id }: Token<Api>, api: Api): void => void this.#apis.set(id, api);

  readonly find = <Api>({ id }: Token<Api>): Api | null => (this.#apis.get(id) as Api | undefined) ?? null;

  readonly use = <Api>(token: Token<Api>): Api => {
    const api = this.find(token);
    if (api === null)
      throw new DeskError(
        'unavailable',
        `This desk was built without "${token.id}"`,
        'Install a build that has it.',
      );
    return api;
  };

  async make(host: FeatureHost, parts: ResidentParts): Promise<void> {
    for (const { id, make } of FEATURES) this.#running.push({ id, one: await make(host, parts.get(id)) });
  }

  async start(): Promise<void> {
    await Promise.all(this.#running.map(({ one }) => one.start?.()));
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running.map(({ one }) => one.settle?.()));
  }

  /** Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all(this.#running.map(({ id, one }) => this.#tried(id, () => one.refresh?.())));
  }

  observe(state: DeskState): void {
    if (this.#stopped) return;
    for (const { id, one } of this.#running) {
      try {
        one.observe?.(state);
      } catch (error) {
        this.#failed(id, error);
      }
    }
  }

  facts(rechecked: Rechecked, urls: DeskFacts['urls']): FeatureFacts {
    const none = { ...NO_FACTS, site: { ...NO_FACTS.site, url: urls.public } };
    return Object.assign({}, none, ...this.#running.map(({ one }) => one.facts?.(rechecked)));
  }

  /** Why a feature does not work as it should, by its id; "" when it does. */
  troubles(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#running.flatMap(({ id, one }) => (one.trouble ? [[id, one.trouble()]] : [])),
    );
  }

  /** In reverse order; nothing is observed any more. Never rejects. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { id, one } of this.#running.toReversed()) await this.#tried(id, () => one.stop?.());
  }

  async #tried(feature: string, work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failed(feature, error);
    }
  }

  #failed(feature: string, err: unknown): void {
    this.#log.error({ err, feature }, 'a feature failed');
  }
}
