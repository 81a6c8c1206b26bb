import { TRAIT } from '../engine/native/batch-types.ts';
import type { Check } from './check.ts';
import { executableUnread, trait, USER_SPACE } from './conditions.ts';
import { inspectWhileItRuns, withoutDeleted } from './executables.ts';
import { all, not } from './rule.ts';
import { ageOf, processSubject, processText } from './subjects.ts';

/**
 * A process whose executable is no longer in its place (proc_pid_exe(5)). Where another file has that path, in a folder of the
 * system, a package was upgraded: that is a note, and asks for a restart.
 */
export const deletedExecutable: Check = {
  id: 'deleted-executable',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  techniques: ['T1070.004'],
  key: ['executable'],
  text: {
    about: 'The file of a running program was deleted, so it cannot be checked by its path.',
    benign: 'A package that was upgraded or removed while its program ran, or an image layer of a container.',
    remedy: inspectWhileItRuns('PID'),
  },
  causes: [
    {
      name: 'own-name',
      why: 'nothing was deleted: the file name ends in " (deleted)"',
      evidenceClass: ['own name'],
    },
    {
      name: 'other-mount-namespace',
      why: 'the file still exists in another mount namespace, as in the layers of a container',
      evidenceClass: ['other mount namespace'],
    },
  ],
  rule: () => ({
    ...USER_SPACE,
    blind: [executableUnread],
    fails: all(trait(TRAIT.deleted), not(trait(TRAIT.memfd))),
  }),
  given: ({ snapshot: { host, processes } }, row) => host.fates.get(processes.columns.pid[row] ?? 0) ?? '',
  explain({ snapshot }, row) {
    const subject = processSubject(snapshot.processes, row);
    const { pid, comm } = subject;
    const executable = withoutDeleted(subject.executable);
    const fate = snapshot.host.fates.get(pid) ?? 'unknown';
    const elsewhere = fate === 'linked' && snapshot.processes.columns.container[row] === 1;
    const common = {
      subject,
      evidence: { executable, fate, started_sec_ago: ageOf(snapshot, row) },
      evidenceClass: elsewhere ? 'other mount namespace' : fate,
      // It is about to end, as a service does whose package is upgraded, or the reading takes long.
      unattributed: fate === 'unknown',
    };
    if (fate === 'replaced')
      return {
        ...common,
        severity: 'low',
        summary: `process ${pid} still runs the old ${executable}, which was replaced: most likely its package was upgraded`,
        remedy: `restart ${comm} (process ${pid}) so that it runs the upgraded ${executable}`,
      };
    return {
      ...common,
      summary: `${processText(subject)} runs ${executable}, and that file was deleted`,
      remedy: inspectWhileItRuns(pid),
    };
  },
};
