import type { Law } from '../policy/law.ts';
import { LEARN } from './blindness.ts';
import type { BaselineState, Check, FailParts } from './check.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Whether there is a baseline to judge by, closed, of our own privileges and not too old. */
export const learningOpen: Check = {
  id: 'learning-open',
  avenue: 'secure_learn',
  severity: 'low',
  tier: 1,
  techniques: ['T1562.001'],
  text: {
    about: 'The baseline is too old, still open for learning, or was learned with other privileges.',
    benign: 'A new installation, or a learning window you opened yourself.',
    remedy: 'learn the machine with desk secure learn once, when it is in the state you trust',
  },
  judge({ known, baseline, snapshot, law }, report) {
    if (known === null)
      return report.blind(
        baseline?.firstUse === true
          ? {
              reason: 'this is the first use: the baseline is learned after the first complete scan',
              cure: '',
            }
          : { reason: 'the held generation is the empty baseline', cure: LEARN },
      );
    const fail = baseline ? openness(baseline, snapshot.at.epochMs, law) : null;
    if (fail === null) report.pass();
    else report.fail({ subject: { kind: 'desk' }, ...fail });
  },
};

/** The first thing that is wrong; null when nothing is. */
function openness(
  { window, learnedMs, privilege, privilegeNow, generation }: BaselineState,
  nowMs: number,
  law: Law,
): Omit<FailParts, 'subject'> | null {
  if (window !== null && nowMs - window.openedMs > law.windowMin * MINUTE_MS)
    return {
      summary: `A learning window has been open for ${Math.floor((nowMs - window.openedMs) / MINUTE_MS)} minutes`,
      evidence: { until: new Date(window.untilMs).toISOString() },
      evidenceClass: 'window',
      remedy: 'close it with desk secure learn once',
    };
  const days = learnedMs === null ? 0 : (nowMs - learnedMs) / DAY_MS;
  if (days > law.learningDays)
    return {
      summary: `Generation ${generation} of the baseline is ${Math.floor(days)} days old, more than the law's ${law.learningDays}`,
      evidence: { days: Math.floor(days) },
      evidenceClass: 'age',
    };
  if (privilege !== '' && privilegeNow !== '' && privilege !== privilegeNow)
    return {
      summary: `Generation ${generation} was learned with other privileges (${privilege}) than we have now (${privilegeNow})`,
      evidence: { learned_with: privilege, now: privilegeNow },
      evidenceClass: 'privilege',
    };
  return null;
}
