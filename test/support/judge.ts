/** Judges hand-made snapshots as the service does: compiled checks, the native batch, inline. */
import type { Check, CheckContext } from '../../src/checks/check.ts';
import type { CheckRuns } from '../../src/checks/check-runs.ts';
import { Judge } from '../../src/checks/judge.ts';
import type { Verdicts } from '../../src/checks/verdicts.ts';
import { Batch } from '../../src/engine/batch.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { Explainer } from '../../src/findings/suppression.ts';

const encoder = new TextEncoder();

/** Hash of the `identity` and `key` columns. */
export const hashText = (text: string): bigint => loadNative().addon.hashIdentity(encoder.encode(text));

export function judgeBy(checks: readonly Check[], context: CheckContext, runs?: CheckRuns): Verdicts {
  const { snapshot, law, known } = context;
  const judge = new Judge(checks, law, known, hashText, runs);
  const batch = new Batch(loadNative().addon);
  try {
    const rows = {
      columns: snapshot.columns,
      processes: snapshot.processes.count,
      listeners: snapshot.listeners.length,
    };
    const { answers } = batch.runInline(judge.jobs(snapshot), rows);
    return judge.verdicts(context, answers);
  } finally {
    batch.close();
  }
}

/** Explains verdicts as a first recheck does. */
export const explained = (...asked: Parameters<Explainer['explained']>) =>
  new Explainer().explained(...asked);
