/** The scar gate: runs of the pipeline, each one transaction of the store, and their history. */
export * from './api.ts';
export { GateRuns, migrations, type ResidueRow } from './gate-runs.ts';
export { type GateOutcome, type Lesson, ScarGate } from './scar-gate.ts';
