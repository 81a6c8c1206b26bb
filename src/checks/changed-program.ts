import type { ContentCheck } from './check.ts';
import { compare, contentText } from './content.ts';
import { LEARN, UNREAD } from './looks.ts';

/** Pids that are named in full. */
const MOST_PIDS = 16;

/**
 * A learned path runs with other content than was learned. It is judged by the file that the process runs (proc_pid_exe(5)), not
 * by what lies at its path now. What an interpreter runs is not looked at.
 */
export const changedProgram: ContentCheck = {
  id: 'changed-program',
  avenue: 'new_comm',
  severity: 'medium',
  tier: 2,
  text: {
    about: 'A learned program is no longer the one that was learned: its file has other content.',
    benign: 'A package upgrade, or a program that you built or replaced yourself.',
    remedy: 'check where the new file comes from, then accept it with desk secure learn once',
  },
  content({ program, running, learned }, report) {
    if (program === '') return report.blind({ ...UNREAD, subjects: running.length });
    if (learned.length === 0)
      return report.blind({
        reason: 'the content of some learned programs was never recorded',
        cure: LEARN,
        hides: (subject) => subject.kind === 'file' && subject.path === program,
      });
    const compared = running.map((one) => ({
      ...one,
      how: one.image === null ? 'unread' : compare(one.image, one.sha256, learned),
    }));
    // Two helpers look at once: who was seen first says nothing.
    const changed = compared
      .filter(({ how }) => how === 'changed')
      .sort((one, other) => one.subject.pid - other.subject.pid);
    const [first] = changed;
    if (first?.image) {
      const named = (content: string, size: number): string =>
        content === '' ? `size ${size}` : `sha256 ${content}`;
      const contents = changed.flatMap(({ image, sha256 }) =>
        image === null ? [] : [named(sha256 ?? '', image.size)],
      );
      const pids = changed.map(({ subject }) => subject.pid);
      const some = pids.slice(0, MOST_PIDS).join(', ');
      return report.fail({
        subject: { kind: 'file', path: program },
        // What accepts it covers this content and no later one.
        evidenceClass: [...new Set(contents)].sort().join(', '),
        summary: `${program} is not the program that was learned: ${pids.length === 1 ? `process ${some} runs` : `${pids.length} processes run`} other content`,
        evidence: {
          executable: first.subject.executable,
          running: contentText({ ...first.image, sha256: first.sha256 ?? '' }),
          learned: learned.map(contentText).join(' or '),
          processes: pids.length > MOST_PIDS ? `${some} and ${pids.length - MOST_PIDS} more` : some,
          uid: first.subject.uid ?? 'unknown',
        },
      });
    }
    if (compared.some(({ how }) => how === 'unread'))
      return report.blind({
        ...UNREAD,
        hides: (subject) => subject.kind === 'file' && subject.path === program,
      });
    report.pass();
  },
};
