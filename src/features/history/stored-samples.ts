/** Minutes of the desk as rows, for a week. */
import { type Sample, SPAN_SEC } from '../../records/history.ts';
import type { Value } from '../../store/database.ts';
import type { Access } from '../../store/store.ts';

export class StoredSamples {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /**
   * Those that begin after `fromSec` and not after `toSec`, ascending, each of `stepSec` seconds: 60 as recorded, or made of several.
   * None when they could not be read.
   */
  list(fromSec: number, toSec: number, stepSec: number): readonly Sample[] {
    const { db } = this.#access.store;
    // Numbers are bound as REAL, which divides otherwise.
    const read = () =>
      db
        .lists(
          `SELECT at - at % CAST(?1 AS INTEGER) AS begins, avg(recheck_us), max(recheck_max_us), avg(pids), avg(wrapped), avg(public_listen), avg(bgl),
           max(findings), max(scars), avg(temp_c)
         FROM samples WHERE at > ?2 AND at <= ?3 GROUP BY begins ORDER BY begins`,
          stepSec,
          fromSec,
          toSec,
        )
        .map(sampleFrom);
    return this.#access.read<readonly Sample[]>('samples', read, []);
  }

  /**
   * A minute, and what was stored longer ago than the longest span, in service time, goes. A minute that is there already (a
   * restart, or the wall clock was set back) keeps the higher peaks of both. False when it may be written later.
   */
  record(sample: Sample): boolean {
    const { at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC } = sample;
    const { db, clock } = this.#access.store;
    const nowSec = clock.seconds;
    return this.#access.record('recordSample', () => {
      db.run(
        `INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (at) DO UPDATE SET recheck_us = excluded.recheck_us,
           recheck_max_us = max(recheck_max_us, excluded.recheck_max_us), pids = excluded.pids, wrapped = excluded.wrapped,
           public_listen = excluded.public_listen, bgl = excluded.bgl, findings = max(findings, excluded.findings),
           scars = max(scars, excluded.scars), temp_c = excluded.temp_c, stored_sec = excluded.stored_sec`,
        ...[at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC, nowSec],
      );
      db.run('DELETE FROM samples WHERE stored_sec <= ?', nowSec - SPAN_SEC['7d'].reach);
      clock.save();
    });
  }
}

function sampleFrom(row: readonly Value[]): Sample {
  const [at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC] =
    row as readonly number[];
  return { at, recheckUs, recheckMaxUs, pids, wrapped, publicListen, bgl, findings, scars, tempC } as Sample;
}
