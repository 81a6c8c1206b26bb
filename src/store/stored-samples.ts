/** Minutes of the desk as rows, for a week. */
import {
  MEASURE_NAMES,
  type MeasureName,
  measured,
  type Sample,
  SPAN_SEC,
  TAKES_MOST,
} from '../records/measures.ts';
import type { Database } from './database.ts';
import type { ServiceClock } from './service-clock.ts';

const MEANS = MEASURE_NAMES.map((name) => `${TAKES_MOST.has(name) ? 'max' : 'avg'}(${name})`);
const COLUMNS = ['at', ...MEASURE_NAMES, 'stored_sec'];
const NEWEST = COLUMNS.slice(1).map((name) =>
  TAKES_MOST.has(name as MeasureName)
    ? `${name} = max(${name}, excluded.${name})`
    : `${name} = excluded.${name}`,
);

export class StoredSamples {
  readonly #db: Database;
  readonly #clock: ServiceClock;

  constructor(database: Database, clock: ServiceClock) {
    this.#db = database;
    this.#clock = clock;
  }

  /** Those that begin after `fromSec` and not after `toSec`, ascending, each of `stepSec` seconds: 60 as recorded, or made of several. */
  list(fromSec: number, toSec: number, stepSec: number): readonly Sample[] {
    // Numbers are bound as REAL, which divides otherwise.
    return this.#db
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
  }

  /**
   * One transaction: a minute, and what was stored longer ago than the longest span, in service time, goes. A minute that is
   * there already (a restart, or the wall clock was set back) keeps the higher peaks of both.
   */
  record(sample: Sample): void {
    const nowSec = this.#clock.seconds;
    this.#db.transaction(() => {
      this.#db.run(
        `INSERT INTO samples (${COLUMNS}) VALUES (${COLUMNS.map(() => '?')}) ON CONFLICT (at) DO UPDATE SET ${NEWEST}`,
        ...[sample.at, ...MEASURE_NAMES.map((name) => sample[name]), nowSec],
      );
      this.#db.run('DELETE FROM samples WHERE stored_sec <= ?', nowSec - SPAN_SEC['7d'].reach);
      this.#clock.save();
    });
  }
}
