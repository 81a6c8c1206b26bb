/** The tables of a state folder, and hand-made rows of a baseline. */
import { join } from 'node:path';
import type { BaselineRow, NewGeneration, RowKind } from '../../src/features/baseline/rows.ts';
import type { Taught } from '../../src/features/baseline/tables.ts';
import type { RunRecord } from '../../src/features/gate/gate-runs.ts';
import { StoredSamples } from '../../src/features/history/stored-samples.ts';
import { SiteLines } from '../../src/features/site/site-lines.ts';
import { openStore, tablesOf } from '../../src/service/tables.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Access } from '../../src/store/store.ts';

/** The tables of the desk and of its features. */
export const allTables = (access: Access) => ({
  ...tablesOf(access),
  samples: new StoredSamples(access),
  site: new SiteLines(access),
});
export type Tables = ReturnType<typeof allTables>;

/** The store under its tables, which throws on errors. */
export const openTables = (...place: Parameters<typeof openStore>): Tables => allTables(openStore(...place));

/** Works with the tables of a folder and closes them. */
export function within<T>(folder: string, work: (store: Tables) => T, recover = true): T {
  const store = openTables(folder, { recover });
  try {
    return work(store);
  } finally {
    store.access.store.close();
  }
}

/** Works on the database directly, as an intruder with a shell would. */
export function inDatabase<T>(
  folder: string,
  work: (database: ReturnType<typeof openDatabase>) => T,
  options?: Parameters<typeof openDatabase>[1],
): T {
  const database = openDatabase(join(folder, 'desk.db'), options);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export const rowFrom = (text: string, parts: Partial<BaselineRow> = {}): BaselineRow => ({
  kind: 'identity' as RowKind,
  key: Buffer.from(text),
  text,
  detail: '',
  review: false,
  ...parts,
});

export const generationFrom = (
  rows: readonly BaselineRow[],
  parts: Partial<NewGeneration> = {},
): NewGeneration => ({
  how: 'learned',
  privilege: 'uid 0, capabilities 1ff',
  learnedAt: '2026-01-02T03:04:05.000+00:00',
  parent: 0,
  rows,
  ...parts,
});

/** A run of the gate with everything it learns. */
export type Run = Omit<RunRecord, 'teach'> & Taught;

/** Records a run as learning does; the number of the generation that it made. */
export function recordRun(
  { gate, baseline }: Pick<Tables, 'gate' | 'baseline'>,
  { run, changes, residue, ...taught }: Run,
): number | null {
  const teach = () => baseline.teach(taught, residue, run.at);
  const recorded = gate.record({ run, changes, residue, teach });
  return recorded === false ? null : recorded.generation;
}

export const runFrom = (parts: Partial<Run> = {}): Run => ({
  run: {
    at: '2026-01-02T03:04:05.000+00:00',
    mode: 'scar',
    state: 'pass',
    scarCount: 0,
    god: 1,
    steps: [{ step: 'cook', ok: true, ms: 1, detail: 'observation 1' }],
  },
  changes: [],
  residue: [],
  seen: [],
  generation: null,
  closesWindow: null,
  ...parts,
});
