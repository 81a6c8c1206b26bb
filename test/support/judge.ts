/** Judges hand-made snapshots as the service does: compiled checks, the native batch, inline. */
import type { Check, CheckContext } from '../../src/checks/check.ts';
import { compileChecks, jobsOf } from '../../src/checks/compile.ts';
import { judge } from '../../src/checks/judge.ts';
import { Explainer, type Verdicts } from '../../src/checks/verdicts.ts';
import { Batch } from '../../src/engine/batch.ts';
import { loadNative } from '../../src/native/load.ts';

const encoder = new TextEncoder();

/** Hash of the `identity` and `key` columns. */
export const hashText = (text: string): bigint => loadNative().addon.hashIdentity(encoder.encode(text));

export function judgeBy(checks: readonly Check[], context: CheckContext): Verdicts {
  const { snapshot, law, known } = context;
  const compiled = compileChecks(checks, law, known, hashText);
  const batch = new Batch(loadNative().addon);
  try {
    const rows = {
      columns: snapshot.columns,
      processes: snapshot.processes.count,
      listeners: snapshot.listeners.length,
    };
    const { answers } = batch.runInline(jobsOf(compiled, snapshot), rows);
    return judge(compiled, context, answers);
  } finally {
    batch.close();
  }
}

/** Explains verdicts as a first recheck does. */
export const explained = (...asked: Parameters<Explainer['explained']>) =>
  new Explainer().explained(...asked);
