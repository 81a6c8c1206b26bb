/** The baseline as the store keeps it: generations, the held one, learning windows. */

import type { Missed } from '../../checks/unread.ts';
import type { ChangedRow } from '../../records/baseline-diff.ts';
import type { BaselineFacts } from '../../records/state.ts';
import type { Database } from '../../store/database.ts';
import { endFirstUse, isFirstUse } from '../../store/first-use.ts';
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
  type RowColumns,
  rowId,
  rowOf,
  valuesOf,
} from './rows.ts';

export interface HeldState {
  readonly baseline: Pick<BaselineFacts, 'generation' | 'learnedAt'> & RowCounts;
  /** What the held generation was learned with; "" for generation 0. */
  readonly privilege: string;
  /** Another text once the held generation is another one, or another process wrote. */
  readonly revision: string;
  /** The first automatic learning is still to come in this folder. */
  readonly firstUse: boolean;
  /** Of what starts by itself that which was not read when it was learned. */
  readonly unrecorded: readonly Missed[];
  readonly window: LearningWindow | null;
  readonly god: number;
}

/** Nothing is known: GOD 0 fails the gate. */
const UNKNOWN: HeldState = {
  baseline: { generation: 0, learnedAt: '', identities: 0, seenAgain: 0, rows: 0, toReview: 0 },
  privilege: '',
  revision: '',
  firstUse: false,
  unrecorded: [],
  window: null,
  god: 0,
};

/** What a run of the gate changes in the baseline. */
export interface Taught {
  /** Rows of the held generation that the observation shows again. */
  readonly seen: readonly Pick<BaselineRow, 'kind' | 'key'>[];
  readonly generation: NewGeneration | null;
  /** Why the open learning window ends with this run; null when it does not. */
  readonly closesWindow: string | null;
  /** What `HeldState.unrecorded` is from now on; absent: as before. */
  readonly unrecorded?: readonly Missed[] | undefined;
}

