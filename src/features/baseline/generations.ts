/** The generations of the baseline: kept, sealed, verified. What writes is called within a transaction of the store. */
import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import {
  type BaselineRow,
  type Generation,
  type HeldRow,
  type Integrity,
  type NewGeneration,
  type RowColumns,
  rowOf,
  valuesOf,
} from './rows.ts';
import { keepKey, readKey, sealOf } from './seal.ts';

/** Rows of older generations are deleted, so that learning does not fill the disk. */
const keptGenerations = 100;

/** Booleans are 0 or 1. */
type GenerationColumns = Omit<Generation, 'authoritative' | 'kept'> &
  Record<'authoritative' | 'kept', number>;

interface HeldColumns extends RowColumns {
  readonly seen: number;
  readonly reviewed: number;
}

export interface RowCounts {
  readonly identities: number;
  readonly seenAgain: number;
  readonly rows: number;
  /** Marked for review, and not reviewed yet. */
  readonly toReview: number;
}

const tampered = (detail: string): Integrity => ({ state: 'tampered', detail });
const sound: Integrity = { state: 'sound', detail: '' };

export class Generations {
  readonly #db: Database;
  readonly #folder: string;

  constructor(database: Database, folder: string) {
    this.#db = database;
    this.#folder = folder;
  }

  list(): readonly Generation[] {
    return this.#db
      .all<GenerationColumns>(
        `SELECT number, authoritative, privilege, learned_at AS learnedAt, how, parent, digest, kept
         FROM generations ORDER BY number`,
      )
      .map((one) => ({ ...one, authoritative: one.authoritative === 1, kept: one.kept === 1 }));
  }

  rows(generation: number): readonly HeldRow[] {
    return this.#db
      .all<HeldColumns>('SELECT * FROM generation_rows WHERE generation = ? ORDER BY kind, key', generation)
      .map((columns) => ({ ...rowOf(columns), seen: columns.seen === 1, reviewed: columns.reviewed === 1 }));
  }

  counts(generation: number): RowCounts {
    const [counts] = this.#db.all<RowCounts>(
      `SELECT count(*) AS rows, coalesce(sum(kind = 'identity'), 0) AS identities,
         coalesce(sum(kind = 'identity' AND seen = 1), 0) AS seenAgain,
         coalesce(sum(review = 1 AND reviewed = 0), 0) AS toReview
       FROM generation_rows WHERE generation = ?`,
      generation,
    );
    const { rows, identities, seenAgain, toReview } = counts as RowCounts;
    return { rows, identities, seenAgain, toReview };
  }

  /** Makes a generation and holds it; its number. Throws when the key cannot be kept. */
  add({ how, privilege, learnedAt, parent, rows }: NewGeneration): number {
    const all = this.list();
    const from = all.find(({ number }) => number === parent);
    if (from === undefined) throw new Error(`the parent generation ${parent} does not exist`);
    const number = Math.max(...all.map((one) => one.number)) + 1;
    const taken = [...rows];
    const sealed = { number, parent, privilege, learnedAt, how };
    const digest = sealOf(keepKey(this.#folder), from.digest, sealed, taken);
    this.#db.run('UPDATE generations SET authoritative = 0 WHERE authoritative = 1');
    this.#db.run(
      `INSERT INTO generations (number, authoritative, privilege, learned_at, how, parent, digest)
       VALUES (?, 1, ?, ?, ?, ?, ?)`,
      number,
      privilege,
      learnedAt,
      how,
      parent,
      digest,
    );
    for (const row of taken)
      this.#db.run('INSERT INTO generation_rows VALUES (?, ?, ?, ?, ?, ?, 0, 0)', number, ...valuesOf(row));
    this.#deleteRows(number - keptGenerations);
    return number;
  }

  /** Whether a generation's digest is the one its rows give, and its parent the one it was chained to. */
  verify(number: number): Integrity {
    const all = this.list();
    const one = all.find((generation) => generation.number === number);
    if (one === undefined) return tampered(`generation ${number} is gone`);
    const rows = this.rows(number);
    if (number === 0)
      return rows.length === 0 && one.digest === '' ? sound : tampered('the empty generation 0 has rows');
    if (!one.kept) return tampered(`the rows of generation ${number} were deleted: it is too old`);
    const parent = all.find((generation) => generation.number === one.parent);
    if (parent === undefined) return tampered(`generation ${one.parent}, which it came from, is gone`);
    const key = readKey(this.#folder);
    if (key === null)
      return { state: 'key-lost', detail: 'the file baseline.key is gone, damaged or open to others' };
    const digest = Buffer.from(sealOf(key, parent.digest, one, rows));
    const held = Buffer.from(one.digest);
    return digest.length === held.length && timingSafeEqual(digest, held)
      ? sound
      : tampered(`the digest of generation ${number} does not verify`);
  }

  /** The same for the held generation, which must be the newest. */
  verifyHeld(): Integrity {
    const all = this.list();
    const held = all.find(({ authoritative }) => authoritative);
    if (held === undefined) return tampered('no generation is held');
    if (held.number !== Math.max(...all.map(({ number }) => number)))
      return tampered(`generation ${held.number} is held, and it is not the newest`);
    return this.verify(held.number);
  }

  has(generation: number, { kind, key }: Pick<BaselineRow, 'kind' | 'key'>): boolean {
    const sql = 'SELECT 1 FROM generation_rows WHERE generation = ? AND kind = ? AND key = ?';
    return this.#db.first(sql, generation, kind, key) !== undefined;
  }

  markSeen(generation: number, rows: readonly Pick<BaselineRow, 'kind' | 'key'>[]): void {
    const sql = 'UPDATE generation_rows SET seen = 1 WHERE generation = ? AND kind = ? AND key = ?';
    for (const { kind, key } of rows) this.#db.run(sql, generation, kind, key);
  }

  markReviewed(generation: number): void {
    this.#db.run('UPDATE generation_rows SET reviewed = 1 WHERE generation = ? AND review = 1', generation);
  }

  /** A reviewed row needs no second review in the next generation. */
  carryReviewed(from: number, to: number): void {
    this.#db.run(
      `UPDATE generation_rows SET reviewed = 1 WHERE generation = ?1 AND review = 1 AND EXISTS
         (SELECT 1 FROM generation_rows AS old WHERE old.generation = ?2 AND old.reviewed = 1
            AND old.kind = generation_rows.kind AND old.key = generation_rows.key)`,
      to,
      from,
    );
  }

  #deleteRows(upTo: number): void {
    if (upTo < 1) return;
    this.#db.run('DELETE FROM generation_rows WHERE generation <= ?', upTo);
    this.#db.run('UPDATE generations SET kept = 0 WHERE number BETWEEN 1 AND ?', upTo);
  }
}
