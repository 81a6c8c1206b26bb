import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../engine/native/batch-types.ts';
import { FACT } from '../engine/native/types.ts';
import type { Check } from './check.ts';
import { executableUnread, trait, userSpace } from './conditions.ts';
import { lookWhileItRuns, withoutDeleted } from './executables.ts';
import { all, not } from './rule.ts';
import { ageOf, processSubject } from './subjects.ts';

/**
 * A process whose executable is not in its place any more (proc_pid_exe(5)). Where another file stands there, in a folder of
 * the system, a package was upgraded: that is a note, and asks for a restart.
 */
export const deletedExecutable: Check = {
  id: 'deleted-executable',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  key: ['executable'],
  text: {
    about: 'A program runs whose file was deleted, so that it cannot be looked at by its path.',
    benign: 'A package that was upgraded or removed while its program ran, or an image layer of a container.',
    remedy: lookWhileItRuns('PID'),
  },
  causes: [
    {
      name: 'own-name',
      why: 'nothing was deleted, the name of the file itself ends in " (deleted)"',
      evidenceClass: ['own name'],
    },
    {
      name: 'other-mount-namespace',
      why: 'the file still exists in another mount namespace, as in the layers of a container',
      evidenceClass: ['other mount namespace'],
    },
  ],
  rule: () => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: userSpace,
    blind: [executableUnread],
    fails: all(trait(TRAIT.deleted), not(trait(TRAIT.memfd))),
  }),
  given: ({ snapshot: { host, processes } }, row) => host.fates.get(processes.columns.pid[row] ?? 0) ?? '',
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const pid = table.columns.pid[row] ?? 0;
    const executable = withoutDeleted(textOf(table.exe(row)));
    const fate = snapshot.host.fates.get(pid) ?? 'unlinked';
    const elsewhere = fate === 'linked' && table.columns.container[row] === 1;
    const said = {
      subject: processSubject(table, row),
      evidence: { executable, fate, started_sec_ago: ageOf(snapshot, row) },
      evidenceClass: elsewhere ? 'other mount namespace' : fate,
    };
    if (fate === 'replaced')
      return {
        ...said,
        severity: 'low',
        summary: `process ${pid} still runs the old ${executable}, which was replaced: most likely its package was upgraded`,
        remedy: `restart ${textOf(table.comm(row))} (process ${pid}) so that it runs the upgraded ${executable}`,
      };
    return {
      ...said,
      summary: `process ${pid} (${textOf(table.comm(row))}) runs ${executable}, and that file was deleted`,
      remedy: lookWhileItRuns(pid),
    };
  },
};
