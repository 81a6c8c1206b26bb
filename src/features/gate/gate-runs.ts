/** Runs of the scar gate as rows, and the residue that each set aside. */
import type { GateStep } from '../../findings/pipeline.ts';
import type { PastRun } from '../../records/scar.ts';
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';
import { type FindingChanges, type FindingHistory, RECORD } from '../history/index.ts';

export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE gate_runs (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('scar', 'check', 'cook')),
        state TEXT NOT NULL CHECK (state IN ('pass', 'fail')),
        scar_count INTEGER NOT NULL,
        god INTEGER NOT NULL,
        steps TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 2,
    sql: `
      -- C of each run: what its scars touch.
      CREATE TABLE residue (
        run INTEGER NOT NULL REFERENCES gate_runs (number) ON DELETE CASCADE,
        finding TEXT NOT NULL,
        severity TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('identity', 'listener', 'class')),
        key BLOB NOT NULL,
        PRIMARY KEY (run, finding, kind, key)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];

/** What a scar of a run touches: never learned by that run. */
export interface ResidueRow {
  readonly finding: string;
  /** Who caused the finding (`ownerOf`); not stored. */
  readonly owner: string;
  readonly severity: string;
  readonly kind: 'identity' | 'listener' | 'class';
  readonly key: Uint8Array;
}

/** A run of the gate with everything that it changes. */
export interface RunRecord {
  readonly run: PastRun;
  readonly changes: readonly FindingChanges[];
  /** C: what the scars of this run touch. */
  readonly residue: readonly ResidueRow[];
  /** Writes what the run teaches, in the same transaction; the number of the generation that it makes, null without one. */
  readonly teach: () => number | null;
}

/** Steps are JSON. */
type GateRow = Omit<PastRun, 'steps'> & { readonly steps: string };

/** Rows kept: the newest requested runs; of automatic ones every second of the older half goes, to reach back further than a flood. */
const keptAsked = 1_000;
const keptAutomatic = 4_000;
/** Runs are cut back once there are this many too many. */
const slack = 100;
/** Runs whose residue is kept, and rows of it per run. */
const keptResidue = 200;
export const RESIDUE_ROWS = 100;

/** The first rows of each owner alternately, as many as are kept: a flood of one user leaves room for the rows of the others. */
function fairly(rows: readonly ResidueRow[]): readonly ResidueRow[] {
  if (rows.length <= RESIDUE_ROWS) return rows;
  const owners = new Map<string, ResidueRow[]>();
  for (const row of rows) {
    const own = owners.get(row.owner);
    if (own === undefined) owners.set(row.owner, [row]);
    else if (own.length < RESIDUE_ROWS) own.push(row);
  }
  return [...owners.values()]
    .flatMap((own) => own.map((row, rank) => ({ row, rank })))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, RESIDUE_ROWS)
    .map(({ row }) => row);
}

const distinct = (rows: readonly ResidueRow[]): readonly ResidueRow[] => [
  ...new Map(
    rows.map((row) => [`${row.finding} ${row.kind} ${Buffer.from(row.key).toString('latin1')}`, row]),
  ).values(),
];

const KEPT = 'gate runs';

export class GateRuns {
  readonly #access: Access;
  readonly #history: FindingHistory;

  constructor(access: Access, history: FindingHistory) {
    this.#access = access;
    this.#history = history;
  }

  /** Newest first. */
  list(limit: number): readonly PastRun[] {
    return this.#access.read('gateRuns', () => this.#list(limit), [], String(limit));
  }

  last(): PastRun | null {
    const { store } = this.#access;
    const read = () => store.kept(KEPT, () => this.#list(1)[0] ?? null);
    return this.#access.read<PastRun | null>('lastGateRun', read, null, '');
  }

  /** One transaction: all of a run or nothing. What `teach` returned; false when the run could not be recorded. */
  record({ run, changes, residue, teach }: RunRecord): { readonly generation: number | null } | false {
    const { records, store } = this.#access;
    if (!records) return { generation: null };
    const write = () => {
      store.forget(KEPT);
      for (const change of changes) this.#history.save(change);
      this.#history.addDropped(this.#save(run, residue), run.at);
      return { generation: teach() };
    };
    return this.#access.write<ReturnType<typeof write> | false>('recordRun', write, false, RECORD);
  }

  #list(limit: number): readonly PastRun[] {
    const sql = `SELECT at, mode, state, scar_count AS scarCount, god, steps FROM gate_runs
      ORDER BY number DESC LIMIT ?`;
    return this.#access.store.db
      .all<GateRow>(sql, limit)
      .map((row) => ({ ...row, steps: JSON.parse(row.steps) as GateStep[] }));
  }

  /** What was dropped: runs, to make room for it, and rows of its residue. */
  #save(run: PastRun, residue: readonly ResidueRow[]): { readonly runs: number; readonly residue: number } {
    const { db: database } = this.#access.store;
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
    return { runs: this.#cut(mode), residue: touched.length - kept.length };
  }

  #cut(mode: PastRun['mode']): number {
    const { db: database } = this.#access.store;
    const asked = mode !== 'scar';
    const kept = asked ? keptAsked : keptAutomatic;
    const which = asked ? "mode <> 'scar'" : "mode = 'scar'";
    if (database.number(`SELECT count(*) FROM gate_runs WHERE ${which}`) < kept + slack) return 0;
    const places = `SELECT number, row_number() OVER (ORDER BY number) AS place FROM gate_runs WHERE ${which}`;
    const go = asked ? `place <= ${slack}` : `place <= ${kept / 2} AND place % 2 = 0`;
    database.run(`DELETE FROM gate_runs WHERE number IN (SELECT number FROM (${places}) WHERE ${go})`);
    return database.number('SELECT changes()');
  }
}
