import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../native/batch-types.ts';
import { FACT } from '../native/types.ts';
import type { Check, CheckContext } from './check.ts';
import { executableUnread, trait, userSpace } from './conditions.ts';
import { isStarter, oddFolder, withoutDeleted } from './executables.ts';
import { any } from './rule.ts';
import { isLoggedIn, processSubject } from './subjects.ts';

/** Whether a logged-in user's learned shell or build tool started it. */
function wasStartedByHand({ snapshot, known }: CheckContext, row: number): boolean {
  const { processes } = snapshot;
  const parent = processes.rowOf(processes.columns.ppid[row] ?? 0);
  return (
    parent >= 0 &&
    isStarter(textOf(processes.exe(parent))) &&
    known?.identities.has(processes.columns.identity[parent] ?? 0n) === true &&
    isLoggedIn(snapshot, row)
  );
}

/** A program in a folder where programs do not belong: anybody may write there, nothing stays there, or it is out of sight. */
export const oddExecutablePath: Check = {
  id: 'odd-executable-path',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  text: {
    about: 'A program runs from a folder for temporary files, or from a hidden one.',
    benign: 'A build, a test run or a program that its user has put into a hidden folder of the home.',
    remedy: 'look at the program and at who started it, and stop it if it is not yours',
  },
  causes: [
    {
      name: 'version-managers',
      why: 'version managers of languages keep their programs in hidden folders of the home',
      evidenceClass: [
        ...['~/.asdf', '~/.bun', '~/.cargo', '~/.deno', '~/.goenv', '~/.local', '~/.nodenv', '~/.nvm'],
        ...['~/.pyenv', '~/.rbenv', '~/.rustup', '~/.sdkman', '~/.volta'],
      ],
    },
  ],
  rule: () => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: userSpace,
    blind: [executableUnread],
    fails: any(trait(TRAIT.temporary), trait(TRAIT.hiddenFolder)),
  }),
  explain(context, row) {
    const table = context.snapshot.processes;
    const pid = table.columns.pid[row] ?? 0;
    const executable = withoutDeleted(textOf(table.exe(row)));
    const folder = oddFolder(executable);
    return {
      subject: processSubject(table, row),
      severity: wasStartedByHand(context, row) ? 'low' : 'medium',
      summary: `process ${pid} (${textOf(table.comm(row))}) runs ${executable}, which lies in ${folder === 'hidden folder' ? 'a hidden folder' : folder}`,
      evidence: {
        executable,
        folder,
        parent: table.columns.ppid[row] ?? 0,
        uid: table.columns.uid[row] ?? 0,
      },
      evidenceClass: folder,
    };
  },
};
