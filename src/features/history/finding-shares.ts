/**
 * Which closed findings are kept. Each check has a share of rows per severity, so that a flood of one check, or of low findings,
 * evicts only its own rows. High and critical ones also go by age. What goes is counted. Why: docs/decisions/history.md.
 */

import type { Subject } from '../../checks/subjects.ts';
import type { Finding } from '../../findings/finding.ts';
import type { Severity } from '../../policy/severity.ts';
import type { Database } from '../../store/database.ts';
import type { DroppedCounts, DroppedFinding } from './dropped.ts';

/** Closed findings kept per check and severity. */
export const SHARE: Readonly<Record<Severity, number>> = { low: 100, medium: 150, high: 250, critical: 250 };
/** A share is cut back once it is a fifth too large, so that a flood does not pay for a cut with every finding. */
const SLACK = 1.2;
/** High and critical findings are kept this long: seconds that the service ran (see `ServiceClock`). */
export const KEPT_SEC = 90 * 86_400;
/** Lines of history per finding. */
const LINES: Readonly<Record<Severity, number>> = { low: 50, medium: 50, high: 100, critical: 100 };
/** Age is checked this often, seconds. */
const AGE_EVERY_SEC = 600;

interface ShareRow {
  readonly id: string;
  readonly subject: string;
  readonly evidence: string;
  readonly evidence_class: string;
}

interface Candidate {
  readonly id: string;
  readonly owner: string;
  readonly class: string;
}

/** Subordinate uids begin here, and one user can own thousands of them (subuid(5)): they count as one owner. */
const SUBORDINATE = 65_536;
/** Rows that one cut drops at most, so that a large old store is cut back step by step; more than close between two cuts. */
const MOST_AT_ONCE = 200;

const value = (evidence: Finding['evidence'], key: string): string => String(evidence[key] ?? '');

const groupOf = (uid: string): string => (Number(uid) >= SUBORDINATE ? 'subordinate' : uid);

/** Who caused a finding: a uid, or what it is about where no user is known. */
export function ownerOf({ subject, evidence }: Pick<Finding, 'subject' | 'evidence'>): string {
  if (subject.kind === 'process') return groupOf(String(subject.uid));
  if (subject.kind !== 'listener') return subject.kind;
  return groupOf(value(evidence, 'creator_uid') || value(evidence, 'uid'));
}

/** What is the same kind of finding: other sockets, pids and files of it are repetitions. */
function candidateOf({ id, subject, evidence, evidence_class }: ShareRow): Candidate {
  const about = JSON.parse(subject) as Subject;
  const said = JSON.parse(evidence) as Finding['evidence'];
  const owner = ownerOf({ subject: about, evidence: said });
  const what =
    about.kind === 'process'
      ? about.executable
      : about.kind === 'listener'
        ? `${value(said, 'executable')} ${about.protocol}`
        : about.kind === 'host'
          ? about.name
          : '';
  return { id, owner, class: [owner, evidence_class, what].join('\0') };
}

/** Of groups of equal size the last, which is the newest. */
const largest = <T extends { readonly size: number }>(groups: Iterable<T>): T | undefined => {
  let most: T | undefined;
  for (const group of groups) if (most === undefined || group.size >= most.size) most = group;
  return most;
};

function nth<T>(rows: Iterable<T>, index: number): T {
  let at = 0;
  for (const row of rows) if (at++ === index) return row;
  throw new RangeError(`no row ${index}`);
}

/**
 * The rows to delete, of rows from oldest to newest: each time of the owner with the most rows (of equals the newest) a repetition,
 * the oldest but the first of its kind, or, where each kind has one row, the oldest of the newer half. A flood evicts its own rows.
 */
