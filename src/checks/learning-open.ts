import type { Check } from './check.ts';

/** Whether there is a baseline to judge by. */
export const learningOpen: Check = {
  id: 'learning-open',
  avenue: 'secure_learn',
  severity: 'low',
  tier: 1,
  text: {
    about: 'The desk has no closed baseline to compare the machine with.',
    benign: 'A new installation, or a learning window you opened yourself.',
    remedy: 'learn the machine once it is in the state you trust',
  },
  judge({ known }, report) {
    if (known === null)
      report.blind({
        reason: 'the held generation is the empty baseline, learning comes in a later version',
        cure: '',
      });
    else report.pass();
  },
};
