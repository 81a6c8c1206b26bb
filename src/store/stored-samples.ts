/** Minutes of the desk as rows, for a week. */
import { type Sample, SPAN_SEC } from '../records/history.ts';
import type { Database, Value } from './database.ts';

export class StoredSamples {
  readonly #db: Database;

  constructor(database: Database) {
    this.#db = database;
  }

  /** Those that begin after `fromSec` and not after `toSec`, ascending, each of `stepSec` seconds: 60 as recorded, or made of several. */
  list(fromSec: number, toSec: number, stepSec: number): readonly Sample[] {
    // Numbers are bound as REAL, which divides otherwise.
    return this.#db
      .lists(
        `SELECT at - at % CAST(?1 AS INTEGER) AS begins, avg(recheck_us), max(recheck_max_us), avg(pids), avg(wrapped), avg(public_listen), avg(bgl),
           max(findings), max(scars), avg(temp_c)
         FROM samples WHERE at > ?2 AND at <= ?3 GROUP BY begins ORDER BY begins`,
        stepSec,
        fromSec,
        toSec,
      )
      .map(sampleFrom);
  }

  /** One transaction: a minute, again if it stands there, and no more what is older than the longest span. */
  record(sample: Sample): void {
    const { at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC } = sample;
    this.#db.transaction(() => {
      this.#db.run(
        'INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC],
      );
      this.#db.run('DELETE FROM samples WHERE at <= ?', at - SPAN_SEC['7d'].reach);
    });
  }
}

function sampleFrom(row: readonly Value[]): Sample {
  const [at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC] =
    row as readonly number[];
  return { at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC } as Sample;
}