function victimsOf(rows: readonly Candidate[], count: number): readonly Candidate[] {
  const owners = new Map<string, Set<Candidate>>();
  const classes = new Map<string, Map<string, Set<Candidate>>>();
  for (const row of rows) {
    const own = owners.get(row.owner) ?? new Set();
    const kinds = classes.get(row.owner) ?? new Map<string, Set<Candidate>>();
    const alike = kinds.get(row.class) ?? new Set();
    owners.set(row.owner, own.add(row));
    classes.set(row.owner, kinds.set(row.class, alike.add(row)));
  }
  const victims: Candidate[] = [];
  while (victims.length < count) {
    const own = largest(owners.values());
    const [first] = own ?? [];
    if (own === undefined || first === undefined) break;
    const kinds = classes.get(first.owner) as Map<string, Set<Candidate>>;
    const alike = largest(kinds.values()) as Set<Candidate>;
    const repeated = alike.size > 1;
    const victim = repeated ? nth(alike, 1) : nth(own, own.size >> 1);
    victims.push(victim);
    own.delete(victim);
    kinds.get(victim.class)?.delete(victim);
  }
  return victims;
}

export class FindingShares {
  readonly #db: Database;
  readonly #dropped: DroppedCounts;
  #agedSec = Number.NEGATIVE_INFINITY;

  constructor(database: Database, dropped: DroppedCounts) {
    this.#db = database;
    this.#dropped = dropped;
  }

  /** Cuts back the shares that these closed findings belong to. Within a transaction; `at` is RFC 3339. */
  cut(closed: readonly DroppedFinding[], at: string): void {
    const shares = new Map(closed.map((one) => [`${one.check}\0${one.severity}`, one]));
    for (const share of shares.values()) this.#cutShare(share, at);
  }

  /** Drops high and critical findings that closed `KEPT_SEC` of service time ago. Within a transaction; `at` is RFC 3339. */
  age(serviceSec: number, at: string): void {
    if (serviceSec - this.#agedSec < AGE_EVERY_SEC) return;
    this.#agedSec = serviceSec;
    const old = this.#db.all<DroppedFinding & { readonly id: string }>(
      `SELECT id, "check", severity FROM findings
       WHERE state = 'closed' AND severity IN ('high', 'critical') AND changed_sec <= ?`,
      serviceSec - KEPT_SEC,
    );
    for (const { id, ...one } of old) {
      this.#db.run('DELETE FROM findings WHERE id = ?', id);
      this.#dropped.addFindings(one, 1, 'age', at);
    }
  }

  /** Cuts back the history of a finding: first its repeated openings and closings, the very first lines stay. Within a transaction. */
  cutLines(id: string, severity: Severity): void {
    const count = this.#db.first('SELECT count(*) FROM finding_events WHERE finding = ?', id)?.[0] as number;
    if (count <= LINES[severity]) return;
    const lines = this.#db.all<{ readonly number: number; readonly event: string }>(
      'SELECT number, event FROM finding_events WHERE finding = ? ORDER BY number',
      id,
    );
    const over = lines.length - LINES[severity];
    const middle = lines.slice(2, -1);
    const flapping = middle.filter(({ event }) => event === 'opened again' || event === 'closed');
    const victims = [...flapping, ...middle.filter((line) => !flapping.includes(line))].slice(0, over);
    for (const { number } of victims) this.#db.run('DELETE FROM finding_events WHERE number = ?', number);
  }

  #cutShare({ check, severity }: DroppedFinding, at: string): void {
    const of = `FROM findings WHERE state = 'closed' AND "check" = ? AND severity = ?`;
    const count = this.#db.first(`SELECT count(*) ${of}`, check, severity)?.[0] as number;
    const share = SHARE[severity];
    if (count <= share * SLACK) return;
    const rows = this.#db
      .all<ShareRow>(
        `SELECT id, subject, evidence, evidence_class ${of} ORDER BY first_changed`,
        check,
        severity,
      )
      .map(candidateOf);
    const victims = victimsOf(rows, Math.min(rows.length - share, MOST_AT_ONCE));
    for (const { id } of victims) this.#db.run('DELETE FROM findings WHERE id = ?', id);
    this.#dropped.addFindings({ check, severity }, victims.length, 'share', at);
  }
}
