/** Learning over a real store and a synthetic machine. */
import pino from 'pino';
import { DeskError } from '../../src/base/desk-error.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { ContentSource } from '../../src/features/baseline/contents.ts';
import { Learning } from '../../src/features/baseline/learning.ts';
import { type CookOff, suggestion } from '../../src/findings/pipeline.ts';
import type { Law } from '../../src/policy/law.ts';
import type { DeskState } from '../../src/records/state.ts';
import { GuardedStore } from '../../src/store/guarded.ts';
import type { Store } from '../../src/store/store.ts';
import { allTables, openTables, type Tables } from './baseline.ts';
import { law, stateOfDesk, type WorldState } from './world.ts';

const silent = pino({ level: 'silent' });

export const MINUTE_MS = 60_000;

/** Every scar is left to a person. */
export const leftToYou: CookOff = {
  subjects: ({ judgement }) => judgement.scars,
  apply: async (finding, mode) => suggestion(finding, mode),
};

interface LearnerOptions {
  readonly command?: boolean;
  /** Wraps the store. */
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
  /** The contents of programs, for a version that records them; null: only paths are learned. */
  contents: ContentSource | null = null;
  /** Ids of findings that the law explains. */
  lawful: ReadonlySet<string> = new Set();
  /** A command: it learns only on request. */
  readonly command: boolean;
  /** The tables over the store itself. */
  store: Tables;
  guarded!: GuardedStore;
  /** The tables as learning has them. */
  tables!: Tables;
  learning: Learning;
  latest: DeskState | null = null;
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

  /** As a recheck: a new state, reported to learning. */
  async look(): Promise<DeskState> {
    this.#looks++;
    const state = stateOfDesk(
      this.world,
      { generation: this.#looks, epochMs: this.nowMs },
      (snapshot) => this.learning.held(snapshot).known,
      this.store.baseline.state(),
      this.lawful,
    );
    this.latest = state;
    this.learning.observed(state);
    return state;
  }

  /** A scheduler turn: a recheck, and the work that is due after it. */
  async turn(): Promise<void> {
    await this.learning.whenDue(await this.look());
  }

  restart(): void {
    this.store.access.store.close();
    this.store = openTables(this.folder);
    this.renew();
  }

  /** Learning drops its memory. */
  renew(): void {
    this.learning = this.#learning();
  }

  close(): void {
    this.store.access.store.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Texts of the held rows, sorted. */
  held(): string[] {
    return this.store.baseline
      .rows(this.store.baseline.state().baseline.generation)
      .map(({ kind, text }) => `${kind} ${text}`)
      .sort();
  }

  #learning(): Learning {
    this.guarded = new GuardedStore(this.dress(this.store.access.store), silent);
    this.tables = allTables(this.guarded);
    return new Learning({
      ...this.tables,
      native: loadNative().addon,
      law: () => this.law,
      log: silent,
      sweep: () => this.look(),
      defaultCookOff: leftToYou,
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

/** For `dress`: writes for which `full` holds fail as on a full disk. */
export const fullWhile =
  (full: (operation: string) => boolean) =>
  (store: Store): Store =>
    overStore(store, {
      write: (operation, work) => {
        if (full(operation)) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
        return store.write(operation, work);
      },
    });

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
