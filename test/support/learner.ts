/** Learning over a real store and a world of words. */
import pino from 'pino';
import { DeskError } from '../../src/base/desk-error.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { ContentSource } from '../../src/features/baseline/contents.ts';
import { Learning } from '../../src/features/baseline/learning.ts';
import { type CookOff, suggestion } from '../../src/findings/pipeline.ts';
import type { Law } from '../../src/policy/law.ts';
import type { Moment } from '../../src/records/moment.ts';
import { tablesOf } from '../../src/service/tables.ts';
import { GuardedStore } from '../../src/store/guarded.ts';
import type { Store } from '../../src/store/store.ts';
import { openTables, type Tables } from './baseline.ts';
import { law, momentOf, type WorldState } from './world.ts';

const silent = pino({ level: 'silent' });

export const MINUTE_MS = 60_000;

/** Every scar is left to a person. */
export const leftToYou: CookOff = {
  subjects: ({ judgement }) => judgement.scars,
  apply: async (finding, mode) => suggestion(finding, mode),
};

interface LearnerOptions {
  readonly command?: boolean;
  /** Puts something between the store and those who use it. */
  readonly dress?: (store: Store) => Store;
  /** Default: the learner's `nowMs`. */
  readonly monotonicMs?: (() => number) | undefined;
  readonly clockMs?: (() => number) | undefined;
}

export class Learner {
  readonly folder: string;
  readonly dress: (store: Store) => Store;
  world: WorldState = { programs: [0, 1], listeners: [0], planted: [] };
  law: Law = law;
  nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  complete = true;
  /** What programs are, for a version that records it; null: paths alone are learned. */
  contents: ContentSource | null = null;
  /** Ids of findings that the law explains. */
  lawful: ReadonlySet<string> = new Set();
  /** A command: nothing is learned unasked. */
  readonly command: boolean;
  /** The tables over the store itself. */
  store: Tables;
  guarded!: GuardedStore;
  /** The tables as learning has them. */
  tables!: Tables;
  learning: Learning;
  latest: Moment | null = null;
  #looks = 0;
  readonly #clockMs: LearnerOptions['clockMs'];
  readonly #monotonicMs: LearnerOptions['monotonicMs'];

  constructor(
    folder: string,
    { command = false, dress = (store) => store, clockMs, monotonicMs }: LearnerOptions = {},
  ) {
    this.#clockMs = clockMs;
    this.#monotonicMs = monotonicMs;
    this.folder = folder;
    this.dress = dress;
    this.command = command;
    this.store = openTables(folder);
    this.learning = this.#learning();
  }

  /** As a recheck does: a new moment, told to learning. */
  async look(): Promise<Moment> {
    this.#looks++;
    const moment = momentOf(
      this.world,
      { generation: this.#looks, epochMs: this.nowMs },
      (snapshot) => this.learning.held(snapshot).known,
      this.store.baseline.standing(),
      this.lawful,
    );
    this.latest = moment;
    this.learning.observed(moment);
    return moment;
  }

  /** A turn of the loop: a recheck, and what is due behind it. */
  async turn(): Promise<void> {
    await this.learning.whenDue(await this.look());
  }

  restart(): void {
    this.store.access.store.close();
    this.store = openTables(this.folder);
    this.renew();
  }

  /** Learning forgets what it has in memory. */
  renew(): void {
    this.learning = this.#learning();
  }

  close(): void {
    this.store.access.store.close();
  }

  /** Texts of the held rows, sorted. */
  held(): string[] {
    return this.store.baseline
      .rows(this.store.baseline.standing().baseline.generation)
      .map(({ kind, text }) => `${kind} ${text}`)
      .sort();
  }

  #learning(): Learning {
    this.guarded = new GuardedStore(this.dress(this.store.access.store), silent);
    this.tables = tablesOf(this.guarded);
    return new Learning({
      ...this.tables,
      native: loadNative().addon,
      law: () => this.law,
      log: silent,
      look: () => this.look(),
      standingBy: leftToYou,
      complete: this.command ? null : () => this.complete,
      ...(this.contents && { contents: this.contents }),
      nowMs: () => this.nowMs,
      monotonicMs: this.#monotonicMs,
      ...(this.#clockMs && { clockMs: this.#clockMs }),
    });
  }
}

/** The same store with some of its operations replaced. */
export function overStore(store: Store, replaced: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const own = Reflect.get(replaced, name) as unknown;
      const value = own ?? (Reflect.get(target, name, target) as unknown);
      return typeof value === 'function' && own === undefined ? value.bind(target) : value;
    },
  });
}

/** The refusal that some work ends with; throws when it does not. */
export async function refusalOf(work: () => Promise<unknown>): Promise<DeskError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DeskError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
