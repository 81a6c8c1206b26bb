/** The tables of a state folder, and rows of a baseline, made by hand. */
import type { BaselineRow, NewGeneration, RowKind } from '../../src/features/baseline/rows.ts';
import type { Taught } from '../../src/features/baseline/tables.ts';
import type { RunRecord } from '../../src/features/gate/gate-runs.ts';
import { openStore, type Tables, tablesOf } from '../../src/service/tables.ts';

export type { Tables } from '../../src/service/tables.ts';

/** The store itself, which throws, under its tables. */
export const openTables = (...place: Parameters<typeof openStore>): Tables => tablesOf(openStore(...place));

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

/** A run of the gate with all that it teaches. */
export type Run = Omit<RunRecord, 'teach'> & Taught;

/** Records a run as learning does; the number of the generation that it made. */
export function recordRun(
  { gate, baseline }: Tables,
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
