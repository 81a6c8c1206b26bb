import type { PeekCheck } from './check.ts';
import { isRefused, PARTS } from './peek-facts.ts';
import { partOf, processText } from './peeked.ts';

/** A process that blocks its readers, or shows no command line. */
export const unreadableProcess: PeekCheck = {
  id: 'unreadable-process',
  avenue: 'scar',
  severity: 'high',
  tier: 2,
  text: {
    about:
      'The process does not let its memory files be read: ps, lsof and every tool that tries hangs on it.',
    benign:
      'Memory on a file system whose server is stuck (FUSE, NFS). An empty command line: a program that wiped its own.',
    remedy: 'end the server behind the mapped file, or the process',
  },
  peek(context, report) {
    const { subject, facts } = context;
    const wedged = PARTS.some((part) => {
      const value = facts[part];
      return isRefused(value) && value.code === 'ETIMEDOUT' && value.source === 'deadline';
    });
    if (wedged) {
      report.fail({
        subject,
        evidenceClass: 'blocks-readers',
        summary: `${processText(context)} does not let its memory files be read`,
        evidence: { answered: 'not within the deadline, twice' },
      });
      return;
    }
    const empty = partOf(context, 'emptyCommandLine', report);
    if (empty === null) return;
    if (!empty) return report.pass();
    report.fail({
      subject,
      severity: 'low',
      evidenceClass: 'empty-command-line',
      summary: `${processText(context)} has an empty command line`,
      evidence: { command_line: 'empty' },
      remedy: 'find out which program wiped its command line',
    });
  },
};
