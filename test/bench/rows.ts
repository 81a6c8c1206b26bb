/** Hand-made result rows. */
import type { Comparison, Measured } from '../../bench/cases/case.ts';
import type { Row } from '../../bench/results.ts';

export const measured = (change: Partial<Measured> = {}): Measured => ({
  name: 'against peer',
  goals: [{ of: 'speedup', atLeast: 5 }],
  a: 'ours',
  unit: 'µs',
  rawA: [[10], [11], [9], [10], [12]],
  b: 'peer 1.0',
  rawB: [[100], [110], [90], [100], [120]],
  warmUp: 1,
  ...change,
});

export const row = (comparisons: readonly Comparison[], change: Partial<Row> = {}): Row => ({
  case: 'sweep',
  target: 'P1',
  title: 'A sweep',
  at: '2026-01-02T03:04:05.000Z',
  commit: '0123456789',
  machine: {
    cpu: 'A <CPU>',
    cores: 2,
    memoryGb: 8,
    kernel: '6.1.0',
    system: 'Debian',
    node: 'v20.0.0',
    user: 'root',
  },
  load: 1.5,
  point: { processes: 1000, listeners: 20, established: 0 },
  rounds: 5,
  passes: 12,
  facts: { backend: 'procfs', mark: 'x86_64' },
  comparisons,
  ...change,
});
