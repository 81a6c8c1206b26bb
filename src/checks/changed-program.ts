import { createHash } from 'node:crypto';
import { LEARN, UNREAD } from './blindness.ts';
import type { ContentCheck, ContentContext, FailParts } from './check.ts';
import { compare, contentClass, contentText, type Image } from './content.ts';

/** Pids that evidence names. */
const MOST_PIDS = 16;
/** Other contents of one program that are findings of their own; further ones are one together. */
const MOST_CONTENTS = 8;

type Running = ContentContext['running'][number];
type Changed = Running & { readonly image: Image };

/**
 * A learned path runs with other content than was learned. It is judged by the file that the process runs (proc_pid_exe(5)), not
 * by what lies at its path now. What an interpreter runs is not examined. Each other content is a finding of its own, so that
 * accepting one does not cover the next one.
 */
export const changedProgram: ContentCheck = {
  id: 'changed-program',
  avenue: 'new_comm',
  severity: 'medium',
  tier: 2,
  techniques: ['T1554'],
  text: {
    about: 'The file of a learned program has other content than the learned one.',
    benign: 'A package upgrade, or a program that you built or replaced yourself.',
    remedy: 'check where the new file comes from, then accept it with desk secure learn once',
  },
  content({ program, running, learned }, report) {
    if (program === '') return report.blind({ ...UNREAD, subjects: running.length });
    const hides = (subject: FailParts['subject']): boolean =>
      subject.kind === 'file' && subject.path === program;
    if (learned.length === 0)
      return report.blind({
        reason: 'the content of some learned programs was never recorded',
        cure: LEARN,
        hides,
      });
    const changed = new Map<string, Changed[]>();
    const open = new Set<string>();
    for (const one of running) {
      const { image, sha256, name } = one;
      const how = image === null ? 'unread' : compare(image, sha256, learned);
      if (how === 'pending' || how === 'unread') open.add(how);
      if (how !== 'changed' || image === null) continue;
      // Always the same eight have a finding of their own while they run.
      const key = changed.has(name) || changed.size < MOST_CONTENTS ? name : OTHERS;
      const same = changed.get(key) ?? [];
      same.push({ ...one, image });
      changed.set(key, same);
    }
    for (const [name, some] of changed) report.fail(failOf(program, name, some, learned));
    if (open.has('pending'))
      report.blind({
        reason: 'the content of some programs that changed is still being read',
        cure: 'it is judged once it is read',
        hides,
      });
    if (open.has('unread'))
      report.blind({
        reason: 'the content of some programs that changed could not be read',
        cure: UNREAD.cure,
        hides,
      });
    if (changed.size === 0 && open.size === 0) report.pass();
  },
};

const OTHERS = 'others';

function failOf(
  program: string,
  name: string,
  found: readonly Changed[],
  learned: ContentContext['learned'],
): FailParts {
  // Two helpers read at once, so the order is arbitrary.
  const sorted = found.toSorted((one, other) => one.subject.pid - other.subject.pid);
  const [{ subject, image, sha256 = '' }] = sorted as [Changed, ...Changed[]];
  const classes = [...new Set(sorted.map((one) => contentClass(one.image, one.sha256 ?? '')))].sort();
  const pids = sorted.map((one) => one.subject.pid);
  const some = pids.slice(0, MOST_PIDS).join(', ');
  const of = createHash('sha256').update(classes.join('\n')).digest('hex');
  return {
    subject: { kind: 'file', path: program, content: name },
    // What accepts it covers this content and no later one.
    evidenceClass: name === OTHERS ? `${classes.length} other contents ${of}` : classes.join(', '),
    summary: `${program} is not the program that was learned: ${pids.length === 1 ? `process ${some} runs` : `${pids.length} processes run`} other content`,
    evidence: {
      executable: subject.executable,
      running: contentText({ ...image, sha256 }),
      learned: learned.map(contentText).join(' or '),
      processes: pids.length > MOST_PIDS ? `${some} and ${pids.length - MOST_PIDS} more` : some,
      uid: subject.uid ?? 'unknown',
    },
  };
}
