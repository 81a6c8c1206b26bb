/** Findings as the store keeps them, with their lines of history and the counts of what was deleted. */
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import type { Severity } from '../../policy/severity.ts';
import { type Dropped, NOTHING_DROPPED } from '../../records/state.ts';
import type { Database } from '../../store/database.ts';
import type { Access } from '../../store/store.ts';
import { forgetCommandLines } from './command-lines.ts';
import { DroppedCounts, type DroppedFinding } from './dropped.ts';
import { type FindingRow, findingOf, saveAbout, saveFinding } from './finding-rows.ts';
import { FindingShares, KEPT_SEC } from './finding-shares.ts';

/** Findings that opened and closed, at one time. */
export interface FindingChanges {
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  /** RFC 3339. */
  readonly at: string;
}

/** A line of a finding's history beside those of its openings and closings. */
export interface FindingLine {
  readonly finding: string;
  /** RFC 3339. */
  readonly at: string;
  readonly event: string;
}

/** The process of a finding that is known, read after it opened. */
export interface FindingAbout {
  readonly finding: string;
  readonly about: ProcessAbout;
}

/** Closed findings of one change are written, and their shares cut back, so many at a time. */
const AT_ONCE = 50;
/** Its failure is over when a run of the gate was written too, with findings of its own. */
export const RECORD = 'recordHistory';

type FindingEvent = Omit<FindingLine, 'finding'>;

interface FindingKnown {
  readonly finding: Finding;
  readonly history: readonly FindingEvent[];
}

/** A finding and what happened to it in a span of time. */
export interface FindingPast {
  readonly finding: string;
  readonly check: string;
  readonly severity: Severity;
  readonly subject: string;
  readonly summary: string;
  readonly state: 'open' | 'closed';
  /** RFC 3339, of its first and last event in that time. */
  readonly first: string;
  readonly last: string;
  readonly opened: number;
  readonly closed: number;
}

/** Openings and closings of a finding in a span of time, oldest first. */
export interface FindingTurns {
  readonly finding: Finding;
  readonly turns: readonly { readonly at: string; readonly opened: boolean }[];
}

/** A finding that the store has, open or closed. */
export interface StoredFinding {
  readonly finding: Finding;
  readonly state: 'open' | 'closed';
  /** RFC 3339, of the last time that it closed; null while it is open. */
  readonly closedAt: string | null;
  /** Whether it was open at the time that was asked for; false without one. */
  readonly wasOpen: boolean;
}

/** For each database, the function that writes pending findings; called before findings are read. */
const writers = new WeakMap<Database, () => void>();
/** The newest number of a line that a database has had, whichever instance wrote it. */
const newestLines = new WeakMap<Database, number>();

export class FindingHistory {
  readonly #access: Access;
  readonly #db: Database;
  readonly #shares: FindingShares;
  readonly #dropped: DroppedCounts;

  constructor(access: Access) {
    this.#access = access;
    this.#db = access.store.db;
    this.#dropped = new DroppedCounts(access.store);
    this.#shares = new FindingShares(this.#db, this.#dropped);
  }

