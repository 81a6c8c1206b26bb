/** The times in which sites were known to be up or down, as rows. What no row covers is unknown. */
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';
import type { Span } from './site-state.ts';

export const migrations: readonly Migration[] = [
  {
    version: 13,
    sql: `
      -- One row for each time in which a site stayed up or down.
      CREATE TABLE site_spans (
        site TEXT NOT NULL,
        from_ms INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('up', 'down')),
        to_ms INTEGER NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (site, from_ms, state)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];

export interface SiteSpan extends Span {
  readonly site: string;
}

/** Of one site; one that flaps all the time loses its oldest. */
const KEPT_SPANS = 1_000;

export class SiteSpans {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** Of every site, also of one that is no longer configured: what ended at `fromMs` or later, by its beginning. */
  list(fromMs: number): readonly SiteSpan[] {
    return this.#access.read<readonly SiteSpan[]>(
      'siteSpans',
      () =>
        this.#access.store.db.all<SiteSpan>(
          'SELECT site, state, from_ms AS fromMs, to_ms AS toMs, reason FROM site_spans WHERE to_ms >= ? ORDER BY from_ms',
          fromMs,
        ),
      [],
      'all',
    );
  }

  /** Adds spans, or makes them longer; those that ended before `keptFromMs` go. False when it may succeed later. */
  record(spans: readonly SiteSpan[], keptFromMs: number): boolean {
    const { db } = this.#access.store;
    return this.#access.record('recordSiteSpans', () => {
      for (const { site, fromMs, state, toMs, reason } of spans)
        db.run(
          `INSERT INTO site_spans (site, from_ms, state, to_ms, reason) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET to_ms = max(to_ms, excluded.to_ms)`,
          ...[site, fromMs, state, toMs, reason],
        );
      db.run('DELETE FROM site_spans WHERE to_ms < ?', keptFromMs);
      for (const site of new Set(spans.map((span) => span.site)))
        db.run(
          `DELETE FROM site_spans WHERE site = ? AND from_ms <=
             (SELECT from_ms FROM site_spans WHERE site = ? ORDER BY from_ms DESC LIMIT 1 OFFSET ?)`,
          ...[site, site, KEPT_SPANS],
        );
    });
  }
}
