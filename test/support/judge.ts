/** Judges hand-made snapshots as the service does: compiled checks, the native batch, inline. */
import type { Check, CheckContext } from '../../src/checks/check.ts';
import type { CheckRuns } from '../../src/checks/check-runs.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { Judge } from '../../src/checks/judge.ts';
import type { Verdicts } from '../../src/checks/verdicts.ts';
import { Batch, type BatchJob, type BatchOutcome } from '../../src/engine/batch.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { Explainer } from '../../src/findings/suppression.ts';

const encoder = new TextEncoder();

/** Hash of the `identity` and `key` columns. */
export const hashText = (text: string): bigint => loadNative().addon.hashIdentity(encoder.encode(text));

export function checkOf(id: string): Check {
  const check = CHECKS.find((candidate) => candidate.id === id);
  if (check === undefined) throw new Error(`no check ${id}`);
  return check;
}

/** Runs batch programs over a snapshot in this thread. */
export function runInline(
  jobs: readonly BatchJob[],
  { columns, processes, listeners }: Snapshot,
): BatchOutcome {
  const batch = new Batch(loadNative().addon);
  try {
    return batch.runInline(jobs, { columns, processes: processes.count, listeners: listeners.length });
  } finally {
    batch.close();
  }
}

export function judgeBy(checks: readonly Check[], context: CheckContext, runs?: CheckRuns): Verdicts {
  const { snapshot, law, known } = context;
  const judge = new Judge(checks, law, known, hashText, runs);
  return judge.verdicts(context, runInline(judge.jobs(snapshot), snapshot).answers);
}

/** Explains verdicts as a first recheck does. */
export const explained = (...asked: Parameters<Explainer['explained']>) =>
  new Explainer().explained(...asked);
