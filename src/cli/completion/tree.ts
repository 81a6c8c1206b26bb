/** What can be typed, read off the declarations of the commands: the same for every shell. */
import type { Option } from '../../desk/command.ts';
import type { CliCommand } from '../command.ts';
import { groups } from '../commands/index.ts';
import { MEANINGS } from '../program.ts';

interface Flag {
  /** `--json`, without its value. */
  readonly name: string;
  readonly meaning: string;
  readonly takesValue: boolean;
  /** The values that it takes; none where it takes any. */
  readonly choices: readonly string[];
}

export interface Leaf {
  /** One or two words. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** What its first argument can be; none where that can be anything. */
  readonly choices: readonly string[];
  /** What may follow a first argument. */
  readonly behind: Readonly<Record<string, readonly string[]>>;
}

export interface Tree {
  /** First words, each with what it does. */
  readonly first: readonly (readonly [word: string, summary: string])[];
  readonly leaves: readonly Leaf[];
}

const COMMON: readonly Option[] = [
  { flags: '--json', meaning: MEANINGS.json },
  { flags: '--help', meaning: MEANINGS.help },
];
const LOCAL: Option = { flags: '--local', meaning: MEANINGS.local };

function flagOf({ flags, meaning, choices = [] }: Option): Flag {
  const [, name = ''] = /(--[\w-]+)/.exec(flags) ?? [];
  return { name, meaning, takesValue: /[<[]/.test(flags), choices };
}

function leafOf({ name, summary, options = [], arguments: args = [], local }: CliCommand): Leaf {
  return {
    words: name.split(' '),
    summary,
    flags: [...options, ...(local ? [LOCAL] : []), ...COMMON].map(flagOf),
    choices: args[0]?.choices ?? Object.keys(args[0]?.offers ?? {}),
    behind: args[0]?.offers ?? {},
  };
}

export function treeOf(commands: readonly CliCommand[]): Tree {
  const leaves = commands.map(leafOf);
  const first = new Map<string, string>();
  for (const { words, summary } of leaves) {
    const [word = ''] = words;
    if (!first.has(word)) first.set(word, words.length > 1 ? (groups[word] ?? '') : summary);
  }
  return { first: [...first, ['help', 'show the help of a command']], leaves };
}

/** A place of a command line: what was typed before, and what may come next, or the command that was named. */
interface Branch {
  readonly path: string;
  readonly next: readonly (readonly [word: string, summary: string])[];
  readonly leaf: Leaf | null;
}

/** Longer paths come first. */
export function branchesOf({ first, leaves }: Tree): readonly Branch[] {
  const commands = leaves.map((leaf): Branch => ({ path: leaf.words.join(' '), next: [], leaf }));
  const seconds = new Map<string, (readonly [string, string])[]>();
  for (const { words, summary } of leaves) {
    const [word = '', second] = words;
    if (second !== undefined) seconds.set(word, [...(seconds.get(word) ?? []), [second, summary]]);
  }
  const groupsFirst = [...seconds].map(([path, next]): Branch => ({ path, next, leaf: null }));
  const followed = leaves.flatMap((leaf) =>
    Object.entries(leaf.behind).map(
      ([word, choices]): Branch => ({
        path: [...leaf.words, word].join(' '),
        next: [],
        leaf: { ...leaf, choices },
      }),
    ),
  );
  return [
    ...followed,
    ...commands.filter(({ path }) => path.includes(' ')),
    ...groupsFirst,
    ...commands.filter(({ path }) => !path.includes(' ')),
    { path: 'help', next: first, leaf: null },
    { path: '', next: first, leaf: null },
  ];
}