  /** `write` writes pending findings and lines. It is called before any instance reads them from this database. */
  beforeReading(write: () => void): void {
    writers.set(this.#db, write);
  }

  /** Findings open at the last record, to go on from after a restart; null when they could not be read. */
  open(): readonly Finding[] | null {
    const sql = "SELECT * FROM findings WHERE state = 'open' ORDER BY changed, id";
    const read = () => this.#db.all<FindingRow>(sql).map(findingOf);
    return this.#read<readonly Finding[] | null>('openFindings', read, null);
  }

  /** Undefined when unknown, null when it could not be read. */
  finding(id: string): FindingKnown | undefined | null {
    return this.#read<FindingKnown | undefined | null>('finding', () => this.#finding(id), null);
  }

  /** Newest events of all findings first. */
  events(limit: number): readonly (FindingEvent & { readonly finding: string; readonly summary: string })[] {
    const sql = `SELECT at, event, finding, summary FROM finding_events JOIN findings ON id = finding
      ORDER BY number DESC LIMIT ?`;
    return this.#read('events', () => this.#db.all(sql, limit), [], String(limit));
  }

  /** What happened since, seconds since the epoch, by finding, the newest first. */
  since(epochSec: number, limit: number): readonly FindingPast[] {
    const sql = `SELECT finding, "check", severity, subject, summary, state, min(at) AS first, max(at) AS last,
        sum(event LIKE 'opened%') AS opened, sum(event = 'closed') AS closed
      FROM finding_events JOIN findings ON id = finding WHERE unixepoch(at) >= ?
      GROUP BY finding ORDER BY max(number) DESC LIMIT ?`;
    return this.#read('findingsSince', () => this.#db.all(sql, epochSec, limit), []);
  }

  /** What opened or closed in this time, seconds since the epoch; the first `limit` lines of it. Null when it could not be read. */
  turns(afterSec: number, untilSec: number, limit: number): readonly FindingTurns[] | null {
    const lines = `SELECT finding, at, event = 'closed' AS closed FROM finding_events
      WHERE unixepoch(at) > ? AND unixepoch(at) <= ? AND (event = 'closed' OR event LIKE 'opened%') ORDER BY number LIMIT ?`;
    const read = (): readonly FindingTurns[] => {
      const turns = new Map<string, { at: string; opened: boolean }[]>();
      for (const [id, at, closed] of this.#db.lists(lines, afterSec, untilSec, limit) as [
        string,
        string,
        number,
      ][]) {
        const one = turns.get(id) ?? [];
        one.push({ at, opened: closed === 0 });
        turns.set(id, one);
      }
      return [...turns].flatMap(([id, of]) => {
        const row = this.#db.all<FindingRow>('SELECT * FROM findings WHERE id = ?', id)[0];
        return row === undefined ? [] : [{ finding: findingOf(row), turns: of }];
      });
    };
    return this.#read<readonly FindingTurns[] | null>('findingTurns', read, null);
  }

  /** Whether the store can be read now. */
  readable(): boolean {
    return this.#read('readable', () => this.#db.number('SELECT count(*) FROM findings') >= 0, false);
  }

  /** Time of the first line that is kept, RFC 3339; null without lines, and when they could not be read. */
  firstEvent(): string | null {
    const sql = 'SELECT at FROM finding_events ORDER BY number LIMIT 1';
    return this.#read<string | null>('firstEvent', () => (this.#db.first(sql)?.[0] as string) ?? null, null);
  }

  /** What the store has, the last changed first; `atSec`, seconds since the epoch, is the time of `wasOpen`. Null when it could not be read. */
  stored(limit: number, atSec: number | null): readonly StoredFinding[] | null {
    const read = () => this.#stored(limit, atSec);
    return this.#read<readonly StoredFinding[] | null>('storedFindings', read, null);
  }

  #stored(limit: number, atSec: number | null): readonly StoredFinding[] {
    const rows = this.#db.all<FindingRow>('SELECT * FROM findings ORDER BY changed DESC LIMIT ?', limit);
    const closings = "SELECT finding, max(at) FROM finding_events WHERE event = 'closed' GROUP BY finding";
    const closed = new Map(this.#db.lists(closings) as [string, string][]);
    // Open is what opened last before that time, and did not close since.
    const lastBefore = `SELECT finding, event, max(number) FROM finding_events
      WHERE (event = 'closed' OR event LIKE 'opened%') AND unixepoch(at) <= ? GROUP BY finding`;
    const before = atSec === null ? [] : this.#db.lists(lastBefore, atSec);
    const wasOpen = new Set(before.flatMap(([id, event]) => (event === 'closed' ? [] : [id])));
    return rows.map((row) => ({
      finding: findingOf(row),
      state: row.state,
      closedAt: row.state === 'open' ? null : (closed.get(row.id) ?? null),
      wasOpen: wasOpen.has(row.id),
    }));
  }

