/** Minutes of the desk as rows, for a week. */
import { type Sample, SPAN_SEC } from '../../records/history.ts';
import type { Database, Value } from '../../store/database.ts';
import type { ServiceClock } from '../../store/service-clock.ts';

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
        `SELECT at - at % CAST(?1 AS INTEGER) AS begins, avg(recheck_us), max(recheck_max_us), avg(pids), avg(wrapped), avg(public_listen), avg(bgl),
           max(findings), max(scars), avg(temp_c)
         FROM samples WHERE at > ?2 AND at <= ?3 GROUP BY begins ORDER BY begins`,
        stepSec,
        fromSec,
        toSec,
      )
      .map(sampleFrom);
  }

  /**
   * One transaction: a minute, and what was stored longer ago than the longest span, in service time, goes. A minute that is
   * there already (a restart, or the wall clock was set back) keeps the higher peaks of both.
   */
  record(sample: Sample): void {
    const { at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC } = sample;
    const nowSec = this.#clock.seconds;
    this.#db.transaction(() => {
      this.#db.run(
        `INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (at) DO UPDATE SET recheck_us = excluded.recheck_us,
           recheck_max_us = max(recheck_max_us, excluded.recheck_max_us), pids = excluded.pids, wrapped = excluded.wrapped,
           public_listen = excluded.public_listen, bgl = excluded.bgl, findings = max(findings, excluded.findings),
           scars = max(scars, excluded.scars), temp_c = excluded.temp_c, stored_sec = excluded.stored_sec`,
        ...[at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC, nowSec],
      );
      this.#db.run('DELETE FROM samples WHERE stored_sec <= ?', nowSec - SPAN_SEC['7d'].reach);
      this.#clock.save();
    });
  }
}

function sampleFrom(row: readonly Value[]): Sample {
  const [at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC] =
    row as readonly number[];
  return { at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC } as Sample;
}
