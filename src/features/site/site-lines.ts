/** The history of the public site as rows. */
import type { SiteLine, SiteState } from '../../records/site-probe.ts';
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    version: 4,
    sql: `
      -- Probes of the public site: one when something changed, and one each hour.
      CREATE TABLE site_probes (
        number INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        ms REAL NOT NULL,
        changed TEXT NOT NULL,
        state TEXT NOT NULL
      ) STRICT;
    `,
  },
];

type SiteRow = Omit<SiteLine, 'state'> & { readonly state: string };

/** A site that flaps at every probe fills them in a fortnight; a calm one in half a year. */
const keptLines = 5_000;

export class SiteLines {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** Newest first. */
  list(limit: number): readonly SiteLine[] {
    const read = () =>
      this.#access.store.db
        .all<SiteRow>(
          'SELECT at_ms AS atMs, ms, changed, state FROM site_probes ORDER BY number DESC LIMIT ?',
          limit,
        )
        .map((row) => ({ ...row, state: JSON.parse(row.state) as SiteState }));
    return this.#access.read<readonly SiteLine[]>('siteLines', read, [], String(limit));
  }

  record({ atMs, ms, changed, state }: SiteLine): void {
    const { db } = this.#access.store;
    this.#access.record('recordSiteLine', () => {
      db.run(
        'INSERT INTO site_probes (at_ms, ms, changed, state) VALUES (?, ?, ?, ?)',
        atMs,
        ms,
        changed,
        JSON.stringify(state),
      );
      db.run('DELETE FROM site_probes WHERE number <= (SELECT max(number) FROM site_probes) - ?', keptLines);
    });
  }
}
