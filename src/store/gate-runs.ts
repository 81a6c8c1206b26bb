/** Runs of the scar gate as rows, and the residue that each set aside. What writes is called within a transaction. */
import type { GateFacts, GateStep } from '../records/moment.ts';
import type { ResidueRow } from './baseline.ts';
import type { Database } from './database.ts';

export interface GateRun {
  /** RFC 3339. */
  readonly at: string;
  /** `scar` stopped at the gate, `check` told what cook-off would do, `cook` did it. */
  readonly mode: 'scar' | 'check' | 'cook';
  readonly state: GateFacts['state'];
  readonly scarCount: number;
  /** Authoritative generations counted at the run. */
  readonly god: number;
  readonly steps: readonly GateStep[];
}

interface GateRow {
  readonly at: string;
  readonly mode: GateRun['mode'];
  readonly state: GateRun['state'];
  readonly scar_count: number;
  readonly god: number;
  readonly steps: string;
}

/** Rows kept; older ones go, so that a flapping subject cannot fill the disk. */
const keptRuns = 5_000;
const keptResidue = 200;

/** Newest first. */
export const gateRuns = (database: Database, limit: number): readonly GateRun[] =>
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

export function saveGateRun(database: Database, run: GateRun, residue: readonly ResidueRow[]): void {
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
