/** Learning windows and what clean observations brought while one is open. What writes is called within a transaction. */

import type { Database } from '../../store/database.ts';
import { type BaselineRow, type LearningWindow, type RowColumns, rowOf, valuesOf } from './rows.ts';

interface WindowColumns {
  readonly number: number;
  readonly opened_ms: number;
  readonly until_ms: number;
}

export class Windows {
  readonly #db: Database;

  constructor(database: Database) {
    this.#db = database;
  }

  /** The open one; null when there is none. */
  current(): LearningWindow | null {
    const [open] = this.#db.all<WindowColumns>('SELECT * FROM learning_windows WHERE closed_at IS NULL');
    return open === undefined
      ? null
      : { number: open.number, openedMs: open.opened_ms, untilMs: open.until_ms };
  }

  /** Opens one; while one is open, its end is moved. */
  open(openedMs: number, untilMs: number): void {
    if (this.current() === null)
      this.#db.run(
        "INSERT INTO learning_windows (opened_ms, until_ms, outcome) VALUES (?, ?, '')",
        openedMs,
        untilMs,
      );
    else this.#db.run('UPDATE learning_windows SET until_ms = ? WHERE closed_at IS NULL', untilMs);
  }

  /** `at` is RFC 3339, `outcome` one phrase. */
  close(at: string, outcome: string): void {
    this.#db.run(
      'UPDATE learning_windows SET closed_at = ?, outcome = ? WHERE closed_at IS NULL',
      at,
      outcome,
    );
    this.#db.run('DELETE FROM window_rows');
    this.#db.run('DELETE FROM window_spoilt');
  }

  rows(): readonly BaselineRow[] {
    return this.#db.all<RowColumns>('SELECT * FROM window_rows ORDER BY kind, key').map(rowOf);
  }

  /** Those that were spoilt are left out. */
  keep(rows: readonly BaselineRow[]): void {
    for (const row of rows)
      this.#db.run(
        `INSERT OR REPLACE INTO window_rows SELECT ?1, ?2, ?3, ?4, ?5
           WHERE NOT EXISTS (SELECT 1 FROM window_spoilt WHERE kind = ?1 AND key = ?2)`,
        ...valuesOf(row),
      );
  }

  /** Takes rows out, and keeps them out until the window is closed. */
  spoil(rows: readonly Pick<BaselineRow, 'kind' | 'key'>[]): void {
    for (const { kind, key } of rows) {
      this.#db.run('INSERT OR IGNORE INTO window_spoilt VALUES (?, ?)', kind, key);
      this.#db.run('DELETE FROM window_rows WHERE kind = ? AND key = ?', kind, key);
    }
  }
}
