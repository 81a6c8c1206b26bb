import type { Check } from './check.ts';

/**
 * The keyed digest of the held generation does not verify. It is computed at the start, whenever another process has written
 * to the store, and each hour; every recheck takes the answer.
 */
export const baselineTampered: Check = {
  id: 'baseline-tampered',
  avenue: 'secure_learn',
  severity: 'critical',
  tier: 1,
  techniques: ['T1562.001', 'T1565.001'],
  text: {
    about: 'The baseline was changed after it was learned, or its digest can no longer be verified.',
    benign: 'A state folder restored from a backup without its key, or edited by hand.',
    remedy:
      'go back to a generation that verifies with desk baseline restore, or start over with desk baseline restore 0 and desk secure learn once',
  },
  judge({ baseline }, report) {
    // Without a store there is no baseline.
    if (!baseline) return;
    const { integrity, integrityDetail, generation } = baseline;
    if (integrity === 'sound') return report.pass();
    if (integrity === 'unread') {
      const reason = 'the baseline could not be read from the store';
      return report.blind({ reason, cure: "check the state folder's disk and the log" });
    }
    report.fail({
      subject: { kind: 'desk' },
      summary:
        integrity === 'key-lost'
          ? `The key of the baseline is lost: ${integrityDetail}, so it cannot be verified that generation ${generation} is the one that was learned`
          : `The baseline was changed from outside: ${integrityDetail}`,
      evidence: { generation, state: integrity, detail: integrityDetail },
      evidenceClass: integrity,
    });
  },
};
