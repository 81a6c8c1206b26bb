/** The batch of `desk bench`: all process checks over a table of this machine's own processes, many times over. */
import { compileChecks, jobsOf } from '../checks/compile.ts';
import { CHECKS } from '../checks/index.ts';
import type { Config } from '../config/schema.ts';
import { Batch } from '../engine/batch.ts';
import { allocate, type Columns, columnsOver } from '../engine/native/columns.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { lawOf } from '../features/law/index.ts';

/** Rows of the table: beyond what any machine runs, and small enough to be made at once. */
export const BATCH_ROWS = 65_536;
const CAPACITY = { processes: BATCH_ROWS, sockets: 1, holders: 1, text: 1 };

export interface BenchBatch {
  /** Pairs of check and row that one run judges. */
  readonly pairs: number;
  /** µs of one run, in this thread. */
  run(): number;
  close(): void;
}

/** Repeats the processes of a snapshot (of an engine with this addon) until the table is full; each copy has its own family. */
function tableOf(native: NativeAddon, { processes }: Snapshot): Columns {
  const layout = native.layout(CAPACITY);
  const table = columnsOver(allocate(layout), layout, CAPACITY);
  const rows = processes.count;
  for (const [name, from] of Object.entries(processes.columns)) {
    const to = table.processes[name as keyof Columns['processes']];
    const width = to.length / BATCH_ROWS;
    for (let row = 0; row < BATCH_ROWS; row += rows) {
      const count = Math.min(rows, BATCH_ROWS - row);
      // Both columns have the type that the layout gives this name.
      (to as Uint8Array).set((from as Uint8Array).subarray(0, count * width), row * width);
    }
  }
  const { pid, ppid } = table.processes;
  for (let row = 0; row < BATCH_ROWS; row += 1) {
    const parent = processes.rowOf(ppid[row] as number);
    const first = row - (row % rows);
    ppid[row] = parent < 0 ? 1 : 1 + Math.min(first + parent, BATCH_ROWS - 1);
    pid[row] = row + 1;
  }
  return table;
}

/** Null when the snapshot has no processes. `config` gives the law. */
export function benchBatch(native: NativeAddon, snapshot: Snapshot, config: Config): BenchBatch | null {
  const { count } = snapshot.processes;
  if (count === 0) return null;
  // As if everything that runs had been learned: the usual state of a desk.
  const identities = new Set(snapshot.processes.columns.identity.subarray(0, count));
  identities.delete(0n);
  const hash = (text: string) => native.hashIdentity(new TextEncoder().encode(text));
  const compiled = compileChecks(
    CHECKS,
    lawOf(config),
    { identities, listeners: new Set(), classes: new Set() },
    hash,
  );
  const jobs = jobsOf(compiled, snapshot).filter(({ program }) => program.table === 'processes');
  const checks = compiled.checks.filter(
    (check) => 'job' in check && compiled.programs[check.job]?.program.table === 'processes',
  );
  const rows = { columns: tableOf(native, snapshot), processes: BATCH_ROWS, listeners: 0 };
  // Rows are looked up when they change, which is not part of a run.
  native.lookUp(rows.columns.bytes, CAPACITY, BATCH_ROWS, compiled.identities);
  const batch = new Batch(native, undefined, () => {});
  return {
    pairs: checks.length * BATCH_ROWS,
    run() {
      const started = process.hrtime.bigint();
      batch.runInline(jobs, rows);
      return Number(process.hrtime.bigint() - started) / 1000;
    },
    close: () => batch.close(),
  };
}
