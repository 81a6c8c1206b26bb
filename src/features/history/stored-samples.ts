/** Minutes of the desk as rows, for a week. */
import {
  MEASURE_NAMES,
  type MeasureName,
  measured,
  type Sample,
  SPAN_SEC,
  TAKES_MOST,
} from '../../records/measures.ts';
import type { Access } from '../../store/store.ts';

const MEANS = MEASURE_NAMES.map((name) => `${TAKES_MOST.has(name) ? 'max' : 'avg'}(${name})`);
const COLUMNS = ['at', ...MEASURE_NAMES, 'stored_sec'];
const NEWEST = COLUMNS.slice(1).map((name) =>
  TAKES_MOST.has(name as MeasureName)
    ? `${name} = max(${name}, excluded.${name})`
    : `${name} = excluded.${name}`,
);

/** Minutes are stored in the one after them; a machine at its limits may be late. */
const PAUSE_SEC = 180;

/** Seconds since the epoch. `firstSec`: the first minute that is kept, null without any. */
export interface Pauses {
  readonly firstSec: number | null;
  readonly pauses: readonly { readonly fromSec: number; readonly toSec: number }[];
}

export class StoredSamples {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** Those in (`fromSec`, `toSec`], ascending, of `stepSec` seconds each (60 as recorded, else merged). None when unreadable. */
  list(fromSec: number, toSec: number, stepSec: number): readonly Sample[] {
    const { db } = this.#access.store;
    // Numbers are bound as REAL, which divides otherwise.
    const read = () =>
      db
        .lists(
          `SELECT at - at % CAST(?1 AS INTEGER) AS begins, ${MEANS}
         FROM samples WHERE at > ?2 AND at <= ?3 GROUP BY begins ORDER BY begins`,
          stepSec,
          fromSec,
          toSec,
        )
        .map(
          ([at, ...values]) => ({ at, ...measured((name) => values[MEASURE_NAMES.indexOf(name)]) }) as Sample,
        );
    return this.#access.read<readonly Sample[]>('samples', read, []);
  }

  /** When the desk did not run, of three minutes and more, as far as it overlaps this time. Null when unreadable. */
  pauses(fromSec: number, toSec: number): Pauses | null {
    const { db } = this.#access.store;
    const sql = `SELECT before + 60, at FROM
        (SELECT at, lag(at) OVER (ORDER BY at) AS before FROM samples WHERE at <= ?2
         UNION ALL SELECT ?2, (SELECT max(at) FROM samples WHERE at <= ?2))
      WHERE at - before >= ?3 AND at > ?1 ORDER BY at`;
    const read = (): Pauses => ({
      firstSec: (db.first('SELECT min(at) FROM samples')?.[0] ?? null) as number | null,
      pauses: (db.lists(sql, fromSec, toSec, PAUSE_SEC) as [number, number][]).map(([from, to]) => ({
        fromSec: from,
        toSec: to,
      })),
    });
    return this.#access.read<Pauses | null>('pauses', read, null);
  }

  /**
   * A minute, and what was stored longer ago than the longest span, in service time, goes. A minute that is there already (a
   * restart, or the wall clock was set back) keeps the higher peaks of both. False when it may be written later.
   */
  record(sample: Sample): boolean {
    const { db, clock } = this.#access.store;
    const nowSec = clock.seconds;
    return this.#access.record('recordSample', () => {
      db.run(
        `INSERT INTO samples (${COLUMNS}) VALUES (${COLUMNS.map(() => '?')}) ON CONFLICT (at) DO UPDATE SET ${NEWEST}`,
        ...[sample.at, ...MEASURE_NAMES.map((name) => sample[name]), nowSec],
      );
      db.run('DELETE FROM samples WHERE stored_sec <= ?', nowSec - SPAN_SEC['7d'].reach);
      clock.save();
    });
  }
}
