import type { PeekCheck } from './check.ts';
import { isRefused, PARTS } from './peek-facts.ts';
import { partOf } from './peeked.ts';
import { processText } from './subjects.ts';

/** A process whose readers hang, or shows no command line. */
export const unreadableProcess: PeekCheck = {
  id: 'unreadable-process',
  avenue: 'scar',
  severity: 'high',
  tier: 2,
  techniques: ['T1564'],
  text: {
    about: 'The process blocks readers of its memory files: ps, lsof and similar tools hang on it.',
    benign:
      'Memory on a file system whose server is stuck (FUSE, NFS). An empty command line: a program that wiped its own.',
    remedy: 'end the server behind the mapped file, or the process',
  },
  peek(context, report) {
    const { subject, facts } = context;
    const hung = PARTS.some((part) => {
      const value = facts[part];
      return isRefused(value) && value.code === 'ETIMEDOUT' && value.source === 'deadline';
    });
    if (hung)
      return report.fail({
        subject,
        evidenceClass: 'blocks-readers',
        summary: `${processText(subject)} does not let its memory files be read`,
        evidence: { answered: 'not within the deadline, twice' },
      });
    const empty = partOf(context, 'emptyCommandLine', report);
    if (empty === null) return;
    if (!empty) return report.pass();
    report.fail({
      subject,
      severity: 'low',
      evidenceClass: 'empty-command-line',
      summary: `${processText(subject)} has an empty command line`,
      evidence: { command_line: 'empty' },
      remedy: 'find out which program wiped its command line',
    });
  },
};
