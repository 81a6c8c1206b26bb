/** What alerts keep in the store: the state of each target, what was delivered, and quiet time. */
import type { Severity } from '../../policy/severity.ts';
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';
import type { AlertKind } from './message.ts';
import { NOTHING_SAVED, type TargetSaved } from './target-state.ts';

export const migrations: readonly Migration[] = [
  {
    version: 12,
    sql: `
      -- What was reported to each target, and the message to deliver.
      CREATE TABLE alert_targets (
        name TEXT PRIMARY KEY,
        state TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      -- What was delivered, the newest last.
      CREATE TABLE alert_deliveries (
        number INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        target TEXT NOT NULL,
        message TEXT NOT NULL,
        kind TEXT NOT NULL,
        severity TEXT NOT NULL,
        title TEXT NOT NULL,
        failed INTEGER NOT NULL
      ) STRICT;
      -- At most one row: time in which only critical findings alert.
      CREATE TABLE quiet_time (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        since_ms INTEGER NOT NULL,
        until_ms INTEGER NOT NULL,
        why TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 15,
    sql: `
      -- It ends at the latest when the service has run for so long (meta: service_sec).
      ALTER TABLE quiet_time ADD COLUMN until_sec INTEGER NOT NULL DEFAULT 0;
      UPDATE quiet_time SET until_sec = (until_ms - since_ms) / 1000
        + coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'service_sec'), 0);
    `,
  },
];

export interface Delivery {
  readonly atMs: number;
  readonly target: string;
  /** Id of the message. */
  readonly message: string;
  readonly kind: AlertKind;
  readonly severity: Severity | 'none';
  readonly title: string;
  /** Attempts before it that failed. */
  readonly failed: number;
}

export interface QuietTime {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly why: string;
}

export interface SavedQuiet extends QuietTime {
  /** How long the service has run when it ends. */
  readonly untilSec: number;
}

/** Rows of deliveries that are kept. */
const KEPT = 1_000;

export class SavedAlerts {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** A store in memory takes the place of one that could not be opened. */
  get isTemporary(): boolean {
    return this.#access.store.temporary !== '';
  }

  /** Null when it could not be read. */
  target(name: string): TargetSaved | null {
    if (this.isTemporary) return null;
    const read = (): TargetSaved => {
      const [row] = this.#access.store.db.all<{ readonly state: string }>(
        'SELECT state FROM alert_targets WHERE name = ?',
        name,
      );
      return row === undefined
        ? NOTHING_SAVED
        : { ...NOTHING_SAVED, ...(JSON.parse(row.state) as TargetSaved) };
    };
    return this.#access.read<TargetSaved | null>('alertTarget', read, null);
  }

  /** With what was delivered, in one transaction. False: to be tried again. */
  save(name: string, state: TargetSaved, deliveries: readonly Delivery[]): boolean {
    const { db } = this.#access.store;
    return this.#access.record('saveAlertTarget', () => {
      db.run('INSERT OR REPLACE INTO alert_targets VALUES (?, ?)', name, JSON.stringify(state));
      for (const { atMs, target, message, kind, severity, title, failed } of deliveries)
        db.run(
          'INSERT INTO alert_deliveries (at_ms, target, message, kind, severity, title, failed) VALUES (?, ?, ?, ?, ?, ?, ?)',
          ...[atMs, target, message, kind, severity, title, failed],
        );
      if (deliveries.length > 0)
        db.run(
          'DELETE FROM alert_deliveries WHERE number <= (SELECT max(number) FROM alert_deliveries) - ?',
          KEPT,
        );
    });
  }

  /** Newest first. */
  deliveries(limit: number): readonly Delivery[] {
    const sql = `SELECT at_ms AS atMs, target, message, kind, severity, title, failed FROM alert_deliveries
      ORDER BY number DESC LIMIT ?`;
    const read = () => this.#access.store.db.all<Delivery>(sql, limit);
    return this.#access.read<readonly Delivery[]>('alertDeliveries', read, [], String(limit));
  }

  /** How long the service has run on this state folder. */
  get serviceSec(): number {
    return this.#access.store.clock.seconds;
  }

  quiet(): SavedQuiet | null {
    const sql = 'SELECT since_ms AS sinceMs, until_ms AS untilMs, until_sec AS untilSec, why FROM quiet_time';
    const read = () => this.#access.store.db.all<SavedQuiet>(sql)[0] ?? null;
    return this.#access.read<SavedQuiet | null>('quietTime', read, null);
  }

  /** Null ends it. False when the store did not take it. */
  setQuiet(quiet: SavedQuiet | null): boolean {
    const { db } = this.#access.store;
    const work = (): boolean => {
      db.run('DELETE FROM quiet_time');
      if (quiet !== null)
        db.run(
          'INSERT INTO quiet_time VALUES (1, ?, ?, ?, ?)',
          ...[quiet.sinceMs, quiet.untilMs, quiet.why, quiet.untilSec],
        );
      return true;
    };
    return this.#access.write('setQuiet', work, false);
  }
}
