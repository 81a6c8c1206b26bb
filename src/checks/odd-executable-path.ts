import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../engine/native/batch-types.ts';
import type { ProcessTable, Snapshot } from '../engine/snapshot.ts';
import type { Check, CheckContext, Known } from './check.ts';
import { executableUnread, trait, USER_SPACE } from './conditions.ts';
import { isStarter, names, oddFolder, withoutDeleted } from './executables.ts';
import { any } from './rule.ts';
import { isLoggedIn, processSubject, processText } from './subjects.ts';

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** A shell or build tool may start others, and those what they made. */
const MOST_BETWEEN = 16;

/** By table and by what was learned, the answers for a parent and an identity: a thousand copies are judged once. */
const startedByHand = new WeakMap<ProcessTable, { known: Known; answers: Map<string, boolean> }>();

/**
 * Whether a logged-in user's learned shell or build tool started it, itself or through other shells and build tools, or through
 * itself and what lies beside it. A shell that runs another script than the learned one is that shell.
 */
function wasStartedByHand(context: CheckContext, row: number): boolean {
  const { snapshot, known } = context;
  if (known === null || !isLoggedIn(snapshot, row)) return false;
  const { ppid, identity } = snapshot.processes.columns;
  let kept = startedByHand.get(snapshot.processes);
  if (kept?.known !== known) {
    kept = { known, answers: new Map() };
    startedByHand.set(snapshot.processes, kept);
  }
  const key = `${ppid[row]} ${identity[row]}`;
  let answer = kept.answers.get(key);
  if (answer === undefined) {
    answer = descendsFromStarter(snapshot, known, row);
    kept.answers.set(key, answer);
  }
  return answer;
}

function descendsFromStarter({ processes }: Snapshot, known: Known, row: number): boolean {
  const { ppid, identity, traits } = processes.columns;
  const own = folderOf(textOf(processes.exe(row)));
  let parent = row;
  for (let step = 0; step < MOST_BETWEEN; step++) {
    parent = processes.rowOf(ppid[parent] ?? 0);
    if (parent < 0) return false;
    const executable = textOf(processes.exe(parent));
    if (folderOf(executable) === own) continue;
    const isTemporary = ((traits[parent] ?? 0) & TRAIT.temporary) !== 0;
    if (isTemporary || !isStarter(executable)) return false;
    if (known.identities.has(identity[parent] ?? 0n) || known.executables?.has(executable)) return true;
  }
  return false;
}

/** A program in a folder where programs do not belong: every user may write there, nothing is kept there, or it is hidden. */
export const oddExecutablePath: Check = {
  id: 'odd-executable-path',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 1,
  techniques: ['T1036', 'T1105'],
  settles: true,
  key: ['executable'],
  text: {
    about: 'A program runs from a folder for temporary files or a hidden folder.',
    benign: 'A build, a test run or a program that its user has put into a hidden folder of the home.',
    remedy: 'check the program and what started it, and stop it if it is not yours',
  },
  causes: [
    {
      name: 'version-managers',
      why: 'version managers of languages keep their programs in hidden folders of the home',
      evidenceClass: names(`~/.asdf ~/.bun ~/.cargo ~/.deno ~/.goenv ~/.local ~/.nodenv ~/.nvm
        ~/.pyenv ~/.rbenv ~/.rustup ~/.sdkman ~/.volta`),
    },
  ],
  exemptsOurs: true,
  rule: () => ({
    ...USER_SPACE,
    blind: [executableUnread],
    fails: any(trait(TRAIT.temporary), trait(TRAIT.hiddenFolder)),
  }),
  given: wasStartedByHand,
  explain(context, row) {
    const table = context.snapshot.processes;
    const subject = processSubject(table, row);
    const executable = withoutDeleted(subject.executable);
    const folder = oddFolder(executable);
    return {
      subject,
      severity: wasStartedByHand(context, row) ? 'low' : 'medium',
      summary: `${processText(subject)} runs ${executable}, which lies in ${folder === 'hidden folder' ? 'a hidden folder' : folder}`,
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