  /** Lines after the one of this number, oldest first. */
  linesAfter(number: number, limit: number): readonly (FindingLine & { readonly number: number })[] {
    const sql =
      'SELECT number, finding, at, event FROM finding_events WHERE number > ? ORDER BY number LIMIT ?';
    return this.#read('linesAfter', () => this.#db.all(sql, number, limit), []);
  }

  /** One transaction: opened and closed findings with a history line each, then lines of known ones. False: to be retried (disk full). */
  record(steps: readonly (FindingChanges | FindingLine | FindingAbout)[]): boolean {
    if (steps.length === 0) return true;
    return this.#access.record(RECORD, () => {
      for (const step of steps)
        if ('about' in step) saveAbout(this.#db, step);
        else if ('finding' in step) this.#note(step);
        else this.save(step);
    });
  }

  /** Counts findings and history lines that were dropped while the store failed. `at` is RFC 3339. False: to be written later. */
  recordUnwritten(
    findings: readonly (DroppedFinding & { readonly count: number })[],
    lines: number,
    at: string,
  ): boolean {
    return this.#access.record('recordUnwritten', () => {
      this.#dropped.addLines(lines, at);
      for (const one of findings) this.#dropped.addFindings(one, one.count, 'unwritten', at);
    });
  }

  /** What was deleted, counted since this database was made. */
  dropped(): Dropped {
    return this.#access.read('dropped', () => this.#dropped.total, NOTHING_DROPPED, '');
  }

  /** Findings that closed up to this time may no longer be stored, seconds since the epoch; null where all are. */
  droppedUntilSec(): number | null {
    const read = () => this.#dropped.findingsUntilSec(KEPT_SEC);
    return this.#access.read<number | null>('droppedUntil', read, null);
  }

  forgetCommandLines(): void {
    forgetCommandLines(this.#access, 'findings');
  }

  /** Within a transaction, as below: gate runs, and rows of their residue, to be deleted. */
  addDropped({ runs, residue }: { readonly runs: number; readonly residue: number }, at: string): void {
    this.#dropped.add('gate-run', runs, at);
    this.#dropped.add('residue', residue, at);
  }

  save({ opened, closed, at }: FindingChanges): void {
    const { clock } = this.#access.store;
    const nowSec = clock.seconds;
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
    clock.save();
  }

  readonly #read: Access['read'] = (...read) => {
    writers.get(this.#db)?.();
    return this.#access.read(...read);
  };

  /** A line for a finding that is known; nothing for another. */
  #note({ finding: id, at, event }: FindingLine): void {
    const known = this.#db.first('SELECT severity FROM findings WHERE id = ?', id);
    if (known !== undefined) this.#event({ id, severity: known[0] as Severity }, at, event);
  }

  #finding(id: string): FindingKnown | undefined {
    const row = this.#db.all<FindingRow>('SELECT * FROM findings WHERE id = ?', id)[0];
    if (row === undefined) return undefined;
    const history = this.#db.all<FindingEvent>(
      'SELECT at, event FROM finding_events WHERE finding = ? ORDER BY number',
      id,
    );
    return { finding: findingOf(row), history };
  }

  #event({ id, severity }: Pick<Finding, 'id' | 'severity'>, at: string, event: string): void {
    // No number twice, though the newest line was dropped: `linesAfter` goes by it.
    const stored = this.#db.number('SELECT coalesce(max(number), 0) FROM finding_events');
    const number = Math.max(newestLines.get(this.#db) ?? 0, stored) + 1;
    newestLines.set(this.#db, number);
    this.#db.run('INSERT INTO finding_events VALUES (?, ?, ?, ?)', number, id, at, event);
    this.#shares.cutLines(id, severity);
  }
}
