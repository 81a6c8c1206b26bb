/** The `case` of a script for bash or zsh: what can follow what was typed. */
import { branchesOf, type Leaf, type Tree } from './tree.ts';

/** Each a statement that sets what is offered. */
interface Offers {
  /** Words of a command line, each with what it does. */
  readonly next: (words: readonly (readonly [word: string, meaning: string])[]) => string;
  /** Values of an option. */
  readonly values: (words: readonly string[]) => string;
}

/** What is offered behind a command, by the word in front of the cursor. */
function behind({ flags, choices }: Leaf, { next, values }: Offers): string {
  const cases = flags
    .filter(({ takesValue }) => takesValue)
    .map(({ name, choices: known }) => `      ${name}) ${values(known)} ;;`);
  const rest = next([
    ...choices.map((choice) => [choice, ''] as const),
    ...flags.map(({ name, meaning }) => [name, meaning] as const),
  ]);
  return cases.length === 0
    ? `      ${rest}`
    : ['      case $before in', ...cases, `      *) ${rest} ;;`, '      esac'].join('\n');
}

/** By the words that were typed before, each with a blank behind it. */
export const casesOf = (tree: Tree, offers: Offers): string =>
  branchesOf(tree)
    .map(({ path, next, leaf }) => {
      const pattern = path === '' ? "''" : `'${path} '${leaf === null ? '' : '*'}`;
      return `    ${pattern})\n${leaf === null ? `      ${offers.next(next)}` : behind(leaf, offers)}\n      ;;`;
    })
    .join('\n');
