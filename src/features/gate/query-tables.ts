/** What a query can ask of the gate. */
import { type DeskTable, earliest, ownColumn, recordTable } from '../../desk/query.ts';
import { pastRun } from '../../records/scar.ts';
import { storeGaps } from '../history/index.ts';
import { GATE } from './api.ts';

const MOST_RUNS = 5_000;

const gateRuns = recordTable({
  name: 'gate_runs',
  meaning: 'runs of the scar gate, the newest first',
  noun: ['run of the gate', 'runs of the gate'],
  key: ['at'],
  label: 'gate',
  time: 'at',
  columns: [pastRun, ownColumn('took_ms', 'number', 'how long its steps took together', { unit: 'ms' })],
  hints: { times: ['at'] },
  read: (desk) => {
    const runs = desk.use(GATE).runs(MOST_RUNS);
    return {
      rows: runs.map(({ state, scarCount, steps, ...run }) => ({
        ...run,
        gate: state,
        scar_count: scarCount,
        took_ms: steps.reduce((sum, { ms }) => sum + ms, 0),
      })),
      gaps: storeGaps(desk),
      fromMs: earliest(runs.map(({ at }) => at)),
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [gateRuns];
