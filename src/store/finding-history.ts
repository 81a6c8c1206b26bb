/** Findings, their lines of history, and what of them is kept. What writes is called within a transaction of the store. */
import type { Finding } from '../findings/finding.ts';
import type { Severity } from '../policy/severity.ts';
import type { Database } from './database.ts';
import type { DroppedCounts } from './dropped.ts';
import { type FindingRow, findingOf, saveFinding } from './finding-rows.ts';
import { FindingShares } from './finding-shares.ts';
import type { ServiceClock } from './service-clock.ts';
import type { FindingChanges, FindingLine } from './store-types.ts';

/** Closed findings of one change are written, and their shares cut back, so many at a time. */
const AT_ONCE = 50;

export interface FindingEvent {
  /** RFC 3339. */
  readonly at: string;
  readonly event: string;
}

/** A finding and what happened to it in a span of time. */
export interface FindingPast {
  readonly finding: string;
  readonly check: string;
  readonly severity: Severity;
  /** JSON. */
  readonly subject: string;
  readonly summary: string;
  readonly state: 'open' | 'closed';
  /** RFC 3339, of its first and last event in that time. */
  readonly first: string;
  readonly last: string;
  readonly opened: number;
  readonly closed: number;
}

export class FindingHistory {
  readonly #db: Database;
  readonly #clock: ServiceClock;
  readonly #shares: FindingShares;
  #newest = 0;

  constructor(database: Database, dropped: DroppedCounts, clock: ServiceClock) {
    this.#db = database;
    this.#clock = clock;
    this.#shares = new FindingShares(database, dropped);
  }

  open(): readonly Finding[] {
    return this.#db
      .all<FindingRow>("SELECT * FROM findings WHERE state = 'open' ORDER BY changed, id")
      .map(findingOf);
  }

  one(id: string): { finding: Finding; history: readonly FindingEvent[] } | undefined {
    const row = this.#db.all<FindingRow>('SELECT * FROM findings WHERE id = ?', id)[0];
    if (row === undefined) return undefined;
    const history = this.#db.all<FindingEvent>(
      'SELECT at, event FROM finding_events WHERE finding = ? ORDER BY number',
      id,
    );
    return { finding: findingOf(row), history };
  }

  /** Newest first. */
  events(limit: number): readonly (FindingEvent & { finding: string; summary: string })[] {
    return this.#db.all(
      `SELECT at, event, finding, summary FROM finding_events JOIN findings ON id = finding
       ORDER BY number DESC LIMIT ?`,
      limit,
    );
  }

  /** What happened since, by finding, the newest first. */
  since(epochSec: number, limit: number): readonly FindingPast[] {
    return this.#db.all(
      `SELECT finding, "check", severity, subject, summary, state, min(at) AS first, max(at) AS last,
         sum(event LIKE 'opened%') AS opened, sum(event = 'closed') AS closed
       FROM finding_events JOIN findings ON id = finding WHERE unixepoch(at) >= ?
       GROUP BY finding ORDER BY max(number) DESC LIMIT ?`,
      epochSec,
      limit,
    );
  }

  linesAfter(number: number, limit: number): readonly (FindingLine & { readonly number: number })[] {
    return this.#db.all(
      'SELECT number, finding, at, event FROM finding_events WHERE number > ? ORDER BY number LIMIT ?',
      number,
      limit,
    );
  }

  save({ opened, closed, at }: FindingChanges): void {
    const nowSec = this.#clock.seconds;
    for (const finding of opened) {
      const before = saveFinding(this.#db, finding, 'open', nowSec);
      if (before !== 'open') this.#event(finding, at, before === null ? 'opened' : 'opened again');
    }
    for (let from = 0; from < closed.length; from += AT_ONCE) {
      const some = closed.slice(from, from + AT_ONCE);
      for (const finding of some)
        if (saveFinding(this.#db, finding, 'closed', nowSec) !== 'closed') this.#event(finding, at, 'closed');
      this.#shares.cut(some, at);
    }
    this.#shares.age(nowSec, at);
    this.#clock.save();
  }

  /** A line for a finding that is known; nothing for another. */
  note({ finding: id, at, event }: FindingLine): void {
    const known = this.#db.first('SELECT severity FROM findings WHERE id = ?', id);
    if (known !== undefined) this.#event({ id, severity: known[0] as Severity }, at, event);
  }

  #event({ id, severity }: Pick<Finding, 'id' | 'severity'>, at: string, event: string): void {
    // No number twice, though the newest line was dropped: `linesAfter` goes by it.
    const newest = this.#db.number('SELECT coalesce(max(number), 0) FROM finding_events');
    this.#newest = Math.max(this.#newest, newest) + 1;
    this.#db.run('INSERT INTO finding_events VALUES (?, ?, ?, ?)', this.#newest, id, at, event);
    this.#shares.cutLines(id, severity);
  }
}
