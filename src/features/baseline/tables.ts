/** The baseline as the store keeps it: generations, the held one, learning windows. */

import type { ChangedRow } from '../../records/baseline-diff.ts';
import type { BaselineFacts } from '../../records/moment.ts';
import type { Database } from '../../store/database.ts';
import { endFirstUse, firstUseStands } from '../../store/first-use.ts';
import type { Access } from '../../store/store.ts';
import type { ResidueRow } from '../gate/index.ts';
import { Generations, type RowCounts } from './generations.ts';
import { changedBetween, type Detail, detailOf } from './identity-detail.ts';
import {
  type BaselineRow,
  type Generation,
  type HeldRow,
  type Integrity,
  type LearningWindow,
  type NewGeneration,
  rowId,
} from './rows.ts';
import { Windows } from './windows.ts';

/** What every recheck asks for. */
export interface Standing {
  readonly baseline: Pick<BaselineFacts, 'generation' | 'learnedAt'> & RowCounts;
  /** What the held generation was learned with; "" for generation 0. */
  readonly privilege: string;
  /** Another text once the held generation is another one, or another process wrote. */
  readonly revision: string;
  /** Learning by itself is still to come in this folder. */
  readonly firstUse: boolean;
  readonly window: LearningWindow | null;
  /** GOD: generations that are held. */
  readonly god: number;
}

/** Nothing is known: GOD 0 fails the gate. */
const UNKNOWN: Standing = {
  baseline: { generation: 0, learnedAt: '', identities: 0, seenAgain: 0, rows: 0, toReview: 0 },
  privilege: '',
  revision: '',
  firstUse: false,
  window: null,
  god: 0,
};

/** What a run of the gate changes in the baseline. */
export interface Taught {
  /** Rows of the held generation that the observation shows again. */
  readonly seen: readonly Pick<BaselineRow, 'kind' | 'key'>[];
  /** What was learned by this run; null when nothing was. */
  readonly generation: NewGeneration | null;
  /** Why the open learning window ends with this run; null when it does not. */
  readonly closesWindow: string | null;
}

interface Compared {
  readonly added: readonly HeldRow[];
  readonly gone: readonly HeldRow[];
  readonly changed: readonly ChangedRow[];
}

/** Something was learned once. */
export const holdsLearned = (database: Database): boolean =>
  database.number('SELECT max(number) FROM generations') > 0;

const KEPT = 'baseline';

const done = (work: () => void) => (): boolean => {
  work();
  return true;
};

export class BaselineTables {
  readonly access: Access;
  readonly #generations: Generations;
  readonly #windows: Windows;

  constructor(access: Access) {
    const { db, folder } = access.store;
    this.access = access;
    this.#generations = new Generations(db, folder);
    this.#windows = new Windows(db);
  }

