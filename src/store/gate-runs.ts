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

/**
 * Rows kept, so that a flapping subject cannot fill the disk: of requested runs the newest; of automatic ones every second one
 * of the older half goes, so that what is left reaches back further than a flood.
 */
const keptAsked = 1_000;
const keptAutomatic = 4_000;
/** Runs are cut back once there are this many too many. */
const slack = 100;
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

/** The number of runs that were dropped for it. */
export function saveGateRun(database: Database, run: PastRun, residue: readonly ResidueRow[]): number {
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
  return cut(database, mode);
}

function cut(database: Database, mode: PastRun['mode']): number {
  const asked = mode !== 'scar';
  const kept = asked ? keptAsked : keptAutomatic;
  const which = asked ? "mode <> 'scar'" : "mode = 'scar'";
  if (database.number(`SELECT count(*) FROM gate_runs WHERE ${which}`) < kept + slack) return 0;
  const places = `SELECT number, row_number() OVER (ORDER BY number) AS place FROM gate_runs WHERE ${which}`;
  const go = asked ? `place <= ${slack}` : `place <= ${kept / 2} AND place % 2 = 0`;
  database.run(`DELETE FROM gate_runs WHERE number IN (SELECT number FROM (${places}) WHERE ${go})`);
  return database.number('SELECT changes()');
}