interface Compared {
  readonly added: readonly HeldRow[];
  readonly gone: readonly HeldRow[];
  readonly changed: readonly ChangedRow[];
}

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

  constructor(access: Access) {
    const { db, folder } = access.store;
    this.access = access;
    this.#generations = new Generations(db, folder);
  }

  state(): HeldState {
    const state = this.access.read('standing', () => this.#kept(), UNKNOWN, '');
    return this.access.gone ? { ...state, god: 0 } : state;
  }

  generations(): readonly Generation[] {
    return this.access.read('generations', () => this.#generations.list(), [], '');
  }

  /** Rows of a generation, by kind, then by key; none for one whose rows were deleted. */
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

  /** Rows of a generation that another lacks, and programs whose content differs. */
  compare(from: number, to: number): Compared {
    const before = new Map(this.rows(from).map((row) => [rowId(row), row]));
    const after = new Map(this.rows(to).map((row) => [rowId(row), row]));
    return {
      added: [...after].filter(([id]) => !before.has(id)).map(([, row]) => row),
      gone: [...before].filter(([id]) => !after.has(id)).map(([, row]) => row),
      changed: changedBetween(before, after.values()),
    };
  }

  /** The rows of the held generation to be reviewed by a person. */
  toReview(): {
    readonly generation: number;
    readonly rows: readonly (HeldRow & Pick<Detail, 'contents'>)[];
  } {
    const { generation } = this.state().baseline;
    const rows = this.rows(generation).filter(({ review, reviewed }) => review && !reviewed);
    return { generation, rows: rows.map((row) => ({ ...row, contents: detailOf(row).contents })) };
  }

  /** Makes a generation without a run of the gate; its number, null when it could not be made. */
  addGeneration(generation: NewGeneration): number | null {
    return this.#change('addGeneration', () => this.#learn(generation), null);
  }

  /** A person has reviewed what is marked for review in the held generation. False when it could not be marked. */
  markReviewed(): boolean {
    const { generation } = this.state().baseline;
    return this.#change(
      'markReviewed',
      done(() => this.#generations.markReviewed(generation)),
      false,
    );
  }

  /** Opens a learning window; while one is open, its end is moved. */
  openWindow(openedMs: number, untilMs: number): boolean {
    return this.#change(
      'openWindow',
      done(() => {
        const { db } = this.access.store;
        const sql = "INSERT INTO learning_windows (opened_ms, until_ms, outcome) VALUES (?, ?, '')";
        if (this.#window() === null) db.run(sql, openedMs, untilMs);
        else db.run('UPDATE learning_windows SET until_ms = ? WHERE closed_at IS NULL', untilMs);
      }),
      false,
    );
  }

  /** What the open window has gathered. */
  windowRows(): readonly BaselineRow[] {
    const { db } = this.access.store;
    const read = () => db.all<RowColumns>('SELECT * FROM window_rows ORDER BY kind, key').map(rowOf);
    return this.access.read<readonly BaselineRow[]>('windowRows', read, []);
  }

  /** Adds to it; rows that were spoilt are left out. */
  keepWindowRows(rows: readonly BaselineRow[]): boolean {
    const { db } = this.access.store;
    return this.#gather('keepWindowRows', () => {
      for (const row of rows)
        db.run(
          `INSERT OR REPLACE INTO window_rows SELECT ?1, ?2, ?3, ?4, ?5
             WHERE NOT EXISTS (SELECT 1 FROM window_spoilt WHERE kind = ?1 AND key = ?2)`,
          ...valuesOf(row),
        );
    });
  }

  /** Identities and listeners that the open window has no more, and will not have. */
  spoilWindowRows(rows: readonly Pick<BaselineRow, 'kind' | 'key'>[]): boolean {
    const { db } = this.access.store;
    return this.#gather('spoilWindowRows', () => {
      for (const { kind, key } of rows) {
        db.run('INSERT OR IGNORE INTO window_spoilt VALUES (?, ?)', kind, key);
        db.run('DELETE FROM window_rows WHERE kind = ? AND key = ?', kind, key);
      }
    });
  }

  /** Within the transaction of a run: the number of its new generation, null without one. Throws when it would learn its own residue. */
  teach(
    { seen, generation, closesWindow, unrecorded }: Taught,
    residue: readonly ResidueRow[],
    at: string,
  ): number | null {
    const held = this.#kept().baseline.generation;
    this.access.store.forget(KEPT);
    this.#generations.markSeen(held, seen);
    const number = generation === null ? null : this.#learn(generation);
    if (number !== null && residue.some((row) => this.#generations.has(number, row)))
      throw new Error('residue of this run was to be learned');
    const { db } = this.access.store;
    if (unrecorded !== undefined) {
      db.run('DELETE FROM startup_missed');
      for (const { place, path } of unrecorded)
        db.run('INSERT OR IGNORE INTO startup_missed VALUES (?, ?)', place, path);
    }
    if (closesWindow !== null) {
      const sql = 'UPDATE learning_windows SET closed_at = ?, outcome = ? WHERE closed_at IS NULL';
      db.run(sql, at, closesWindow);
      db.run('DELETE FROM window_rows');
      db.run('DELETE FROM window_spoilt');
    }
    return number;
  }

  #window(): LearningWindow | null {
    const sql =
      'SELECT number, opened_ms AS openedMs, until_ms AS untilMs FROM learning_windows WHERE closed_at IS NULL';
    return this.access.store.db.all<LearningWindow>(sql)[0] ?? null;
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

  #kept(): HeldState {
    return this.access.store.kept(KEPT, () => this.#read());
  }

  #read(): HeldState {
    const { store } = this.access;
    const generations = this.#generations.list();
    const held = generations.find(({ authoritative }) => authoritative) ?? generations.at(-1);
    if (held === undefined) throw new Error('the store has no generation at all');
    // The first learning ends the first use, also when the process was killed between the two.
    if (generations.length > 1 && isFirstUse(store.folder)) endFirstUse(store.folder);
    return {
      baseline: {
        generation: held.number,
        learnedAt: held.learnedAt,
        ...this.#generations.counts(held.number),
      },
      privilege: held.privilege,
      revision: `${store.version} ${held.number}`,
      firstUse: store.recovered === null && generations.length === 1 && isFirstUse(store.folder),
      unrecorded: store.db.all<Missed>('SELECT place, path FROM startup_missed'),
      window: this.#window(),
      god: generations.filter(({ authoritative }) => authoritative).length,
    };
  }
}
