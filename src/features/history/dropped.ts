/** Counts of what the store no longer keeps, by severity and check. They outlive what they count. */
import type { Severity } from '../../policy/severity.ts';
import { type Dropped, NOTHING_DROPPED } from '../../records/state.ts';
import type { Store } from '../../store/store.ts';

/** `share`: its check had too many of its severity; `age`: older than is kept; `unwritten`: never stored, the store took nothing. */
type DropReason = 'share' | 'age' | 'unwritten';

export interface DroppedFinding {
  readonly check: string;
  readonly severity: Severity;
}

interface DroppedRow {
  readonly kind: 'finding' | 'gate-run' | 'line' | 'residue';
  readonly check: string;
  readonly severity: Severity | '';
  readonly count: number;
  readonly last_at: string;
}

const MOST_CHECKS = 5;

const KEPT = 'dropped';

export class DroppedCounts {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get total(): Dropped {
    return this.#store.kept(KEPT, () => this.#read());
  }

  /** Within a transaction, as below. `at` is RFC 3339. */
  addFindings({ check, severity }: DroppedFinding, count: number, reason: DropReason, at: string): void {
    this.#add(['finding', check, severity, reason], count, at);
  }

  /** `residue`: rows of what the scars of a run touched. */
  add(kind: 'gate-run' | 'residue', count: number, at: string): void {
    this.#add([kind, '', '', 'share'], count, at);
  }

  /** Lines of findings' histories that were never stored. */
  addLines(count: number, at: string): void {
    this.#add(['line', '', '', 'unwritten'], count, at);
  }

  /** Findings that closed up to this time may be gone, seconds since the epoch; null without. What goes by age closed `keptSec` earlier. */
  findingsUntilSec(keptSec: number): number | null {
    const sql = `SELECT max(unixepoch(last_at) - iif(reason = 'age', ?, 0)) FROM dropped WHERE kind = 'finding'`;
    return (this.#store.db.first(sql, keptSec)?.[0] as number | null | undefined) ?? null;
  }

  #add(
    key: readonly [kind: DroppedRow['kind'], check: string, severity: Severity | '', reason: DropReason],
    count: number,
    at: string,
  ): void {
    if (count === 0) return;
    this.#store.forget(KEPT);
    this.#store.db.run(
      `INSERT INTO dropped (kind, "check", severity, reason, count, last_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
       ON CONFLICT DO UPDATE SET count = count + ?5, last_at = ?6`,
      ...key,
      count,
      at,
    );
  }

  #read(): Dropped {
    const rows = this.#store.db.all<DroppedRow>(
      'SELECT kind, "check", severity, sum(count) AS count, max(last_at) AS last_at FROM dropped GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2',
    );
    const findings = { ...NOTHING_DROPPED.findings };
    for (const { severity, count } of rows) if (severity !== '') findings[severity] += count;
    const countOf = (kind: DroppedRow['kind']) => rows.find((row) => row.kind === kind)?.count ?? 0;
    return {
      findings,
      gateRuns: countOf('gate-run'),
      lines: countOf('line'),
      residue: countOf('residue'),
      lastAt: rows.reduce((newest, { last_at }) => (last_at > newest ? last_at : newest), ''),
      checks: rows
        .flatMap(({ check, severity, count }) => (severity === '' ? [] : [{ check, severity, count }]))
        .slice(0, MOST_CHECKS),
    };
  }
}
