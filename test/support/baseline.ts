/** Rows of a baseline, made by hand. */
import type { BaselineRow, NewGeneration, RowKind } from '../../src/features/baseline/rows.ts';
import type { RunRecord } from '../../src/store/store.ts';

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

export const runFrom = (parts: Partial<RunRecord> = {}): RunRecord => ({
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