  standing(): Standing {
    const standing = this.access.read('standing', () => this.#kept(), UNKNOWN, '');
    return this.access.gone ? { ...standing, god: 0 } : standing;
  }

  generations(): readonly Generation[] {
    return this.access.read('generations', () => this.#generations.list(), [], '');
  }

  /** Rows of a generation, by kind, then by key; none for one whose rows were let go. */
  rows(generation: number): readonly HeldRow[] {
    return this.access.read('rows', () => this.#generations.rows(generation), []);
  }

  /** Whether a generation is the one that was learned; null when it could not be read, here and below. */
  verify(generation: number): Integrity | null {
    return this.access.read('verify', () => this.#generations.verify(generation), null);
  }

  /** The same for the held one, which must be the newest. */
  verifyHeld(): Integrity | null {
    return this.access.read('verifyHeld', () => this.#generations.verifyHeld(), null);
  }

  /** Rows of a generation that another has not, and programs whose content differs. */
  compare(from: number, to: number): Compared {
    const before = new Map(this.rows(from).map((row) => [rowId(row), row]));
    const after = new Map(this.rows(to).map((row) => [rowId(row), row]));
    return {
      added: [...after].filter(([id]) => !before.has(id)).map(([, row]) => row),
      gone: [...before].filter(([id]) => !after.has(id)).map(([, row]) => row),
      changed: changedBetween(before, after.values()),
    };
  }

  /** The rows of the held generation that a person should look at, and has not. */
  toReview(): {
    readonly generation: number;
    readonly rows: readonly (HeldRow & Pick<Detail, 'contents'>)[];
  } {
    const { generation } = this.standing().baseline;
    const rows = this.rows(generation).filter(({ review, reviewed }) => review && !reviewed);
    return { generation, rows: rows.map((row) => ({ ...row, contents: detailOf(row).contents })) };
  }

  /** Makes a generation without a run of the gate; its number, null when it could not be made. */
  addGeneration(generation: NewGeneration): number | null {
    return this.#change('addGeneration', () => this.#learn(generation), null);
  }

  /** A person has looked through what is marked for review in the held generation. False when it could not be marked. */
  markReviewed(): boolean {
    const { generation } = this.standing().baseline;
    return this.#change(
      'markReviewed',
      done(() => this.#generations.markReviewed(generation)),
      false,
    );
  }

  /** Opens a learning window, or moves the end of the open one. */
  openWindow(openedMs: number, untilMs: number): boolean {
    return this.#change(
      'openWindow',
      done(() => this.#windows.open(openedMs, untilMs)),
      false,
    );
  }

  /** What the open window has gathered. */
  windowRows(): readonly BaselineRow[] {
    return this.access.read('windowRows', () => this.#windows.rows(), []);
  }

  keepWindowRows(rows: readonly BaselineRow[]): boolean {
    return this.#gather('keepWindowRows', () => this.#windows.keep(rows));
  }

  /** Identities and listeners that the open window has no more, and will not have. */
  spoilWindowRows(rows: readonly Pick<BaselineRow, 'kind' | 'key'>[]): boolean {
    return this.#gather('spoilWindowRows', () => this.#windows.spoil(rows));
  }

  /**
   * Within the transaction of a run of the gate. The number of the generation that it made, null without one. Throws when a row of
   * the run's own residue is to be learned.
   */
  teach(
    { seen, generation, closesWindow }: Taught,
    residue: readonly ResidueRow[],
    at: string,
  ): number | null {
    const held = this.#kept().baseline.generation;
    this.access.store.forget(KEPT);
    this.#generations.markSeen(held, seen);
    const number = generation === null ? null : this.#learn(generation);
    if (number !== null && residue.some((row) => this.#generations.has(number, row)))
      throw new Error('residue of this run was to be learned');
    if (closesWindow !== null) this.#windows.close(at, closesWindow);
    return number;
  }

  #learn(generation: NewGeneration): number {
    const { store } = this.access;
    store.mustLast();
    const number = this.#generations.add(generation);
    this.#generations.carryReviewed(generation.parent, number);
    if (generation.how !== 'restored') store.forgetLoss();
    return number;
  }

  #change<T>(operation: string, work: () => T, otherwise: T): T {
    const { store } = this.access;
    const changed = (): T => {
      store.mustLast();
      store.forget(KEPT);
      return work();
    };
    return this.access.write(operation, changed, otherwise);
  }

  /** True where what is seen stays out of the store. */
  #gather(operation: string, work: () => void): boolean {
    return !this.access.records || this.access.write(operation, done(work), false);
  }

  #kept(): Standing {
    return this.access.store.kept(KEPT, () => this.#read());
  }

  #read(): Standing {
    const { store } = this.access;
    const generations = this.#generations.list();
    const held = generations.find(({ authoritative }) => authoritative) ?? generations.at(-1);
    if (held === undefined) throw new Error('the store has no generation at all');
    // The first learning ends the first use, also when the process was killed between the two.
    if (generations.length > 1 && firstUseStands(store.folder)) endFirstUse(store.folder);
    return {
      baseline: {
        generation: held.number,
        learnedAt: held.learnedAt,
        ...this.#generations.counts(held.number),
      },
      privilege: held.privilege,
      revision: `${store.version} ${held.number}`,
      firstUse: store.recovered === null && generations.length === 1 && firstUseStands(store.folder),
      window: this.#windows.current(),
      god: generations.filter(({ authoritative }) => authoritative).length,
    };
  }
}
