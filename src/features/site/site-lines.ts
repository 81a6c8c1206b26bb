/** The history of the public site as rows. */
import type { SiteLine, SiteState } from '../../records/site-probe.ts';
import type { Database } from '../../store/database.ts';

interface SiteRow {
  readonly at_ms: number;
  readonly ms: number;
  readonly changed: string;
  readonly state: string;
}

/** A site that flaps at every look fills them in a fortnight; a calm one in half a year. */
const keptLines = 5_000;

export class SiteLines {
  readonly #db: Database;

  constructor(database: Database) {
    this.#db = database;
  }

  /** Newest first. */
  list(limit: number): readonly SiteLine[] {
    return this.#db
      .all<SiteRow>('SELECT at_ms, ms, changed, state FROM site_probes ORDER BY number DESC LIMIT ?', limit)
      .map(({ at_ms, ms, changed, state }) => ({
        atMs: at_ms,
        ms,
        changed,
        state: JSON.parse(state) as SiteState,
      }));
  }

  /** One transaction. */
  record({ atMs, ms, changed, state }: SiteLine): void {
    this.#db.transaction(() => {
      this.#db.run(
        'INSERT INTO site_probes (at_ms, ms, changed, state) VALUES (?, ?, ?, ?)',
        atMs,
        ms,
        changed,
        JSON.stringify(state),
      );
      this.#db.run(
        'DELETE FROM site_probes WHERE number <= (SELECT max(number) FROM site_probes) - ?',
        keptLines,
      );
    });
  }
}
