/** What changes are found by, in the store: what was known at the last look, and what has changed since the first one. */
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';
import type { FactChange } from './compare.ts';
import type { Fact, Facts, Kind } from './facts.ts';

export const migrations: readonly Migration[] = [
  {
    version: 14,
    sql: `
      -- What was there at the last look.
      CREATE TABLE diff_facts (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        name TEXT NOT NULL,
        detail TEXT NOT NULL,
        packaged INTEGER NOT NULL,
        PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID;
      -- What has changed, the newest last. It happened after from_ms, and was seen at at_ms.
      CREATE TABLE diff_changes (
        number INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        name TEXT NOT NULL,
        before TEXT,
        after TEXT,
        packaged INTEGER NOT NULL,
        from_ms INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX diff_changes_by_kind ON diff_changes (kind, number);
      -- When each kind was first and last looked at; what was before first_ms is not known.
      CREATE TABLE diff_looks (
        kind TEXT PRIMARY KEY,
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      -- What is counted and not kept one by one, by the ten minutes in which it was.
      CREATE TABLE diff_counts (
        kind TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        short_lived INTEGER NOT NULL,
        left_out INTEGER NOT NULL,
        PRIMARY KEY (kind, at_ms)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 15,
    sql: `
      -- Accounts have several facts each from now on: the next look is the first one, and shows no change.
      DELETE FROM diff_facts WHERE kind = 'account';
      DELETE FROM diff_looks WHERE kind = 'account';
    `,
  },
];

/** Changes of a kind that are kept, and those of one look that are kept one by one. */
const MOST_CHANGES = 2_000;
const MOST_AT_ONCE = 200;
/** Facts of a kind that are compared. */
export const MOST_FACTS = 20_000;
/** Rows of counts that are kept: a month of ten minutes. */
const MOST_COUNTS = 4_320;
const COUNTED_MS = 600_000;

export interface Look {
  readonly firstMs: number;
  readonly lastMs: number;
}

export interface Counted {
  readonly shortLived: number;
  readonly leftOut: number;
}

interface FactRow extends Omit<Fact, 'packaged'> {
  readonly packaged: number;
}

/** What one look has shown. */
export interface Seen {
  readonly kind: Kind;
  /** What was known before, and is known now. */
  readonly before: Facts;
  readonly now: Facts;
  readonly changes: readonly FactChange[];
  readonly shortLived: number;
  readonly atMs: number;
}

export class SavedDiff {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** Null when it could not be read. */
  facts(kind: Kind): Facts | null {
    const sql = 'SELECT key, name, detail, packaged FROM diff_facts WHERE kind = ?';
    const read = (): Facts =>
      new Map(
        this.#access.store.db
          .all<FactRow>(sql, kind)
          .map(({ packaged, ...one }) => [one.key, { ...one, packaged: packaged === 1 }]),
      );
    return this.#access.read<Facts | null>('diffFacts', read, null);
  }

  /** By kind; null when they could not be read. */
  looks(): ReadonlyMap<string, Look> | null {
    const sql = 'SELECT kind, first_ms AS firstMs, last_ms AS lastMs FROM diff_looks';
    const read = () =>
      new Map(
        this.#access.store.db
          .all<Look & { readonly kind: string }>(sql)
          .map(({ kind, ...look }) => [kind, look]),
      );
    return this.#access.read<ReadonlyMap<string, Look> | null>('diffLooks', read, null);
  }

  /** What may have happened in a time, oldest first. Null when it could not be read, here and below. */
  changes(sinceMs: number, untilMs: number): readonly FactChange[] | null {
    const sql = `SELECT kind, key, name, before, after, packaged, from_ms AS fromMs, at_ms AS atMs FROM diff_changes
      WHERE at_ms > ? AND from_ms < ? ORDER BY number`;
    const read = () =>
      this.#access.store.db
        .all<Omit<FactChange, 'packaged'> & { readonly packaged: number }>(sql, sinceMs, untilMs)
        .map(({ packaged, ...one }) => ({ ...one, packaged: packaged === 1 }));
    return this.#access.read<readonly FactChange[] | null>('diffChanges', read, null);
  }

  counts(sinceMs: number, untilMs: number): ReadonlyMap<string, Counted> | null {
    const sql = `SELECT kind, sum(short_lived) AS shortLived, sum(left_out) AS leftOut FROM diff_counts
      WHERE at_ms > ? - ? AND at_ms < ? GROUP BY kind`;
    const read = () =>
      new Map(
        this.#access.store.db
          .all<Counted & { readonly kind: string }>(sql, sinceMs, COUNTED_MS, untilMs)
          .map(({ kind, ...counted }) => [kind, counted]),
      );
    return this.#access.read<ReadonlyMap<string, Counted> | null>('diffCounts', read, null);
  }

  /** One transaction. False: it is not in the store, and to be compared again. */
  save({ kind, before, now, changes, shortLived, atMs }: Seen): boolean {
    const { db } = this.#access.store;
    const work = (): boolean => {
      for (const key of before.keys())
        if (!now.has(key)) db.run('DELETE FROM diff_facts WHERE kind = ? AND key = ?', kind, key);
      for (const [key, { name, detail, packaged }] of now) {
        const known = before.get(key);
        if (known?.detail === detail && known.name === name && known.packaged === packaged) continue;
        const values = [kind, key, name, detail, packaged ? 1 : 0];
        db.run('INSERT OR REPLACE INTO diff_facts VALUES (?, ?, ?, ?, ?)', ...values);
      }
      // A large upgrade must not take the room of everything else.
      const kept = changes.toSorted((a, b) => Number(a.packaged) - Number(b.packaged)).slice(0, MOST_AT_ONCE);
      for (const one of kept)
        db.run(
          `INSERT INTO diff_changes (kind, key, name, before, after, packaged, from_ms, at_ms)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[kind, one.key, one.name, one.before, one.after, one.packaged ? 1 : 0, one.fromMs, one.atMs],
        );
      this.#count(kind, atMs, { shortLived, leftOut: changes.length - kept.length });
      db.run(
        `INSERT INTO diff_looks VALUES (?1, ?2, ?2) ON CONFLICT (kind) DO UPDATE SET last_ms = ?2`,
        ...[kind, atMs],
      );
      this.#cut(kind);
      return true;
    };
    return this.#access.write('saveDiff', work, false);
  }

  /** Looks without a change. */
  touch(looks: ReadonlyMap<Kind, number>): void {
    const { db } = this.#access.store;
    const work = (): boolean => {
      for (const [kind, atMs] of looks)
        db.run('UPDATE diff_looks SET last_ms = ? WHERE kind = ?', atMs, kind);
      return true;
    };
    this.#access.write('touchDiff', work, false);
  }

  #count(kind: Kind, atMs: number, { shortLived, leftOut }: Counted): void {
    if (shortLived + leftOut === 0) return;
    const { db } = this.#access.store;
    db.run(
      `INSERT INTO diff_counts VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET short_lived = short_lived + ?3, left_out = left_out + ?4`,
      ...[kind, atMs - (atMs % COUNTED_MS), shortLived, leftOut],
    );
    db.run(
      `DELETE FROM diff_counts WHERE kind = ?1 AND at_ms NOT IN
         (SELECT at_ms FROM diff_counts WHERE kind = ?1 ORDER BY at_ms DESC LIMIT ?2)`,
      ...[kind, MOST_COUNTS],
    );
  }

  /** The oldest changes of a kind go, and what was before the next one is not known any more. */
  #cut(kind: Kind): void {
    const { db } = this.#access.store;
    const last = db.first(
      'SELECT number, at_ms FROM diff_changes WHERE kind = ? ORDER BY number DESC LIMIT 1 OFFSET ?',
      ...[kind, MOST_CHANGES],
    );
    if (last === undefined) return;
    db.run('DELETE FROM diff_changes WHERE kind = ? AND number <= ?', kind, last[0] as number);
    db.run('UPDATE diff_looks SET first_ms = max(first_ms, ?) WHERE kind = ?', last[1] as number, kind);
  }
}
