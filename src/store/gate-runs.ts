/** Runs of the scar gate as rows, and the residue that each set aside. What writes is called within a transaction. */
import type { GateStep } from '../records/moment.ts';
import type { PastRun } from '../records/scar-runs.ts';
import type { ResidueRow } from './baseline.ts';
import type { Database } from './database.ts';

interface GateRow {
  readonly at: string;
  readonly mode: PastRun['mode'];
  readonly state: PastRun['state'];
  readonly scar_count: number;
  readonly god: number;
  readonly steps: string;
}

/** Rows kept; older ones go, so that a flapping subject cannot fill the disk. */
const keptRuns = 5_000;
const keptResidue = 200;

/** Newest first. */
export const gateRuns = (database: Database, limit: number): readonly PastRun[] =>
  database
    .all<GateRow>('SELECT * FROM gate_runs ORDER BY number DESC LIMIT ?', limit)
    .map(({ at, mode, state, scar_count, god, steps }) => ({
      at,
      mode,
      state,
      scarCount: scar_count,
      god,
      steps: JSON.parse(steps) as GateStep[],
    }));

export function saveGateRun(database: Database, run: PastRun, residue: readonly ResidueRow[]): void {
  const { at, mode, state, scarCount, god, steps } = run;
  database.run(
    'INSERT INTO gate_runs (at, mode, state, scar_count, god, steps) VALUES (?, ?, ?, ?, ?, ?)',
    at,
    mode,
    state,
    scarCount,
    god,
    JSON.stringify(steps),
  );
  const number = database.number('SELECT max(number) FROM gate_runs');
  for (const { finding, severity, kind, key } of residue)
    database.run(
      'INSERT OR IGNORE INTO residue VALUES (?, ?, ?, ?, ?)',
      number,
      finding,
      severity,
      kind,
      key,
    );
  database.run('DELETE FROM residue WHERE run <= ?', number - keptResidue);
  database.run('DELETE FROM gate_runs WHERE number <= ?', number - keptRuns);
}
