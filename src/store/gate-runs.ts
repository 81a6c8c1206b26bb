/** Runs of the scar gate as rows, and the residue that each set aside. What writes is called within a transaction. */
import type { GateStep } from '../findings/pipeline.ts';
import type { PastRun } from '../records/scar-runs.ts';
import { type ResidueRow, rowId } from './baseline.ts';
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
/** Runs whose residue is kept, and rows of it per run. */
const keptResidue = 200;
export const RESIDUE_ROWS = 100;

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

/** The first rows of each owner in turn, as many as are kept: a flood of one user leaves room for the rows of the others. */
function fairly(rows: readonly ResidueRow[]): readonly ResidueRow[] {
  if (rows.length <= RESIDUE_ROWS) return rows;
  const owners = new Map<string, ResidueRow[]>();
  for (const row of rows) {
    const own = owners.get(row.owner);
    if (own === undefined) owners.set(row.owner, [row]);
    else if (own.length < RESIDUE_ROWS) own.push(row);
  }
  const turns = [...owners.values()].flatMap((own) => own.map((row, turn) => ({ row, turn })));
  return turns
    .sort((a, b) => a.turn - b.turn)
    .slice(0, RESIDUE_ROWS)
    .map(({ row }) => row);
}

/** The same rows, each once. */
const distinct = (rows: readonly ResidueRow[]): readonly ResidueRow[] => [
  ...new Map(rows.map((row) => [`${row.finding} ${rowId(row)}`, row])).values(),
];

/** What was dropped: runs, to make room for it, and rows of its residue. */
export function saveGateRun(
  database: Database,
  run: PastRun,
  residue: readonly ResidueRow[],
): { readonly runs: number; readonly residue: number } {
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
  const touched = distinct(residue);
  const kept = fairly(touched);
  if (kept.length > 0)
    database.run(
      `INSERT INTO residue VALUES ${kept.map(() => '(?, ?, ?, ?, ?)').join(', ')}`,
      ...kept.flatMap(({ finding, severity, kind, key }) => [number, finding, severity, kind, key]),
    );
  database.run('DELETE FROM residue WHERE run <= ?', number - keptResidue);
  return { runs: cut(database, mode), residue: touched.length - kept.length };
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
